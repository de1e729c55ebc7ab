import Joi from 'joi';
import { ADMIN_ROLES } from '../admin-permissions.ts';
import { SCOPES } from '../api/connected-apps.ts';
import { FACTORS } from '../api/factors.ts';
import { WEBHOOK_EVENTS, WEBHOOK_STOPS } from '../api/webhooks.ts';
import { mapFields, type ProfileField, profileFields } from '../profile-fields.ts';
import type { AdminFields, ProfileFields } from '../schemas/account.ts';
import * as rule from '../schemas/validation.ts';
import { type DataOf, defineEvent } from './define.ts';

/** The generation of an account that an event begins: older sessions end. Events that were published before the field existed end none. */
const generation = Joi.number().integer().min(0).default(0);

/** The session that made the change, which stays; '' for none. It names the session and gives no access. */
const keptSessionId = Joi.string().allow('').default('');

/** Empty in events that were published before the field existed. */
const unknownBefore = Joi.string().allow('').default('');

const adminField = rule.mayLack(Joi.string().allow(''));

/** An optional field has a default: events that were published before the field existed remain valid. */
const fieldSchema = ({ optional, adminOnly }: ProfileField): rule.Typed<string> => {
  if (!optional) return rule.nonEmptyText;
  return adminOnly ? adminField : unknownBefore;
};

type FieldSchemas = Record<keyof ProfileFields, rule.Typed<string>> &
  Record<keyof AdminFields, typeof adminField>;
const fieldSchemas = mapFields(profileFields, fieldSchema) as FieldSchemas;

/** A right has ended below a version (`api/endpoint.ts`). */
export const accessEnded = defineEvent('identity.AccessEnded.v1', {
  summary:
    'Sessions, a key, a connection, a tool or what an admin may do have ended: a change that stands on a lower version is refused.',
  data: { id: rule.nonEmptyText, version: rule.count },
});

export const sessionsEnded = defineEvent('identity.SessionsEnded.v1', {
  summary: 'An admin ended the sessions of a user or of another admin.',
  data: { by: rule.nonEmptyText, generation },
});

export const userRegistered = defineEvent('identity.UserRegistered.v1', {
  summary: 'An account was created. Carries no password.',
  data: {
    ...fieldSchemas,
    email: rule.nonEmptyText,
    picture: rule.nullable(rule.nonEmptyText),
    createdAt: rule.time,
  },
});
export type UserRegistered = DataOf<typeof userRegistered>;

export const registrationRequested = defineEvent('identity.RegistrationRequested.v1', {
  summary:
    'A sign-up used the address of an unconfirmed account. Confirming its mail creates an account. The subject is the registration.',
  data: {},
});

export const passwordChanged = defineEvent('identity.PasswordChanged.v1', {
  summary: 'A password was changed, by the user or an admin: every session of the user ends.',
  data: { by: rule.nonEmptyText, generation, keptSessionId },
});

export const passwordResetRequested = defineEvent('identity.PasswordResetRequested.v1', {
  summary: 'A link to set a new password was requested. For an unknown address the subject is a random id.',
  data: {},
});

/** `by`: the user, or an admin who views the product as the user. */
export const emailVerificationRequested = defineEvent('identity.EmailVerificationRequested.v1', {
  summary:
    'Another mail to confirm the address was requested, by the user or an admin who views as the user.',
  // Events that were published before the field existed were caused by the user.
  data: { by: unknownBefore },
});

export const emailVerified = defineEvent('identity.EmailVerified.v1', {
  summary: 'A user confirmed the e-mail address.',
  data: {},
});

/** `changeId` identifies the change, for the links in its emails. */
export const emailChangeRequested = defineEvent('identity.EmailChangeRequested.v1', {
  summary: 'A user requested a change of the e-mail address: the new one gets a mail to confirm it.',
  data: { changeId: rule.nonEmptyText },
});
export type EmailChangeRequested = DataOf<typeof emailChangeRequested>;

export const emailChangeStarted = defineEvent('identity.EmailChangeStarted.v1', {
  summary: 'The same request: the present address gets a link that ends it.',
  data: { changeId: rule.nonEmptyText },
});

export const takenEmailRequested = defineEvent('identity.TakenEmailRequested.v1', {
  summary: 'Another account requested a change to the address of this one.',
  data: {},
});

/** `version` grows with each change of the email; an older one changes nothing. */
export const emailChanged = defineEvent('identity.EmailChanged.v1', {
  summary: 'The e-mail address changed, or the change was undone from the old address. Earlier sessions end.',
  data: {
    email: rule.nonEmptyText,
    version: rule.amount,
    changeId: rule.nonEmptyText,
    generation,
    keptSessionId,
  },
});
export type EmailChanged = DataOf<typeof emailChanged>;

export const userDeleted = defineEvent('identity.UserDeleted.v1', {
  summary: 'An account was deleted. Later events about the user recreate nothing.',
  data: { by: rule.nonEmptyText, generation },
});
export type UserDeleted = DataOf<typeof userDeleted>;

const factor = rule.oneOf(FACTORS);

/** `reason`: why an admin removed it; empty when the user did. */
export const factorAdded = defineEvent('identity.FactorAdded.v1', {
  summary: 'An account turned two-step verification on, or has a new passkey.',
  data: { factor, by: rule.nonEmptyText },
});

export const factorRemoved = defineEvent('identity.FactorRemoved.v1', {
  summary:
    'Two-step verification was turned off, or passkeys removed. If an admin or the operator did it, the reason is stated and every session ends.',
  data: { factor, by: rule.nonEmptyText, reason: rule.text, generation },
});

export const recoveryCodesRenewed = defineEvent('identity.RecoveryCodesRenewed.v1', {
  summary: 'An account has new recovery codes instead of the former ones.',
  data: { by: rule.nonEmptyText },
});

/** `left`: how many codes of the account still work. */
export const recoveryCodeUsed = defineEvent('identity.RecoveryCodeUsed.v1', {
  summary: 'A recovery code was used up.',
  data: { left: rule.count },
});

export const deletionRequested = defineEvent('identity.DeletionRequested.v1', {
  summary: 'A user requested the deletion of the account: every session ends.',
  data: { deletionId: rule.nonEmptyText, dueAt: rule.time, generation },
});
export type DeletionRequested = DataOf<typeof deletionRequested>;

export const deletionApproaching = defineEvent('identity.DeletionApproaching.v1', {
  summary: 'A requested deletion is due in a few days. Emitted once.',
  data: { deletionId: rule.nonEmptyText, dueAt: rule.time },
});

export const deletionCancelled = defineEvent('identity.DeletionCancelled.v1', {
  summary: 'A user cancelled the deletion of the account.',
  data: { deletionId: rule.nonEmptyText },
});

export const confirmationReminded = defineEvent('identity.ConfirmationReminded.v1', {
  summary: 'An unconfirmed account will be deleted at `dueAt`. Emitted once.',
  data: { dueAt: rule.time },
});

export const dataExportRequested = defineEvent('identity.DataExportRequested.v1', {
  summary: 'A user requested a file with all personal data.',
  data: { exportId: rule.nonEmptyText },
});

export const dataExportProgressed = defineEvent('identity.DataExportProgressed.v1', {
  summary: 'A part of that file is done, or the file has failed.',
  data: { exportId: rule.nonEmptyText, done: rule.amount },
});

export const dataExportReady = defineEvent('identity.DataExportReady.v1', {
  summary: 'That file is ready.',
  data: { exportId: rule.nonEmptyText, expiresAt: rule.time },
});

const role = rule.oneOf(ADMIN_ROLES);

/** An admin without a role is suspended, unless removed. Events that were published before the field existed do not say. */
const isRemoved = Joi.boolean().default(false);

export const adminInvited = defineEvent('identity.AdminInvited.v1', {
  summary: 'An admin was invited, or invited again. The subject is the invitation.',
  data: { role, by: rule.nonEmptyText },
});
export type AdminInvited = DataOf<typeof adminInvited>;

export const adminAccessChanged = defineEvent('identity.AdminAccessChanged.v1', {
  summary: 'The role of an admin changed. A null role ends every session. An older version changes nothing.',
  data: { role: rule.nullable(role), version: rule.count, by: rule.nonEmptyText, generation, isRemoved },
});

export const ownerAdded = defineEvent('identity.OwnerAdded.v1', {
  summary: 'An admin became an owner. `by`: an admin, or the id of the product for the operator.',
  data: { by: rule.nonEmptyText },
});
export type OwnerAdded = DataOf<typeof ownerAdded>;

const origin = { browser: rule.text, system: rule.text, network: rule.text, place: rule.text };

export const loginLocked = defineEvent('identity.LoginLocked.v1', {
  summary: 'After many failed log-ins, unknown devices have to wait; at most once a day.',
  data: origin,
});

export const secondFactorsRefused = defineEvent('identity.SecondFactorsRefused.v1', {
  summary: 'After the right password, ten second factors in a row were wrong; at most once a day.',
  data: origin,
});

export const newDeviceUsed = defineEvent('identity.NewDeviceUsed.v1', {
  summary: 'A log-in came from a new device, other than the first one.',
  data: origin,
});

/** `hint`: the first and last characters of the key, by which its user recognizes it. */
export const apiKeyCreated = defineEvent('identity.ApiKeyCreated.v1', {
  summary: 'A user made an API key. Carries neither it nor its hash.',
  data: {
    keyId: rule.nonEmptyText,
    name: rule.nonEmptyText,
    scopes: rule.listOf(rule.oneOf(SCOPES)),
    hint: rule.nonEmptyText,
  },
});
export type ApiKeyCreated = DataOf<typeof apiKeyCreated>;

/** `host`: that of the URL, whose path and query may contain a secret of the receiver. */
export const webhookCreated = defineEvent('identity.WebhookCreated.v1', {
  summary: 'A user added a webhook address. Carries neither its path nor its secret.',
  data: {
    endpointId: rule.nonEmptyText,
    host: rule.nonEmptyText,
    events: rule.listOf(rule.oneOf(WEBHOOK_EVENTS)),
  },
});

/** `since`: the first failed try since the last successful one. */
export const webhookFailing = defineEvent('identity.WebhookFailing.v1', {
  summary:
    'Every try to send to a webhook address has failed for days. It stops a day later unless one succeeds.',
  data: { endpointId: rule.nonEmptyText, host: rule.nonEmptyText, since: rule.time, stopsAt: rule.time },
});

export const webhookStopped = defineEvent('identity.WebhookStopped.v1', {
  summary: 'A webhook address was stopped: it failed, or all that acts for its user was ended.',
  data: { endpointId: rule.nonEmptyText, host: rule.nonEmptyText, stop: rule.oneOf(WEBHOOK_STOPS) },
});
/** `name`: the app's. `device`: the name that the app gives its device, or ''. */
export const connectionCreated = defineEvent('identity.ConnectionCreated.v1', {
  summary: 'A user connected a tool. Carries no token.',
  data: {
    connectionId: rule.nonEmptyText,
    name: rule.nonEmptyText,
    scopes: rule.listOf(rule.oneOf(SCOPES)),
    device: rule.text,
  },
});
export type ConnectionCreated = DataOf<typeof connectionCreated>;

/** Why a connection ended. `reuse`: a token was used twice, by a thief or by the app. */
export const CONNECTION_ENDS = ['user', 'tool', 'reuse', 'takeover', 'disabled', 'support'] as const;
export type ConnectionEnd = (typeof CONNECTION_ENDS)[number];

/** `name`: the app's. `device`, `browser`, `system`: where it ran, '' if unknown. */
export const connectionEnded = defineEvent('identity.ConnectionEnded.v1', {
  summary:
    'User, support or tool ended a connection, a token was used twice, the account was taken back, or the tool was disabled.',
  data: {
    connectionId: rule.nonEmptyText,
    reason: rule.oneOf(CONNECTION_ENDS),
    name: unknownBefore,
    device: unknownBefore,
    browser: unknownBefore,
    system: unknownBefore,
  },
});
export type ConnectionEnded = DataOf<typeof connectionEnded>;

/** `generation`: the app's new generation. `by`: an admin, or the product's own id for the operator. */
export const toolDisabled = defineEvent('identity.ToolDisabled.v1', {
  summary:
    'A tool (the subject) was disabled: its tokens are refused from now on, and its connections end one by one.',
  data: { generation: rule.count, by: rule.nonEmptyText },
});
export type ToolDisabled = DataOf<typeof toolDisabled>;

export const apiKeyRevoked = defineEvent('identity.ApiKeyRevoked.v1', {
  summary: 'The user or support deleted an API key, or the account was taken back.',
  data: { keyId: rule.nonEmptyText },
});
