// The keys by which tools act for a user at the API for tools (`v1.ts`).
import Joi from 'joi';
import { API_KEY_NAME_MAX } from '../limits.ts';
import { factorReason } from '../schemas/factors.ts';
import {
  listOf,
  type Message,
  message,
  nullable,
  oneOf,
  text,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/typed.ts';
import { line } from '../schemas/validation.ts';
import { forUsers } from './public-endpoint.ts';
import { type None, serviceEndpoint } from './service-endpoint.ts';

/** What a tool may do for its user. */
export const SCOPES = ['credits:read', 'credits:charge', 'profile:read'] as const;
export type Scope = (typeof SCOPES)[number];

const scopes = Joi.array<Scope[]>()
  .items(Joi.valid(...SCOPES))
  .unique()
  .min(1)
  .required()
  .messages({ 'array.min': 'Choose what the key may do' });
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

type ForUser = { userId: string };
type OfKey = { keyId: string };

/** `expiresInDays`: null for a key that does not expire. */
export type ApiKeyInput = { name: string; scopes: Scope[]; expiresInDays: number | null };

const ADDRESS = /\S@\S+\.\S/;

const newKey = {
  // Its mails and the audit log show the name: an address in it would be personal data of somebody.
  name: line({ required: 'Please enter a name' }, { max: API_KEY_NAME_MAX })
    .custom((name: string, helpers) => (ADDRESS.test(name) ? helpers.error('name.address') : name))
    .messages({ 'name.address': 'Please choose a name that is not an email address' }),
  scopes,
  expiresInDays: Joi.number().integer().min(1).max(366).allow(null).required(),
};

/** The SHA-256 of a key or of an access token in base64url, which identity stores in its place. */
export const keyHash = Joi.string()
  .pattern(/^[A-Za-z0-9_-]{43}$/)
  .required();

/** The day and the network of a use. */
export type KeyUseInput = { day: string; network: string };
export const keyUse: Joi.StrictSchemaMap<KeyUseInput> = {
  day: Joi.string()
    .pattern(/^\d{4}-\d\d-\d\d$/)
    .required(),
  network: Joi.string().max(50).allow('').required(),
};

/** Whose key it is, and what it may do now. `deletion`: the account is about to be deleted, and the key may do nothing. */
export type KeyOwner = {
  id: string;
  userId: string;
  scopes: Scope[];
  expiresAt: string | null;
  restriction: 'deletion' | null;
};

export const apiKeyEndpoints = {
  /** Also those that are revoked or expired, the newest first. */
  listApiKeys: serviceEndpoint<ForUser, { data: ApiKey[] }>({
    method: 'GET',
    path: '/accounts/:userId/api-keys',
    roles: ['user'],
    self: 'userId',
    input: { userId: uuid },
  }),
  /** Throws `identity.api_keys_full` beyond API_KEYS_MAX keys that work. */
  createApiKey: serviceEndpoint<ForUser & ApiKeyInput & { hash: string; hint: string }, { data: ApiKey }>({
    method: 'POST',
    path: '/accounts/:userId/api-keys',
    roles: ['user'],
    self: 'userId',
    status: 201,
    input: { userId: uuid, ...newKey, hash: keyHash, hint: Joi.string().max(20).required() },
  }),
  /** Throws `identity.api_key_not_found` for a key of somebody else. A repeated revocation changes nothing. `reason`: of an admin. */
  revokeApiKey: serviceEndpoint<ForUser & OfKey & { reason?: string }, Message>({
    method: 'DELETE',
    path: '/accounts/:userId/api-keys/:keyId',
    roles: ['user', 'admin'],
    self: 'userId',
    input: { userId: uuid, keyId: uuid, reason: factorReason.optional() },
  }),
  /**
   * Throws `identity.api_key_not_found` for a key that does not exist, is revoked or has expired. The hash is in the query, which no log
   * has.
   */
  findKeyOwner: serviceEndpoint<{ hash: string }, { data: KeyOwner }>({
    method: 'GET',
    path: '/api-keys/owner',
    roles: ['service'],
    input: { hash: keyHash },
  }),
  /** Records the day and the network of a key's last use. */
  recordKeyUse: serviceEndpoint<OfKey & KeyUseInput, Message>({
    method: 'POST',
    path: '/api-keys/:keyId/use',
    roles: ['service'],
    input: { keyId: uuid, ...keyUse },
  }),
} as const;

export const publicApiKeyEndpoints = {
  listApiKeys: forUsers<None, { data: ApiKey[] }>({
    method: 'GET',
    path: '/api/api-keys',
    whileViewing: true,
    reply: { data: listOf(apiKey) },
  }),
  /** The reply has the key itself, which cannot be read again. Throws `identity.email_unverified` where REQUIRE_VERIFIED_EMAIL says so. */
  createApiKey: forUsers<ApiKeyInput, { data: ApiKey; key: string }>({
    method: 'POST',
    path: '/api/api-keys',
    recent: true,
    status: 201,
    input: newKey,
    reply: { data: apiKey, key: text },
  }),
  revokeApiKey: forUsers<OfKey, Message>({
    method: 'DELETE',
    path: '/api/api-keys/:keyId',
    input: { keyId: uuid },
    reply: { message },
  }),
} as const;
