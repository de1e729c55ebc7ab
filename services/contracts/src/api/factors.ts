import Joi from 'joi';
import {
  ASSERTION_BYTES,
  challenge,
  factorReason,
  origin,
  type PasskeyAssertion,
  passkeyAssertion,
  type PasskeyCeremony,
  passkeyName,
  type PasskeyRegistration,
  passkeyRegistration,
  recoveryCode,
  REGISTRATION_BYTES,
  registrationCeremony,
  totpCode,
} from '../schemas/factors.ts';
import { loginPassword } from '../schemas/password.ts';
import { count, listOf, message, nullableTime, oneOf, text, time, uuid, view } from '../schemas/parts.ts';
import { forAdmins, forSessions } from './public-endpoint.ts';
import { serviceEndpoint } from './service-endpoint.ts';

const passkeyId = uuid;
/** The rules of a new name. */
const passkeyRename = { passkeyId, name: passkeyName };

/** The ways to prove possession: codes of an authenticator app (RFC 6238), and passkeys (WebAuthn). */
export type Factor = 'totp' | 'passkey';
export const SECOND_FACTOR_METHODS = ['totp', 'recovery', 'passkey'] as const;
export type SecondFactorMethod = (typeof SECOND_FACTOR_METHODS)[number];
/** The factors of an account, for a log-in. `fingerprint` changes with each factor, the password and the generation of the account. */
export type AccountFactors = { totp: boolean; recoveryCodes: number; passkeys: number; fingerprint: string };
export type PasskeyView = { id: string; name: string; createdAt: string; lastUsedAt: string | null };
export type FactorsView = {
  /** Null while two-step verification is off. */
  totpSince: string | null;
  recoveryCodes: { left: number; total: number };
  passkeys: PasskeyView[];
};

const passkeyView = view<PasskeyView>({
  id: uuid,
  name: text,
  createdAt: time,
  lastUsedAt: nullableTime,
});
const factorsView = view<FactorsView>({
  totpSince: nullableTime,
  recoveryCodes: view<FactorsView['recoveryCodes']>({ left: count, total: count }),
  passkeys: listOf(passkeyView),
});

/** The options of a WebAuthn ceremony, as the browser takes them. */
export type PasskeyOptions = Record<string, unknown>;
type OfUser<Input = Record<never, never>> = { userId: string } & Input;
type None = Record<never, never>;
type Message = { message: string };

/** identity's endpoints about factors. Except for `removeFactors`, an account manages its own. */
export const factorEndpoints = {
  getFactors: serviceEndpoint<OfUser, { data: FactorsView }>({
    method: 'GET',
    path: '/accounts/:userId/factors',
    roles: ['user', 'admin'],
    self: 'userId',
    input: { userId: uuid },
  }),
  /** Creates a secret that counts once `confirmTotp` has seen a code of it. */
  startTotp: serviceEndpoint<OfUser, { data: { secret: string; email: string } }>({
    method: 'POST',
    path: '/accounts/:userId/totp',
    roles: ['user', 'admin'],
    self: 'userId',
    selfOnly: true,
    input: { userId: uuid },
  }),
  confirmTotp: serviceEndpoint<OfUser<{ code: string }>, { data: { recoveryCodes: string[] } }>({
    method: 'POST',
    path: '/accounts/:userId/totp/confirm',
    roles: ['user', 'admin'],
    self: 'userId',
    selfOnly: true,
    input: { userId: uuid, code: totpCode },
  }),
  removeTotp: serviceEndpoint<OfUser, Message>({
    method: 'DELETE',
    path: '/accounts/:userId/totp',
    roles: ['user', 'admin'],
    self: 'userId',
    selfOnly: true,
    input: { userId: uuid },
  }),
  renewRecoveryCodes: serviceEndpoint<OfUser, { data: { recoveryCodes: string[] } }>({
    method: 'POST',
    path: '/accounts/:userId/recovery-codes',
    roles: ['user', 'admin'],
    self: 'userId',
    selfOnly: true,
    input: { userId: uuid },
  }),
  passkeyOptions: serviceEndpoint<
    OfUser<{ challenge: string; origin: string; brand: string }>,
    { data: PasskeyOptions }
  >({
    method: 'POST',
    path: '/accounts/:userId/passkeys/options',
    roles: ['user', 'admin'],
    self: 'userId',
    selfOnly: true,
    input: { userId: uuid, challenge, origin, brand: Joi.string().max(200).required() },
  }),
  addPasskey: serviceEndpoint<
    OfUser<{ passkey: PasskeyCeremony<PasskeyRegistration>; name: string }>,
    { data: PasskeyView }
  >({
    method: 'POST',
    path: '/accounts/:userId/passkeys',
    roles: ['user', 'admin'],
    self: 'userId',
    selfOnly: true,
    input: { userId: uuid, passkey: registrationCeremony, name: passkeyName },
  }),
  renamePasskey: serviceEndpoint<OfUser<{ passkeyId: string; name: string }>, { data: PasskeyView }>({
    method: 'PUT',
    path: '/accounts/:userId/passkeys/:passkeyId',
    roles: ['user', 'admin'],
    self: 'userId',
    selfOnly: true,
    input: { userId: uuid, ...passkeyRename },
  }),
  removePasskey: serviceEndpoint<OfUser<{ passkeyId: string }>, Message>({
    method: 'DELETE',
    path: '/accounts/:userId/passkeys/:passkeyId',
    roles: ['user', 'admin'],
    self: 'userId',
    selfOnly: true,
    input: { userId: uuid, passkeyId },
  }),
  /** The passkeys that a browser may offer for this account, with what the log-in needs to know. */
  listCredentials: serviceEndpoint<
    OfUser,
    { data: { factors: AccountFactors; credentials: { id: string; transports: string[] }[] } }
  >({ method: 'GET', path: '/accounts/:userId/credentials', roles: ['service'], input: { userId: uuid } }),
  /** Support for a user who has lost every factor: an admin removes them, for a reason that the user reads. */
  removeFactors: serviceEndpoint<OfUser<{ reason: string }>, Message>({
    method: 'POST',
    path: '/accounts/:userId/factors/remove',
    roles: ['admin'],
    input: { userId: uuid, reason: factorReason },
  }),
} as const;

export type SecondFactorProof = { code: string } | { recoveryCode: string } | { passkey: PasskeyAssertion };
export type ReauthenticationMethod = 'password' | SecondFactorMethod;
export type ReauthenticationInput = { password: string } | SecondFactorProof;
/** `passkey`: the options of a passkey prompt, where the account has one. */
export type ReauthenticationView = { methods: ReauthenticationMethod[]; passkey: PasskeyOptions | null };

/** What a browser's WebAuthn takes, as it is. */
export const passkeyOptions = Joi.object().unknown().required();
const reauthenticationView = view<ReauthenticationView>({
  methods: listOf(oneOf(['password', ...SECOND_FACTOR_METHODS])),
  passkey: passkeyOptions.allow(null),
});
const recoveryCodes = Joi.object({ recoveryCodes: listOf(text) }).required();

/** The endpoints of the factors of an account, and of a proof again of who the caller is. */
export const publicFactorEndpoints = {
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
