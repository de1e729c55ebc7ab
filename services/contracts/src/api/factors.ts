import Joi from 'joi';
import {
  assertionCeremony,
  challenge,
  factorReason,
  origin,
  type PasskeyCeremony,
  passkeyName,
  type PasskeyRegistration,
  recoveryCode,
  registrationCeremony,
  totpCode,
} from '../schemas/factors.ts';
import { loginPassword } from '../schemas/password.ts';
import { count, listOf, nullableTime, text, time, uuid, view } from '../schemas/parts.ts';
import type { AccountFactors, ProvenAccount, Role } from './identity.ts';
import { serviceEndpoint } from './service-endpoint.ts';

const passkeyId = uuid;
/** The rules of a new name, also in the public API. */
export const passkeyRename = { passkeyId, name: passkeyName };
const proof = Joi.object<IdentityProof>({
  password: loginPassword.optional(),
  code: totpCode.optional(),
  recoveryCode: recoveryCode.optional(),
  passkey: assertionCeremony.optional(),
})
  .xor('password', 'code', 'recoveryCode', 'passkey')
  .required();

/** The ways to prove possession: codes of an authenticator app (RFC 6238), and passkeys (WebAuthn). */
export type Factor = 'totp' | 'passkey';
export type SecondFactorMethod = 'totp' | 'recovery' | 'passkey';
export type PasskeyView = { id: string; name: string; createdAt: string; lastUsedAt: string | null };
export type FactorsView = {
  /** Null while two-step verification is off. */
  totpSince: string | null;
  recoveryCodes: { left: number; total: number };
  passkeys: PasskeyView[];
};

export const passkeyView = view<PasskeyView>({
  id: uuid,
  name: text,
  createdAt: time,
  lastUsedAt: nullableTime,
});
export const factorsView = view<FactorsView>({
  totpSince: nullableTime,
  recoveryCodes: view<FactorsView['recoveryCodes']>({ left: count, total: count }),
  passkeys: listOf(passkeyView),
});

/** The options of a WebAuthn ceremony, as the browser takes them. */
export type PasskeyOptions = Record<string, unknown>;
/** What a user presents to prove who they are. */
export type IdentityProof =
  { password: string } | { code: string } | { recoveryCode: string } | { passkey: PasskeyCeremony };
export type ProvenIdentity = ProvenAccount & { factors: AccountFactors };
type OfUser<Input = Record<never, never>> = { userId: string } & Input;
type Message = { message: string };

/** identity's endpoints about factors. Except for `prove` and `removeFactors`, an account manages its own. */
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
  /** Verifies one proof of an account. */
  prove: serviceEndpoint<OfUser<{ proof: IdentityProof }>, { data: ProvenIdentity }>({
    method: 'POST',
    path: '/accounts/:userId/prove',
    roles: ['service'],
    input: { userId: uuid, proof: proof as unknown as Joi.AlternativesSchema },
  }),
  /** The account of a passkey, which the authenticator has verified its user for. */
  logInWithPasskey: serviceEndpoint<{ passkey: PasskeyCeremony; role: Role }, { data: ProvenIdentity }>({
    method: 'POST',
    path: '/credentials/passkey',
    roles: ['anonymous'],
    input: { passkey: assertionCeremony, role: Joi.string().valid('user', 'admin').required() },
  }),
  /** Support for a user who has lost every factor: an admin removes them, for a reason that the user reads. */
  removeFactors: serviceEndpoint<OfUser<{ reason: string }>, Message>({
    method: 'POST',
    path: '/accounts/:userId/factors/remove',
    roles: ['admin'],
    input: { userId: uuid, reason: factorReason },
  }),
} as const;
