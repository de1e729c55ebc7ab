import Joi from 'joi';
import { ADMIN_ROLES, type AdminAccess, type AdminRole } from '../admin-permissions.ts';
import { SIGN_IN_METHODS, type SignInMethod, type SignInOrigin } from '../api/sign-ins.ts';
import { defineEvent } from './define.ts';
import { generation } from './identity.ts';

export type AdminInvited = { role: AdminRole; by: string };
export type OwnerAdded = { by: string };
export type AdminAccessChanged = AdminAccess & { by: string; generation: number };

const text = Joi.string().required();
const role = Joi.string().valid(...ADMIN_ROLES);

export const adminInvited = defineEvent<AdminInvited>('identity.AdminInvited.v1', {
  summary:
    'An invitation to the panel is to be mailed, the first time or again. The subject is the invitation.',
  data: Joi.object<AdminInvited, true>({ role: role.required(), by: text }),
});

export const adminAccessChanged = defineEvent<AdminAccessChanged>('identity.AdminAccessChanged.v1', {
  summary:
    'What an admin may do has changed: a new admin, another role, a suspension or its end, or a removal. A null role is no access, and ends every session. An older version changes nothing.',
  data: Joi.object<AdminAccessChanged, true>({
    role: role.allow(null).required(),
    version: Joi.number().integer().min(0).required(),
    by: text,
    generation,
  }),
});

export const ownerAdded = defineEvent<OwnerAdded>('identity.OwnerAdded.v1', {
  summary:
    'An admin has become an owner: by an accepted invitation, by another role, by the end of a suspension, or by the operator, who has the id of the product.',
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
