import Joi from 'joi';
import {
  challenge,
  factorReason,
  origin,
  passkeyName,
  passkeyOptions,
  passkeyRegistration,
  REGISTRATION_BYTES,
  registrationCeremony,
  totpCode,
} from '../schemas/factors.ts';
import {
  count,
  listOf,
  message,
  nullable,
  ofText,
  text,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/typed.ts';
import { accountFactors } from './log-in.ts';
import { forSessions, operationsOf, toAdmins, toSessions } from './operation.ts';

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

const ofUser = { userId: uuid };
/** An account manages its own. */
const own = { roles: ['user', 'admin'], self: 'userId', selfOnly: true } as const;
/** Also for an admin who has to set one up first. */
const setUp = { recent: true, beforeSecondFactor: true } as const;
const recoveryCodes = { data: view({ recoveryCodes: listOf(text) }) };
const operation = operationsOf('identity');

/** identity's operations about factors. */
export const factorEndpoints = {
  getFactors: operation('GET /accounts/:userId/factors', {
    roles: ['user', 'admin'],
    self: 'userId',
    input: ofUser,
    reply: { data: factorsView },
    public: {
      factors: toSessions('/api/factors', { whileViewing: true, beforeSecondFactor: true }),
      userFactors: toAdmins('/api/users/:userId/factors', { permission: 'users.read' }),
    },
  }),
  /** Creates a secret that counts once `confirmTotp` has seen a code of it. */
  startTotp: operation('POST /accounts/:userId/totp', {
    ...own,
    input: ofUser,
    reply: { data: view({ secret: text, email: text }) },
    public: { startTotp: toSessions('/api/factors/totp', { ...setUp }) },
  }),
  confirmTotp: operation('POST /accounts/:userId/totp/confirm', {
    ...own,
    input: { ...ofUser, code: totpCode },
    reply: recoveryCodes,
    public: { confirmTotp: toSessions('/api/factors/totp/confirm', { ...setUp }) },
  }),
  removeTotp: operation('DELETE /accounts/:userId/totp', {
    ...own,
    input: ofUser,
    reply: { message },
    public: { removeTotp: toSessions('/api/factors/totp', { ...setUp }) },
  }),
  renewRecoveryCodes: operation('POST /accounts/:userId/recovery-codes', {
    ...own,
    input: ofUser,
    reply: recoveryCodes,
    public: { renewRecoveryCodes: toSessions('/api/factors/recovery-codes', { ...setUp }) },
  }),
  passkeyOptions: operation('POST /accounts/:userId/passkeys/options', {
    ...own,
    input: { ...ofUser, challenge, origin, brand: ofText(Joi.string().max(200).required()) },
    reply: { data: passkeyOptions },
  }),
  addPasskey: operation('POST /accounts/:userId/passkeys', {
    ...own,
    input: { ...ofUser, passkey: registrationCeremony, name: passkeyName },
    reply: { data: passkeyView },
  }),
  renamePasskey: operation('PUT /accounts/:userId/passkeys/:passkeyId', {
    ...own,
    input: { ...ofUser, passkeyId: uuid, name: passkeyName },
    reply: { data: passkeyView },
    public: { renamePasskey: toSessions('/api/factors/passkeys/:passkeyId') },
  }),
  removePasskey: operation('DELETE /accounts/:userId/passkeys/:passkeyId', {
    ...own,
    input: { ...ofUser, passkeyId: uuid },
    reply: { message },
    public: { removePasskey: toSessions('/api/factors/passkeys/:passkeyId', { ...setUp }) },
  }),
  /** The passkeys that a browser may offer for this account, with what the log-in needs to know. */
  listCredentials: operation('GET /accounts/:userId/credentials', {
    roles: ['service'],
    input: ofUser,
    reply: {
      data: view({
        factors: accountFactors,
        credentials: listOf(view({ id: text, transports: listOf(text) })),
      }),
    },
  }),
  /** Support for a user who has lost every factor: an admin removes them, for a reason that the user reads. */
  removeFactors: operation('POST /accounts/:userId/factors/remove', {
    roles: ['admin'],
    input: { ...ofUser, reason: factorReason },
    reply: { message },
    public: {
      removeUserFactors: toAdmins('/api/users/:userId/factors/remove', {
        permission: 'factors.remove',
        recent: true,
      }),
    },
  }),
} as const;

/** What bff composes of the factors of an account. */
export const publicFactorEndpoints = {
  passkeyOptions: forSessions('POST /api/factors/passkeys/options', {
    ...setUp,
    reply: { data: passkeyOptions },
  }),
  addPasskey: forSessions('POST /api/factors/passkeys', {
    ...setUp,
    bodyBytes: REGISTRATION_BYTES,
    input: { passkey: passkeyRegistration, name: passkeyName },
    reply: { data: passkeyView },
  }),
} as const;
