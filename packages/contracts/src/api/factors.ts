import Joi from 'joi';
import { FACTOR_REASON_MAX, PASSKEY_NAME_MAX } from '../limits.ts';
import * as rule from '../schemas/validation.ts';
import type { None } from './endpoint.ts';
import { addressesOf, forSessions, operationsOf, toAdmins, toSessions } from './operation.ts';

/** The options of a WebAuthn ceremony, as the browser takes them. */
export type PasskeyOptions = Record<string, unknown>;

export const passkeyOptions = rule.ofType<PasskeyOptions>(Joi.object().unknown().required());

const CODE = 'Please enter the six digits from your authenticator app';
const RECOVERY_CODE = 'Please enter one of your recovery codes';

/** A code of an authenticator app; apps show it in two groups. */
export const totpCode = rule.typedCode(/^\d{6}$/).messages(rule.oneMessage(CODE));

/** A recovery code, with or without its hyphen, in either case. */
export const recoveryCode = rule
  .typedCode(/^[a-z0-9]{10}$/)
  .lowercase()
  .messages(rule.oneMessage(RECOVERY_CODE));

const passkeyName = rule.line(
  { required: 'Please enter a name for this passkey' },
  { max: PASSKEY_NAME_MAX },
);

export const factorReason = rule.line({ required: 'Please enter a reason' }, { max: FACTOR_REASON_MAX });

const base64url = (max: number) =>
  Joi.string()
    .max(max)
    .pattern(/^[A-Za-z0-9_-]+$/);

/** A credential id has at most 1,023 bytes. */
const credentialId = base64url(1_364).required();

/** The JSON that a browser has signed: a challenge, an origin, and what later versions of WebAuthn add. */
const clientDataJSON = base64url(2_000).required();

/** There are no more transports than browsers have names for. */
const transports = rule.ofType<string[]>(
  Joi.array()
    .items(Joi.string().pattern(/^[a-z-]{1,20}$/))
    .max(8),
);

/** The results of extensions. Only their number is checked; then they are dropped. */
const extensionResults = rule.ofType<None>(
  Joi.object().pattern(Joi.string().max(64), Joi.any().strip()).max(16).required(),
);

const credential = <const Response extends rule.Members>(response: Response) =>
  rule.view({
    id: credentialId,
    rawId: credentialId,
    type: rule.oneOf(['public-key']),
    response: rule.view(response),
    clientExtensionResults: extensionResults,
    authenticatorAttachment: rule.mayLack(rule.nullable(rule.oneOf(['platform', 'cross-platform']))),
  });

/** The largest bodies with a registration and with an assertion, by the limits of their schemas. */
export const REGISTRATION_BYTES = 15 * 1024;
export const ASSERTION_BYTES = 9 * 1024;

/** A new passkey from a browser, which identity verifies. The largest have 3 KB, or more with an unrequested device certificate. */
export const passkeyRegistration = credential({
  clientDataJSON,
  attestationObject: base64url(6_000).required(),
  transports: rule.mayLack(transports),
  authenticatorData: rule.mayLack(base64url(2_000)),
  publicKey: rule.mayLack(base64url(1_400)),
  publicKeyAlgorithm: rule.mayLack(Joi.number().integer()),
});
export type PasskeyRegistration = rule.TypeOf<typeof passkeyRegistration>;

/** A challenge that a passkey has signed. The signature of the largest stored key has 1,023 bytes; a user handle has 64. */
export const passkeyAssertion = credential({
  clientDataJSON,
  authenticatorData: base64url(2_000).required(),
  signature: base64url(1_364).required(),
  userHandle: rule.mayLack(rule.nullable(base64url(86).allow(''))),
});
export type PasskeyAssertion = rule.TypeOf<typeof passkeyAssertion>;
export type PasskeyResponse = PasskeyRegistration | PasskeyAssertion;

const challenge = base64url(64).required();
const origin = Joi.string()
  .uri({ scheme: ['http', 'https'] })
  .max(300)
  .required();

/** A response, the challenge that it must contain, and the origin of the pages. */
export type PasskeyCeremony<Response extends PasskeyResponse = PasskeyAssertion> = {
  response: Response;
  challenge: string;
  origin: string;
};
const ceremony = <Response extends PasskeyResponse>(response: rule.Typed<Response>) =>
  rule.ofType<PasskeyCeremony<Response>>(Joi.object({ response, challenge, origin }).required());

const registrationCeremony = ceremony(passkeyRegistration);
export const assertionCeremony = ceremony(passkeyAssertion);

/** The ways to prove possession: codes of an authenticator app (RFC 6238), and passkeys (WebAuthn). */
export const FACTORS = ['totp', 'passkey'] as const;
export type Factor = (typeof FACTORS)[number];
const passkeyView = rule.view({
  id: rule.uuid,
  name: rule.text,
  createdAt: rule.time,
  lastUsedAt: rule.nullable(rule.time),
});
export type PasskeyView = rule.TypeOf<typeof passkeyView>;
const factorsView = rule.view({
  /** Null while two-step verification is off. */
  totpSince: rule.nullable(rule.time),
  recoveryCodes: rule.view({ left: rule.count, total: rule.count }),
  passkeys: rule.listOf(passkeyView),
});
export type FactorsView = rule.TypeOf<typeof factorsView>;

/** The factors of an account, for a log-in. `fingerprint` changes with each factor, the password and the generation of the account. */
export const accountFactors = rule.view({
  totp: rule.flag,
  recoveryCodes: rule.count,
  passkeys: rule.count,
  fingerprint: rule.text,
});
export type AccountFactors = rule.TypeOf<typeof accountFactors>;

/** Also for an admin who must set one up first. */
const setUp = { recent: true, beforeSecondFactor: true } as const;
const recoveryCodes = { data: rule.view({ recoveryCodes: rule.listOf(rule.text) }) };
const operation = operationsOf('identity');
/** An account manages its own. */
const byOwner = operationsOf('identity', { roles: ['user', 'admin'], self: 'userId', selfOnly: true });

export const factorEndpoints = {
  getFactors: operation('GET /accounts/:userId/factors', {
    roles: ['user', 'admin'],
    self: 'userId',
    reply: { data: factorsView },
    public: {
      factors: toSessions('/api/factors', { whileViewing: true, beforeSecondFactor: true }),
      userFactors: toAdmins('/api/users/:userId/factors', { permission: 'users.read' }),
    },
  }),
  /** Creates a secret, which takes effect once `confirmTotp` receives a code of it. */
  startTotp: byOwner('POST /accounts/:userId/totp', {
    reply: { data: rule.view({ secret: rule.text, email: rule.text }) },
    public: { startTotp: toSessions('/api/factors/totp', setUp) },
  }),
  confirmTotp: byOwner('POST /accounts/:userId/totp/confirm', {
    input: { code: totpCode },
    reply: recoveryCodes,
    public: { confirmTotp: toSessions('/api/factors/totp/confirm', setUp) },
  }),
  removeTotp: byOwner('DELETE /accounts/:userId/totp', {
    reply: rule.noData,
    public: { removeTotp: toSessions('/api/factors/totp', setUp) },
  }),
  renewRecoveryCodes: byOwner('POST /accounts/:userId/recovery-codes', {
    reply: recoveryCodes,
    public: { renewRecoveryCodes: toSessions('/api/factors/recovery-codes', setUp) },
  }),
  passkeyOptions: byOwner('POST /accounts/:userId/passkeys/options', {
    input: { challenge, origin, brand: Joi.string().max(200).required() },
    reply: { data: passkeyOptions },
  }),
  addPasskey: byOwner('POST /accounts/:userId/passkeys', {
    input: { passkey: registrationCeremony, name: passkeyName },
    reply: { data: passkeyView },
  }),
  renamePasskey: byOwner('PUT /accounts/:userId/passkeys/:passkeyId', {
    input: { name: passkeyName },
    reply: { data: passkeyView },
    public: { renamePasskey: toSessions('/api/factors/passkeys/:passkeyId') },
  }),
  removePasskey: byOwner('DELETE /accounts/:userId/passkeys/:passkeyId', {
    reply: rule.noData,
    public: { removePasskey: toSessions('/api/factors/passkeys/:passkeyId', setUp) },
  }),
  /** The passkeys that a browser may offer for this account. */
  listCredentials: operation('GET /accounts/:userId/credentials', {
    roles: ['service'],
    reply: {
      data: rule.view({
        factors: accountFactors,
        credentials: rule.listOf(rule.view({ id: rule.text, transports: rule.listOf(rule.text) })),
      }),
    },
  }),
  /** For a user who has lost every factor: an admin removes them, giving a reason that the user can read. */
  removeFactors: operation('POST /accounts/:userId/factors/remove', {
    roles: ['admin'],
    input: { reason: factorReason },
    reply: rule.noData,
    public: {
      removeUserFactors: toAdmins('/api/users/:userId/factors/remove', {
        permission: 'factors.remove',
        recent: true,
      }),
    },
  }),
} as const;

export const publicFactorEndpoints = {
  ...addressesOf(factorEndpoints),
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
