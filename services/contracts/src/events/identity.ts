import Joi from 'joi';
import { ADMIN_ROLES, type AdminAccess, type AdminRole } from '../admin-permissions.ts';
import { type Scope, SCOPES } from '../api/api-keys.ts';
import type { Right } from '../api/service-endpoint.ts';
import type { ToolDevice } from '../api/tools.ts';
import { type Factor, FACTORS } from '../api/factors.ts';
import { WEBHOOK_EVENTS, WEBHOOK_STOPS, type WebhookEvent, type WebhookStop } from '../api/webhooks.ts';
import { SIGN_IN_METHODS, type SignInMethod, type SignInOrigin } from '../api/sessions.ts';
import { mapFields, type ProfileField, type ProfileFieldName, profileFields } from '../profile-fields.ts';
import type { AdminFields, ProfileFields } from '../schemas/account.ts';
import { listOf, oneOf, time } from '../schemas/typed.ts';

import { defineEvent } from './define.ts';

/** The generation of an account that an event begins: older sessions end. Events that were published before the field existed end none. */
const generation = Joi.number().integer().min(0).default(0);

/** The session that made the change, which stays; '' for none. It names the session and gives no access. */
const keptSessionId = Joi.string().allow('').default('');

/** A right has ended below a version (`rights.ts` of contracts). */
export type AccessEnded = Right;

export type UserRegistered = ProfileFields &
  AdminFields & { email: string; picture: string | null; createdAt: string };

export type PasswordChanged = { by: string; generation: number; keptSessionId: string };
export type PasswordResetRequested = Record<never, never>;

/** `by`: the user, or an admin who views the product as the user. */
export type EmailVerificationRequested = { by: string };

/** `changeId` names the change, for the links of its mails. */
export type EmailChangeRequested = { changeId: string };

/** `version` grows with each change of the account's address; an older one changes nothing. */
export type EmailChanged = {
  email: string;
  version: number;
  changeId: string;
  generation: number;
  keptSessionId: string;
};

export type UserDeleted = { by: string; generation: number };

/** `reason`: why an admin removed it; empty when the user did. */
export type FactorAdded = { factor: Factor; by: string };
export type FactorRemoved = { factor: Factor; by: string; reason: string; generation: number };
export type RecoveryCodesRenewed = { by: string };

/** `left`: how many codes of the account still work. */
export type RecoveryCodeUsed = { left: number };
const text = Joi.string().required();

/** An optional field has a default: events that were published before the field existed remain valid. */
const fieldSchema = ({ optional, adminOnly }: ProfileField): Joi.StringSchema => {
  if (!optional) return text;
  return adminOnly ? Joi.string().allow('') : Joi.string().allow('').default('');
};

const fieldSchemas = mapFields(profileFields, fieldSchema) as Record<
  ProfileFieldName,
  Joi.StringSchema<string>
>;

export const accessEnded = defineEvent<AccessEnded>('identity.AccessEnded.v1', {
  summary:
    'Sessions, a key, a connection, a tool or what an admin may do have ended: a change that stands on a lower version is refused.',
  data: Joi.object<AccessEnded, true>({ id: text, version: Joi.number().integer().min(0).required() }),
});

export const userRegistered = defineEvent<UserRegistered>('identity.UserRegistered.v1', {
  summary: 'An account was created. Carries no password.',
  data: Joi.object<UserRegistered, true>({
    ...fieldSchemas,
    email: text,
    picture: Joi.string().allow(null).required(),
    createdAt: time,
  }),
});

export const registrationRequested = defineEvent<Record<never, never>>('identity.RegistrationRequested.v1', {
  summary:
    'A sign-up used the address of an unconfirmed account. Confirming its mail creates an account. The subject is the registration.',
  data: Joi.object<Record<never, never>, true>({}),
});

export const passwordChanged = defineEvent<PasswordChanged>('identity.PasswordChanged.v1', {
  summary: 'A password was changed, by the user or an admin: every session of the user ends.',
  data: Joi.object<PasswordChanged, true>({ by: text, generation, keptSessionId }),
});

export const passwordResetRequested = defineEvent<PasswordResetRequested>(
  'identity.PasswordResetRequested.v1',
  {
    summary: 'A link to set a new password was requested. For an unknown address the subject is a random id.',
    data: Joi.object<PasswordResetRequested, true>({}),
  },
);

export const emailVerificationRequested = defineEvent<EmailVerificationRequested>(
  'identity.EmailVerificationRequested.v1',
  {
    summary:
      'Another mail to confirm the address was requested, by the user or an admin who views as the user.',
    // Events that were published before the field existed are the user's own.
    data: Joi.object<EmailVerificationRequested, true>({ by: Joi.string().allow('').default('') }),
  },
);

export const emailVerified = defineEvent<Record<never, never>>('identity.EmailVerified.v1', {
  summary: 'A user confirmed the e-mail address.',
  data: Joi.object<Record<never, never>, true>({}),
});

export const emailChangeRequested = defineEvent<EmailChangeRequested>('identity.EmailChangeRequested.v1', {
  summary: 'A user requested a change of the e-mail address: the new one gets a mail to confirm it.',
  data: Joi.object<EmailChangeRequested, true>({ changeId: text }),
});

export const emailChangeStarted = defineEvent<EmailChangeRequested>('identity.EmailChangeStarted.v1', {
  summary: 'The same request: the present address gets a link that ends it.',
  data: Joi.object<EmailChangeRequested, true>({ changeId: text }),
});

export const takenEmailRequested = defineEvent<Record<never, never>>('identity.TakenEmailRequested.v1', {
  summary: 'Another account requested a change to the address of this one.',
  data: Joi.object<Record<never, never>, true>({}),
});

export const emailChanged = defineEvent<EmailChanged>('identity.EmailChanged.v1', {
  summary: 'The e-mail address changed, or the change was undone from the old address. Earlier sessions end.',
  data: Joi.object<EmailChanged, true>({
    email: text,
    version: Joi.number().integer().required(),
    changeId: text,
    generation,
    keptSessionId,
  }),
});

export const userDeleted = defineEvent<UserDeleted>('identity.UserDeleted.v1', {
  summary: 'An account was deleted. Later events about the user recreate nothing.',
  data: Joi.object<UserDeleted, true>({ by: text, generation }),
});

const factor = oneOf(FACTORS);

export const factorAdded = defineEvent<FactorAdded>('identity.FactorAdded.v1', {
  summary: 'An account turned two-step verification on, or has a new passkey.',
  data: Joi.object<FactorAdded, true>({ factor, by: text }),
});

export const factorRemoved = defineEvent<FactorRemoved>('identity.FactorRemoved.v1', {
  summary:
    'Two-step verification was turned off, or passkeys removed. If an admin or the operator did it, the reason is stated and every session ends.',
  data: Joi.object<FactorRemoved, true>({
    factor,
    by: text,
    reason: Joi.string().allow('').required(),
    generation,
  }),
});

export const recoveryCodesRenewed = defineEvent<RecoveryCodesRenewed>('identity.RecoveryCodesRenewed.v1', {
  summary: 'An account has new recovery codes instead of the former ones.',
  data: Joi.object<RecoveryCodesRenewed, true>({ by: text }),
});

export const recoveryCodeUsed = defineEvent<RecoveryCodeUsed>('identity.RecoveryCodeUsed.v1', {
  summary: 'A recovery code was used up.',
  data: Joi.object<RecoveryCodeUsed, true>({ left: Joi.number().integer().min(0).required() }),
});

export type DeletionRequested = { deletionId: string; dueAt: string; generation: number };
export type DeletionApproaching = { deletionId: string; dueAt: string };
export type DataExportProgressed = { exportId: string; done: number };
const id = Joi.string().required();

export const deletionRequested = defineEvent<DeletionRequested>('identity.DeletionRequested.v1', {
  summary: 'A user requested the deletion of the account: every session ends.',
  data: Joi.object<DeletionRequested, true>({ deletionId: id, dueAt: time, generation }),
});

export const deletionApproaching = defineEvent<DeletionApproaching>('identity.DeletionApproaching.v1', {
  summary: 'A requested deletion is due in a few days. Emitted once.',
  data: Joi.object<DeletionApproaching, true>({ deletionId: id, dueAt: time }),
});

export const deletionCancelled = defineEvent<{ deletionId: string }>('identity.DeletionCancelled.v1', {
  summary: 'A user cancelled the deletion of the account.',
  data: Joi.object<{ deletionId: string }, true>({ deletionId: id }),
});

export const confirmationReminded = defineEvent<{ dueAt: string }>('identity.ConfirmationReminded.v1', {
  summary: 'An unconfirmed account will be deleted at `dueAt`. Emitted once.',
  data: Joi.object<{ dueAt: string }, true>({ dueAt: time }),
});

export const dataExportRequested = defineEvent<{ exportId: string }>('identity.DataExportRequested.v1', {
  summary: 'A user requested a file with all personal data.',
  data: Joi.object<{ exportId: string }, true>({ exportId: id }),
});

export const dataExportProgressed = defineEvent<DataExportProgressed>('identity.DataExportProgressed.v1', {
  summary: 'A part of that file is done, or the file has failed.',
  data: Joi.object<DataExportProgressed, true>({ exportId: id, done: Joi.number().integer().required() }),
});

export const dataExportReady = defineEvent<{ exportId: string; expiresAt: string }>(
  'identity.DataExportReady.v1',
  {
    summary: 'That file is ready.',
    data: Joi.object<{ exportId: string; expiresAt: string }, true>({ exportId: id, expiresAt: time }),
  },
);

export type AdminInvited = { role: AdminRole; by: string };
export type OwnerAdded = { by: string };
export type AdminAccessChanged = AdminAccess & { by: string; generation: number };
const role = Joi.string().valid(...ADMIN_ROLES);

export const adminInvited = defineEvent<AdminInvited>('identity.AdminInvited.v1', {
  summary: 'An admin was invited, or invited again. The subject is the invitation.',
  data: Joi.object<AdminInvited, true>({ role: role.required(), by: text }),
});

export const adminAccessChanged = defineEvent<AdminAccessChanged>('identity.AdminAccessChanged.v1', {
  summary: 'The role of an admin changed. A null role ends every session. An older version changes nothing.',
  data: Joi.object<AdminAccessChanged, true>({
    role: role.allow(null).required(),
    version: Joi.number().integer().min(0).required(),
    by: text,
    generation,
  }),
});

export const ownerAdded = defineEvent<OwnerAdded>('identity.OwnerAdded.v1', {
  summary: 'An admin became an owner. `by`: an admin, or the id of the product for the operator.',
  data: Joi.object<OwnerAdded, true>({ by: text }),
});

export type LoginSucceeded = SignInOrigin & {
  method: SignInMethod;
  sessionId: string;
  isNewDevice: boolean;
};

/** `attempts`: how many in a row have failed. */
export type LoginFailed = SignInOrigin & { method: SignInMethod; attempts: number };
const optional = Joi.string().allow('').required();
const origin = { browser: optional, system: optional, network: optional, place: optional };

const method = oneOf(SIGN_IN_METHODS);

export const loginSucceeded = defineEvent<LoginSucceeded>('identity.LoginSucceeded.v1', {
  summary: 'A log-in succeeded. Of the address, only its network (IPv4: the /24, IPv6: the /48).',
  data: Joi.object<LoginSucceeded, true>({
    ...origin,
    method,
    sessionId: Joi.string().required(),
    isNewDevice: Joi.boolean().required(),
  }),
});

export const loginFailed = defineEvent<LoginFailed>('identity.LoginFailed.v1', {
  summary: 'A log-in to an existing account failed. Of the address, only its network.',
  data: Joi.object<LoginFailed, true>({ ...origin, method, attempts: Joi.number().integer().required() }),
});

export const loginLocked = defineEvent<SignInOrigin>('identity.LoginLocked.v1', {
  summary: 'After many failed log-ins, unknown devices have to wait; at most once a day.',
  data: Joi.object<SignInOrigin, true>(origin),
});

export const secondFactorsRefused = defineEvent<SignInOrigin>('identity.SecondFactorsRefused.v1', {
  summary: 'After the right password, ten second factors in a row were wrong; at most once a day.',
  data: Joi.object<SignInOrigin, true>(origin),
});

export const newDeviceUsed = defineEvent<SignInOrigin>('identity.NewDeviceUsed.v1', {
  summary: 'A log-in came from a new device, other than the first one.',
  data: Joi.object<SignInOrigin, true>(origin),
});

export type AccountViewed = { by: string; reason: string; sessionId: string };

export const accountViewed = defineEvent<AccountViewed>('identity.AccountViewed.v1', {
  summary: 'An admin began to view the product as this user.',
  data: Joi.object<AccountViewed, true>({ by: text, reason: text, sessionId: text }),
});

/** `hint`: the ends of the key, by which its user recognizes it. */
export type ApiKeyCreated = { keyId: string; name: string; scopes: Scope[]; hint: string };

export const apiKeyCreated = defineEvent<ApiKeyCreated>('identity.ApiKeyCreated.v1', {
  summary: 'A user made an API key. Carries neither it nor its hash.',
  data: Joi.object<ApiKeyCreated, true>({ keyId: id, name: text, scopes: listOf(oneOf(SCOPES)), hint: text }),
});

/** `host`: of the address, whose path and query may have a secret of the receiver. */
export type WebhookCreated = { endpointId: string; host: string; events: WebhookEvent[] };
/** `since`: the first of the tries that failed without one between them that did not. */
export type WebhookFailing = { endpointId: string; host: string; since: string; stopsAt: string };
export type WebhookStopped = { endpointId: string; host: string; stop: WebhookStop };

export const webhookCreated = defineEvent<WebhookCreated>('identity.WebhookCreated.v1', {
  summary: 'A user added a webhook address. Carries neither its path nor its secret.',
  data: Joi.object<WebhookCreated, true>({
    endpointId: id,
    host: text,
    events: listOf(oneOf(WEBHOOK_EVENTS)),
  }),
});

export const webhookFailing = defineEvent<WebhookFailing>('identity.WebhookFailing.v1', {
  summary:
    'Every try to send to a webhook address has failed for days. It stops a day later unless one succeeds.',
  data: Joi.object<WebhookFailing, true>({ endpointId: id, host: text, since: time, stopsAt: time }),
});

export const webhookStopped = defineEvent<WebhookStopped>('identity.WebhookStopped.v1', {
  summary: 'A webhook address was stopped: it failed, or all that acts for its user was ended.',
  data: Joi.object<WebhookStopped, true>({ endpointId: id, host: text, stop: oneOf(WEBHOOK_STOPS) }),
});
/** `name`: of the tool. `device`: what the tool calls its device; '' where it does not. */
export type ConnectionCreated = { connectionId: string; name: string; scopes: Scope[]; device: string };

export const connectionCreated = defineEvent<ConnectionCreated>('identity.ConnectionCreated.v1', {
  summary: 'A user connected a tool. Carries no token.',
  data: Joi.object<ConnectionCreated, true>({
    connectionId: id,
    name: text,
    scopes: listOf(oneOf(SCOPES)),
    device: Joi.string().allow('').required(),
  }),
});

/** Why a connection ended. `reuse`: a token was used twice, which its thief or its tool did. */
export const CONNECTION_ENDS = ['user', 'tool', 'reuse', 'takeover', 'disabled', 'support'] as const;
export type ConnectionEnd = (typeof CONNECTION_ENDS)[number];

/** `name`: of the tool. `device`, `browser`, `system`: where it ran, '' where unknown. */
export type ConnectionEnded = ToolDevice & { connectionId: string; reason: ConnectionEnd; name: string };

/** Events that were published before the field existed do not say it. */
const unknownBefore = Joi.string().allow('').default('');

export const connectionEnded = defineEvent<ConnectionEnded>('identity.ConnectionEnded.v1', {
  summary:
    'User, support or tool ended a connection, a token was used twice, the account was taken back, or the tool was disabled.',
  data: Joi.object<ConnectionEnded, true>({
    connectionId: id,
    reason: oneOf(CONNECTION_ENDS),
    name: unknownBefore,
    device: unknownBefore,
    browser: unknownBefore,
    system: unknownBefore,
  }),
});

/** `generation`: of the tool from now on. `by`: an admin, or the id of the product for the operator. */
export type ToolDisabled = { generation: number; by: string };

export const toolDisabled = defineEvent<ToolDisabled>('identity.ToolDisabled.v1', {
  summary:
    'A tool (the subject) was disabled: its tokens are refused from now on, and its connections end one by one.',
  data: Joi.object<ToolDisabled, true>({ generation: Joi.number().integer().min(0).required(), by: text }),
});

export const apiKeyRevoked = defineEvent<{ keyId: string }>('identity.ApiKeyRevoked.v1', {
  summary: 'The user or support deleted an API key, or the account was taken back.',
  data: Joi.object<{ keyId: string }, true>({ keyId: id }),
});
