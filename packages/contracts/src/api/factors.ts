import Joi from 'joi';
import {
  challenge,
  factorReason,
  origin,
  type PasskeyCeremony,
  passkeyName,
  type PasskeyOptions,
  passkeyOptions,
  type PasskeyRegistration,
  passkeyRegistration,
  REGISTRATION_BYTES,
  registrationCeremony,
  totpCode,
} from '../schemas/factors.ts';
import {
  count,
  listOf,
  type Message,
  message,
  nullable,
  text,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/typed.ts';

import type { AccountFactors } from './log-in.ts';
import { forAdmins, forSessions } from './public-endpoint.ts';
import { type None, serviceEndpoint } from './service-endpoint.ts';

const passkeyId = uuid;
/** The rules of a new name. */
const passkeyRename = { passkeyId, name: passkeyName };

/** The ways to prove possession: codes of an authenticator app (RFC 6238), and passkeys (WebAuthn). */
export const FACTORS = ['totp', 'passkey'] as const;
export type Factor = (typeof FACTORS)[number];
const passkeyView = view({
  id: uuid,
  name: text,
  createdAt: time,
  lastUsedAt: nullable(time),
});
export type PasskeyView = TypeOf<typeof passkeyView>;
const factorsView = view({
  /** Null while two-step verification is off. */
  totpSince: nullable(time),
  recoveryCodes: view({ left: count, total: count }),
  passkeys: listOf(passkeyView),
});
export type FactorsView = TypeOf<typeof factorsView>;

type OfUser<Input = None> = { userId: string } & Input;

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

const recoveryCodes = Joi.object({ recoveryCodes: listOf(text) }).required();

/** The endpoints of the factors of an account. */
export const publicFactorEndpoints = {
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
