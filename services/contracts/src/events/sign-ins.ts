import Joi from 'joi';
import { SIGN_IN_METHODS, type SignInMethod, type SignInOrigin } from '../api/sign-ins.ts';
import { defineEvent } from './define.ts';

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
