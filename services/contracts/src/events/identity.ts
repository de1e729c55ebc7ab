import Joi from 'joi';
import { ADMIN_ROLES, type AdminAccess, type AdminRole } from '../admin-permissions.ts';
import { type Scope, SCOPES } from '../api/api-keys.ts';
import type { ToolDevice } from '../api/connections.ts';
import type { Factor } from '../api/factors.ts';
import { WEBHOOK_EVENTS, WEBHOOK_STOPS, type WebhookEvent, type WebhookStop } from '../api/webhooks.ts';
import { SIGN_IN_METHODS, type SignInMethod, type SignInOrigin } from '../api/sessions.ts';
import { mapFields, type ProfileField, type ProfileFieldName, profileFields } from '../profile-fields.ts';
import type { AdminFields, ProfileFields } from '../schemas/account.ts';
import { listOf, oneOf, time } from '../schemas/parts.ts';
import { defineEvent } from './define.ts';

/** The generation of an account that an event begins: older sessions end. Events that were published before the field existed end none. */
const generation = Joi.number().integer().min(0).default(0);

/** The session that made the change, which stays; '' for none. It names the session and gives no access. */
const keptSessionId = Joi.string().allow('').default('');

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

export const userRegistered = defineEvent<UserRegistered>('identity.UserRegistered.v1', {
  summary: 'An account was created. Carries the profile fields, never a password.',
  data: Joi.object<UserRegistered, true>({
    ...fieldSchemas,
    email: text,
    picture: Joi.string().allow(null).required(),
    createdAt: time,
  }),
});

export const registrationRequested = defineEvent<Record<never, never>>('identity.RegistrationRequested.v1', {
  summary:
    'A sign-up used the address of an account that has not confirmed it: it becomes an account when its mail is confirmed. The subject is the registration.',
  data: Joi.object<Record<never, never>, true>({}),
});

export const passwordChanged = defineEvent<PasswordChanged>('identity.PasswordChanged.v1', {
  summary:
    'A password was changed, by the user or by an admin: every session of the user ends, and the user is notified by mail.',
  data: Joi.object<PasswordChanged, true>({ by: text, generation, keptSessionId }),
});

export const passwordResetRequested = defineEvent<PasswordResetRequested>(
  'identity.PasswordResetRequested.v1',
  {
    summary:
      'A link to set a new password was requested. The subject is an id without an account when the address has none.',
    data: Joi.object<PasswordResetRequested, true>({}),
  },
);

export const emailVerificationRequested = defineEvent<EmailVerificationRequested>(
  'identity.EmailVerificationRequested.v1',
  {
    summary:
      'A user requested another mail to confirm the e-mail address, or an admin who views the product as the user did.',
    // Events that were published before the field existed are the user's own.
    data: Joi.object<EmailVerificationRequested, true>({ by: Joi.string().allow('').default('') }),
  },
);

export const emailVerified = defineEvent<Record<never, never>>('identity.EmailVerified.v1', {
  summary: 'A user proved that the e-mail address is theirs.',
  data: Joi.object<Record<never, never>, true>({}),
});

export const emailChangeRequested = defineEvent<EmailChangeRequested>('identity.EmailChangeRequested.v1', {
  summary: 'A user requested a change of the e-mail address: the new one has to be confirmed by a mail.',
  data: Joi.object<EmailChangeRequested, true>({ changeId: text }),
});

export const emailChangeStarted = defineEvent<EmailChangeRequested>('identity.EmailChangeStarted.v1', {
  summary:
    'A user requested a change of the e-mail address. The present address gets a link that ends the request, whatever the new one is.',
  data: Joi.object<EmailChangeRequested, true>({ changeId: text }),
});

export const takenEmailRequested = defineEvent<Record<never, never>>('identity.TakenEmailRequested.v1', {
  summary: 'Another account requested a change to the address of this one, which its owner reads by mail.',
  data: Joi.object<Record<never, never>, true>({}),
});

export const emailChanged = defineEvent<EmailChanged>('identity.EmailChanged.v1', {
  summary:
    'The e-mail address of an account changed: after its confirmation, or back, when the change was undone from the old address. Sessions that began before end.',
  data: Joi.object<EmailChanged, true>({
    email: text,
    version: Joi.number().integer().required(),
    changeId: text,
    generation,
    keptSessionId,
  }),
});

export const userDeleted = defineEvent<UserDeleted>('identity.UserDeleted.v1', {
  summary: 'An account was deleted for good. Later events about the user recreate nothing.',
  data: Joi.object<UserDeleted, true>({ by: text, generation }),
});

const factor = Joi.string().valid('totp', 'passkey').required();

export const factorAdded = defineEvent<FactorAdded>('identity.FactorAdded.v1', {
  summary: 'An account turned two-step verification on, or has a new passkey.',
  data: Joi.object<FactorAdded, true>({ factor, by: text }),
});

export const factorRemoved = defineEvent<FactorRemoved>('identity.FactorRemoved.v1', {
  summary:
    'Two-step verification was turned off, or passkeys removed: by the user, or with a reason by an admin or the operator, which ends every session of the user.',
  data: Joi.object<FactorRemoved, true>({
    factor,
    by: text,
    reason: Joi.string().allow('').required(),
    generation,
  }),
});

export const recoveryCodesRenewed = defineEvent<RecoveryCodesRenewed>('identity.RecoveryCodesRenewed.v1', {
  summary: 'An account has new recovery codes, and the former ones no longer work.',
  data: Joi.object<RecoveryCodesRenewed, true>({ by: text }),
});

export const recoveryCodeUsed = defineEvent<RecoveryCodeUsed>('identity.RecoveryCodeUsed.v1', {
  summary: 'A recovery code proved who the user is, and is used up.',
  data: Joi.object<RecoveryCodeUsed, true>({ left: Joi.number().integer().min(0).required() }),
});

export type DeletionRequested = { deletionId: string; dueAt: string; generation: number };
export type DeletionApproaching = { deletionId: string; dueAt: string };
export type DataExportProgressed = { exportId: string; done: number };
const id = Joi.string().required();

export const deletionRequested = defineEvent<DeletionRequested>('identity.DeletionRequested.v1', {
  summary: 'A user requested the deletion of the account: every session ends, and the deletion is due later.',
  data: Joi.object<DeletionRequested, true>({ deletionId: id, dueAt: time, generation }),
});

export const deletionApproaching = defineEvent<DeletionApproaching>('identity.DeletionApproaching.v1', {
  summary: 'The deletion that a user requested is due in a few days. Emitted once.',
  data: Joi.object<DeletionApproaching, true>({ deletionId: id, dueAt: time }),
});

export const deletionCancelled = defineEvent<{ deletionId: string }>('identity.DeletionCancelled.v1', {
  summary: 'A user kept the account whose deletion had been requested.',
  data: Joi.object<{ deletionId: string }, true>({ deletionId: id }),
});

export const confirmationReminded = defineEvent<{ dueAt: string }>('identity.ConfirmationReminded.v1', {
  summary:
    'The address of an account is not confirmed: the account is given up at the stated time. Emitted once.',
  data: Joi.object<{ dueAt: string }, true>({ dueAt: time }),
});

export const dataExportRequested = defineEvent<{ exportId: string }>('identity.DataExportRequested.v1', {
  summary: 'A user requested a file with all personal data; a job writes it.',
  data: Joi.object<{ exportId: string }, true>({ exportId: id }),
});

export const dataExportProgressed = defineEvent<DataExportProgressed>('identity.DataExportProgressed.v1', {
  summary: 'A part of the file with the data of a user is done, or the file has failed.',
  data: Joi.object<DataExportProgressed, true>({ exportId: id, done: Joi.number().integer().required() }),
});

export const dataExportReady = defineEvent<{ exportId: string; expiresAt: string }>(
  'identity.DataExportReady.v1',
  {
    summary: 'The file with the data of a user is ready until the stated time.',
    data: Joi.object<{ exportId: string; expiresAt: string }, true>({ exportId: id, expiresAt: time }),
  },
);

export type AdminInvited = { role: AdminRole; by: string };
export type OwnerAdded = { by: string };
export type AdminAccessChanged = AdminAccess & { by: string; generation: number };
const role = Joi.string().valid(...ADMIN_ROLES);

export const adminInvited = defineEvent<AdminInvited>('identity.AdminInvited.v1', {
  summary:
    'An invitation to the panel is to be mailed, the first time or again. The subject is the invitation.',
  data: Joi.object<AdminInvited, true>({ role: role.required(), by: text }),
});

export const adminAccessChanged = defineEvent<AdminAccessChanged>('identity.AdminAccessChanged.v1', {
  summary:
    'What an admin may do has changed. A null role is no access, and ends every session. An older version changes nothing.',
  data: Joi.object<AdminAccessChanged, true>({
    role: role.allow(null).required(),
    version: Joi.number().integer().min(0).required(),
    by: text,
    generation,
  }),
});

export const ownerAdded = defineEvent<OwnerAdded>('identity.OwnerAdded.v1', {
  summary: 'An admin has become an owner. `by`: an admin, or the id of the product for the operator.',
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

const method = Joi.string()
  .valid(...SIGN_IN_METHODS)
  .required();

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
  summary:
    'After many failed log-ins, devices that the account does not know have to wait; at most once a day.',
  data: Joi.object<SignInOrigin, true>(origin),
});

export const secondFactorsRefused = defineEvent<SignInOrigin>('identity.SecondFactorsRefused.v1', {
  summary: 'After the right password, ten second factors in a row were wrong; at most once a day.',
  data: Joi.object<SignInOrigin, true>(origin),
});

export const newDeviceUsed = defineEvent<SignInOrigin>('identity.NewDeviceUsed.v1', {
  summary: 'A log-in came from a device that the account has not used before, other than its first one.',
  data: Joi.object<SignInOrigin, true>(origin),
});

export type AccountViewed = { by: string; reason: string; sessionId: string };

export const accountViewed = defineEvent<AccountViewed>('identity.AccountViewed.v1', {
  summary: 'An admin began to view the product as this user, for a reason. The session may only read.',
  data: Joi.object<AccountViewed, true>({ by: text, reason: text, sessionId: text }),
});

/** `hint`: the ends of the key, by which its user recognizes it. */
export type ApiKeyCreated = { keyId: string; name: string; scopes: Scope[]; hint: string };

export const apiKeyCreated = defineEvent<ApiKeyCreated>('identity.ApiKeyCreated.v1', {
  summary: 'A user made a key with which a tool acts for them. Carries neither the key nor its hash.',
  data: Joi.object<ApiKeyCreated, true>({ keyId: id, name: text, scopes: listOf(oneOf(SCOPES)), hint: text }),
});

/** `host`: of the address, whose path and query may have a secret of the receiver. */
export type WebhookCreated = { endpointId: string; host: string; events: WebhookEvent[] };
/** `since`: the first of the tries that failed without one between them that did not. */
export type WebhookFailing = { endpointId: string; host: string; since: string; stopsAt: string };
export type WebhookStopped = { endpointId: string; host: string; stop: WebhookStop };

export const webhookCreated = defineEvent<WebhookCreated>('identity.WebhookCreated.v1', {
  summary: 'A user has webhooks sent to an address of theirs. Carries neither its path nor its secret.',
  data: Joi.object<WebhookCreated, true>({
    endpointId: id,
    host: text,
    events: listOf(oneOf(WEBHOOK_EVENTS)),
  }),
});

export const webhookFailing = defineEvent<WebhookFailing>('identity.WebhookFailing.v1', {
  summary:
    'Every try to send to a webhook address has failed for days. It is stopped a day later unless one succeeds.',
  data: Joi.object<WebhookFailing, true>({ endpointId: id, host: text, since: time, stopsAt: time }),
});

export const webhookStopped = defineEvent<WebhookStopped>('identity.WebhookStopped.v1', {
  summary:
    'Nothing is sent to a webhook address any more, for a reason other than that its user switched it off.',
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
export const CONNECTION_ENDS = ['user', 'tool', 'reuse', 'takeover', 'disabled'] as const;
export type ConnectionEnd = (typeof CONNECTION_ENDS)[number];

/** `name`: of the tool. `device`, `browser`, `system`: where it ran, '' where unknown. */
export type ConnectionEnded = ToolDevice & { connectionId: string; reason: ConnectionEnd; name: string };

/** Events that were published before the field existed do not say it. */
const unknownBefore = Joi.string().allow('').default('');

export const connectionEnded = defineEvent<ConnectionEnded>('identity.ConnectionEnded.v1', {
  summary:
    'A tool is no longer connected: its user or the tool itself ended the connection, a token of it was used twice, the account was taken back, or the tool was disabled.',
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
    'A tool was disabled: every token of it is refused from now on, and its connections end one after the other. The subject is the tool.',
  data: Joi.object<ToolDisabled, true>({ generation: Joi.number().integer().min(0).required(), by: text }),
});

export const apiKeyRevoked = defineEvent<{ keyId: string }>('identity.ApiKeyRevoked.v1', {
  summary: 'A key of a user no longer works: the user deleted it, or took the account back.',
  data: Joi.object<{ keyId: string }, true>({ keyId: id }),
});
