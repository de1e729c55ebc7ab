// The keys by which tools act for a user at the API for tools (`v1.ts`).
import Joi from 'joi';
import { API_KEY_NAME_MAX } from '../limits.ts';
import { factorReason } from '../schemas/factors.ts';
import {
  listOf,
  mayLack,
  message,
  nullable,
  ofNumber,
  ofText,
  oneOf,
  type Shape,
  text,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/typed.ts';
import { line, someOf } from '../schemas/validation.ts';
import { forUsers, operationsOf, toUsers } from './operation.ts';

/** What a tool may do for its user. */
export const SCOPES = ['credits:read', 'credits:charge', 'profile:read'] as const;
export type Scope = (typeof SCOPES)[number];

const scopes = someOf(SCOPES, 'Choose what the key may do');
const apiKey = view({
  id: uuid,
  name: text,
  scopes: listOf(oneOf(SCOPES)),
  /** The beginning of the key and its last four characters, by which its user recognizes it. */
  hint: text,
  createdAt: time,
  /** Null for a key that does not expire. */
  expiresAt: nullable(time),
  /** A revoked key stays for the names in the history of credits. */
  revokedAt: nullable(time),
  /** The last day (YYYY-MM-DD in UTC) on which the key was used, and the network from which; null before its first use. */
  lastUsed: nullable(view({ day: text, network: text })),
});
export type ApiKey = TypeOf<typeof apiKey>;

const ADDRESS = /\S@\S+\.\S/;

/** `expiresInDays`: null for a key that does not expire. */
const newKey = {
  // Its mails and the audit log show the name: an address in it would be personal data of somebody.
  name: line({ required: 'Please enter a name' }, { max: API_KEY_NAME_MAX })
    .custom((name: string, helpers) => (ADDRESS.test(name) ? helpers.error('name.address') : name))
    .messages({ 'name.address': 'Please choose a name that is not an email address' }),
  scopes,
  expiresInDays: nullable(ofNumber(Joi.number().integer().min(1).max(366).required())),
};
export type ApiKeyInput = Shape<typeof newKey>;

/** The SHA-256 of a key or of an access token in base64url, which identity stores in its place. */
export const keyHash = ofText(
  Joi.string()
    .pattern(/^[A-Za-z0-9_-]{43}$/)
    .required(),
);

/** The day and the network of a use. */
export const keyUse = {
  day: ofText(
    Joi.string()
      .pattern(/^\d{4}-\d\d-\d\d$/)
      .required(),
  ),
  network: ofText(Joi.string().max(50).allow('').required()),
};

/** Whose key it is, and what it may do now. `deletion`: the account is about to be deleted, and the key may do nothing. */
export const keyOwner = {
  id: uuid,
  userId: uuid,
  scopes: listOf(oneOf(SCOPES)),
  expiresAt: nullable(time),
  restriction: nullable(oneOf(['deletion'])),
};
export type KeyOwner = Shape<typeof keyOwner>;

const ofUser = { userId: uuid };
const operation = operationsOf('identity');

export const apiKeyEndpoints = {
  /** Also those that are revoked or expired, the newest first. */
  listApiKeys: operation('GET /accounts/:userId/api-keys', {
    roles: ['user'],
    self: 'userId',
    input: ofUser,
    reply: { data: listOf(apiKey) },
    public: { listApiKeys: toUsers('/api/api-keys', { whileViewing: true }) },
  }),
  /** Throws `identity.api_keys_full` beyond API_KEYS_MAX keys that work. */
  createApiKey: operation('POST /accounts/:userId/api-keys', {
    roles: ['user'],
    self: 'userId',
    status: 201,
    input: { ...ofUser, ...newKey, hash: keyHash, hint: ofText(Joi.string().max(20).required()) },
    reply: { data: apiKey },
  }),
  /** Throws `identity.api_key_not_found` for a key of somebody else. A repeated revocation changes nothing. `reason`: of an admin. */
  revokeApiKey: operation('DELETE /accounts/:userId/api-keys/:keyId', {
    roles: ['user', 'admin'],
    self: 'userId',
    input: { ...ofUser, keyId: uuid, reason: mayLack(factorReason) },
    reply: { message },
  }),
  /**
   * Throws `identity.api_key_not_found` for a key that does not exist, is revoked or has expired. The hash is in the query, which no log
   * has.
   */
  findKeyOwner: operation('GET /api-keys/owner', {
    roles: ['service'],
    input: { hash: keyHash },
    reply: { data: view(keyOwner) },
  }),
  /** Records the day and the network of a key's last use. */
  recordKeyUse: operation('POST /api-keys/:keyId/use', {
    roles: ['service'],
    input: { keyId: uuid, ...keyUse },
    reply: { message },
  }),
} as const;

export const publicApiKeyEndpoints = {
  /** The reply has the key itself, which cannot be read again. Throws `identity.email_unverified` where REQUIRE_VERIFIED_EMAIL says so. */
  createApiKey: forUsers('POST /api/api-keys', {
    recent: true,
    status: 201,
    input: newKey,
    reply: { data: apiKey, key: text },
  }),
  revokeApiKey: forUsers('DELETE /api/api-keys/:keyId', { input: { keyId: uuid }, reply: { message } }),
} as const;
