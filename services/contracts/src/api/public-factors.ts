import Joi from 'joi';
import type { AdminRole } from '../admin-permissions.ts';
import { adminRole } from './team.ts';
import {
  ASSERTION_BYTES,
  factorReason,
  type PasskeyAssertion,
  passkeyAssertion,
  passkeyName,
  type PasskeyRegistration,
  passkeyRegistration,
  recoveryCode,
  REGISTRATION_BYTES,
  totpCode,
} from '../schemas/factors.ts';
import { loginPassword } from '../schemas/password.ts';
import { count, listOf, message, oneOf, text, time, uuid, view } from '../schemas/parts.ts';
import { subscriptionView, type SubscriptionView } from './billing.ts';
import {
  type FactorsView,
  factorsView,
  type PasskeyOptions,
  passkeyRename,
  type PasskeyView,
  passkeyView,
  type SecondFactorMethod,
} from './factors.ts';
import type { Role } from './identity.ts';
import { forAdmins, forEverybody, forSessions } from './public-endpoint.ts';
import { userView, type UserView } from './profile.ts';

const ticketSchema = Joi.string()
  .pattern(/^[A-Za-z0-9_-]{43}$/)
  .required();

type None = Record<never, never>;
type Message = { message: string };

/** What the second step of a log-in takes: the ticket from the first, and one of the methods. */
export type SecondStep = { ticket: string; methods: SecondFactorMethod[] };
export type SecondStepReply = { message: 'second factor'; data: SecondStep };
/**
 * A user's session. `subscription`: a payment for it is in trouble, about which the first page shows a bar. `deletionDueAt`: the account is
 * about to be deleted, and the session may only keep it.
 */
export type CheckedUser = {
  remainingTime: number;
  user: UserView;
  subscription?: SubscriptionView;
  deletionDueAt?: string;
};
export type UserLogIn = { message: 'login'; data: CheckedUser & { token: string } };
/** `needsSecondFactor`: the session may only set up a second factor. */
export type AdminLogIn = {
  message: 'login success';
  credentials: { token: string; expiresIn: number };
  role: AdminRole;
  needsSecondFactor?: boolean;
};
export type LogInReply = UserLogIn | AdminLogIn;
export type SecondFactorProof = { code: string } | { recoveryCode: string } | { passkey: PasskeyAssertion };
/** `remember`: this device skips the second step for TRUSTED_DEVICE_DAYS. */
export type SecondFactorInput = { ticket: string; remember?: boolean } & SecondFactorProof;
export type ReauthenticationMethod = 'password' | SecondFactorMethod;
export type ReauthenticationInput = { password: string } | SecondFactorProof;
/** `passkey`: the options of a passkey prompt, where the account has one. */
export type ReauthenticationView = { methods: ReauthenticationMethod[]; passkey: PasskeyOptions | null };

/** What a browser's WebAuthn takes, as it is. */
const passkeyOptions = Joi.object().unknown().required();
const methods = ['totp', 'recovery', 'passkey'] as const;
const secondStep = view<SecondStep>({ ticket: text, methods: listOf(oneOf(methods)) });
const reauthenticationView = view<ReauthenticationView>({
  methods: listOf(oneOf(['password', ...methods])),
  passkey: passkeyOptions.allow(null),
});
const recoveryCodes = Joi.object({ recoveryCodes: listOf(text) }).required();
export const checkedUser = {
  remainingTime: count,
  user: userView,
  subscription: subscriptionView.optional(),
  deletionDueAt: time.optional(),
};
export const begunUserSession = Joi.object({ token: text, ...checkedUser });
const userLogIn = Joi.object({
  message: Joi.valid('login').required(),
  data: begunUserSession.required(),
});
const adminLogIn = Joi.object({
  message: Joi.valid('login success').required(),
  credentials: Joi.object({ token: text, expiresIn: count }).required(),
  role: adminRole,
  needsSecondFactor: Joi.boolean(),
});
const secondStepReply = Joi.object({ message: Joi.valid('second factor').required(), data: secondStep });
const logIn = Joi.alternatives(userLogIn, adminLogIn);
export const userLogInReply = Joi.alternatives(userLogIn, secondStepReply);
export const adminLogInReply = Joi.alternatives(adminLogIn, secondStepReply);

/** The endpoints about log-in with more than a password. */
export const publicFactorEndpoints = {
  secondFactor: forEverybody<SecondFactorInput, LogInReply>({
    method: 'POST',
    path: '/api/login/second-factor',
    beforeSecondFactor: true,
    bodyBytes: ASSERTION_BYTES,
    input: Joi.object({
      ticket: ticketSchema,
      remember: Joi.boolean(),
      code: totpCode.optional(),
      recoveryCode: recoveryCode.optional(),
      passkey: passkeyAssertion.optional(),
    }).xor('code', 'recoveryCode', 'passkey'),
    reply: logIn,
  }),
  secondFactorPasskey: forEverybody<{ ticket: string }, { data: PasskeyOptions }>({
    method: 'POST',
    path: '/api/login/second-factor/passkey',
    beforeSecondFactor: true,
    input: { ticket: ticketSchema },
    reply: { data: passkeyOptions },
  }),
  passkeyLogInOptions: forEverybody<None, { data: PasskeyOptions }>({
    method: 'POST',
    path: '/api/login/passkey/options',
    beforeSecondFactor: true,
    reply: { data: passkeyOptions },
  }),
  passkeyLogIn: forEverybody<{ passkey: PasskeyAssertion; role: Role }, LogInReply>({
    method: 'POST',
    path: '/api/login/passkey',
    beforeSecondFactor: true,
    bodyBytes: ASSERTION_BYTES,
    input: { passkey: passkeyAssertion, role: Joi.string().valid('user', 'admin').required() },
    reply: logIn,
  }),
  /** How the caller can prove again who they are. A POST, because it creates the challenge of a passkey. */
  reauthentication: forSessions<None, { data: ReauthenticationView }>({
    method: 'POST',
    path: '/api/session/reauthentication',
    beforeSecondFactor: true,
    reply: { data: reauthenticationView },
  }),
  reauthenticate: forSessions<ReauthenticationInput, Message>({
    method: 'POST',
    path: '/api/session/reauthenticate',
    beforeSecondFactor: true,
    bodyBytes: ASSERTION_BYTES,
    input: Joi.object({
      password: loginPassword.optional(),
      code: totpCode.optional(),
      recoveryCode: recoveryCode.optional(),
      passkey: passkeyAssertion.optional(),
    }).xor('password', 'code', 'recoveryCode', 'passkey'),
    reply: { message },
  }),
  factors: forSessions<None, { data: FactorsView }>({
    method: 'GET',
    path: '/api/factors',
    whileViewing: true,
    beforeSecondFactor: true,
    reply: { data: factorsView },
  }),
  startTotp: forSessions<None, { data: { secret: string; email: string } }>({
    method: 'POST',
    path: '/api/factors/totp',
    recent: true,
    beforeSecondFactor: true,
    reply: { data: Joi.object({ secret: text, email: text }).required() },
  }),
  confirmTotp: forSessions<{ code: string }, { data: { recoveryCodes: string[] } }>({
    method: 'POST',
    path: '/api/factors/totp/confirm',
    recent: true,
    beforeSecondFactor: true,
    input: { code: totpCode },
    reply: { data: recoveryCodes },
  }),
  removeTotp: forSessions<None, Message>({
    method: 'DELETE',
    path: '/api/factors/totp',
    recent: true,
    beforeSecondFactor: true,
    reply: { message },
  }),
  renewRecoveryCodes: forSessions<None, { data: { recoveryCodes: string[] } }>({
    method: 'POST',
    path: '/api/factors/recovery-codes',
    recent: true,
    beforeSecondFactor: true,
    reply: { data: recoveryCodes },
  }),
  passkeyOptions: forSessions<None, { data: PasskeyOptions }>({
    method: 'POST',
    path: '/api/factors/passkeys/options',
    recent: true,
    beforeSecondFactor: true,
    reply: { data: passkeyOptions },
  }),
  addPasskey: forSessions<{ passkey: PasskeyRegistration; name: string }, { data: PasskeyView }>({
    method: 'POST',
    path: '/api/factors/passkeys',
    recent: true,
    beforeSecondFactor: true,
    bodyBytes: REGISTRATION_BYTES,
    input: { passkey: passkeyRegistration, name: passkeyName },
    reply: { data: passkeyView },
  }),
  renamePasskey: forSessions<{ passkeyId: string; name: string }, { data: PasskeyView }>({
    method: 'PUT',
    path: '/api/factors/passkeys/:passkeyId',
    input: passkeyRename,
    reply: { data: passkeyView },
  }),
  removePasskey: forSessions<{ passkeyId: string }, Message>({
    method: 'DELETE',
    path: '/api/factors/passkeys/:passkeyId',
    recent: true,
    beforeSecondFactor: true,
    input: { passkeyId: uuid },
    reply: { message },
  }),
  userFactors: forAdmins<{ userId: string }, { data: FactorsView }>({
    method: 'GET',
    path: '/api/users/:userId/factors',
    permission: 'users.read',
    input: { userId: uuid },
    reply: { data: factorsView },
  }),
  removeUserFactors: forAdmins<{ userId: string; reason: string }, Message>({
    method: 'POST',
    path: '/api/users/:userId/factors/remove',
    permission: 'factors.remove',
    recent: true,
    input: { userId: uuid, reason: factorReason },
    reply: { message },
  }),
} as const;
