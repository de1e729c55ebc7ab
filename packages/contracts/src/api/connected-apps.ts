// What can act for a user in the API for apps (`v1.ts`): API keys, and apps connected by OAuth. An app is an OAuth client registered by an
// operator; a connection is a user's grant to one installation of it.
import Joi from 'joi';
import { API_KEY_NAME_MAX, DEVICE_NAME_MAX } from '../limits.ts';
import { factorReason } from './factors.ts';
import * as rule from '../schemas/validation.ts';
import { addressesOf, forAdmins, forUsers, operationsOf, toAdmins, toUsers } from './operation.ts';
import { signInOrigin } from './sessions.ts';

export const SCOPES = ['credits:read', 'credits:charge', 'profile:read'] as const;
export type Scope = (typeof SCOPES)[number];

const scopes = rule.listOf(rule.oneOf(SCOPES));

/** The last day (YYYY-MM-DD in UTC) and network of use; null before the first use. */
const lastUsed = rule.nullable(rule.view({ day: rule.text, network: rule.text }));

const apiKey = rule.view({
  id: rule.uuid,
  name: rule.text,
  scopes,
  /** The beginning of the key and its last four characters, by which its user recognizes it. */
  hint: rule.text,
  createdAt: rule.time,
  expiresAt: rule.nullable(rule.time),
  /** A revoked key is kept for its name in the credit history. */
  revokedAt: rule.nullable(rule.time),
  lastUsed,
});
export type ApiKey = rule.TypeOf<typeof apiKey>;

const ADDRESS = /\S@\S+\.\S/;

const newKey = {
  // Emails and the audit log show the name, so an email or a URL in it could be someone's personal data.
  name: rule
    .line({ required: 'Please enter a name' }, { max: API_KEY_NAME_MAX })
    .custom((name: string, helpers) => (ADDRESS.test(name) ? helpers.error('name.address') : name))
    .messages({ 'name.address': 'Please choose a name that is not an email address' }),
  scopes: rule.someOf(SCOPES, 'Choose what the key may do'),
  expiresInDays: rule.nullable(Joi.number().integer().min(1).max(366).required()),
};
export type ApiKeyInput = rule.TypeOf<typeof newKey>;

/** The SHA-256 of a key or an access token in base64url, which identity stores instead of it. */
const keyHash = rule.textLike(/^[A-Za-z0-9_-]{43}$/);

const keyUse = {
  day: rule.textLike(/^\d{4}-\d\d-\d\d$/),
  network: Joi.string().max(50).allow('').required(),
};

/** The owner of a key, and what the key may do now. `deletion`: nothing, because the account is about to be deleted. */
export const keyOwner = {
  id: rule.uuid,
  userId: rule.uuid,
  scopes,
  expiresAt: rule.nullable(rule.time),
  restriction: rule.nullable(rule.oneOf(['deletion'])),
};
export type KeyOwner = rule.TypeOf<typeof keyOwner>;

const byUser = operationsOf('identity', { roles: ['user'], self: 'userId' });
const byUserOrAdmin = operationsOf('identity', { roles: ['user', 'admin'], self: 'userId' });
const byAdmin = operationsOf('identity', { roles: ['admin'] });
const byService = operationsOf('identity', { roles: ['service'] });

export const apiKeyEndpoints = {
  /** Includes revoked and expired ones. Newest first. */
  listApiKeys: byUser('GET /accounts/:userId/api-keys', {
    reply: { data: rule.listOf(apiKey) },
    public: { listApiKeys: toUsers('/api/api-keys', { whileViewing: true }) },
  }),
  /** Throws `identity.api_keys_full` beyond API_KEYS_MAX active keys. */
  createApiKey: byUser('POST /accounts/:userId/api-keys', {
    status: 201,
    input: { ...newKey, hash: keyHash, hint: Joi.string().max(20).required() },
    reply: { data: apiKey },
  }),
  /** Throws `identity.api_key_not_found` for another user's key. Repeating it changes nothing. `reason`: given by an admin. */
  revokeApiKey: byUserOrAdmin('DELETE /accounts/:userId/api-keys/:keyId', {
    input: { reason: rule.mayLack(factorReason) },
    reply: rule.noData,
  }),
  /** Throws `identity.api_key_not_found` if the key is unknown, revoked or expired. The hash is in the query, which is never logged. */
  findKeyOwner: byService('GET /api-keys/owner', {
    input: { hash: keyHash },
    reply: { data: rule.view(keyOwner) },
  }),
  recordKeyUse: byService('POST /api-keys/:keyId/use', { input: keyUse, reply: rule.noData }),
} as const;

/** An app as users see it. `logo`: a picture as a `data:` URL. `isVerified`: whether we know its maker. */
const tool = { name: rule.text, logo: rule.nullable(rule.text), isVerified: rule.flag };
export type Tool = rule.TypeOf<typeof tool>;

/** Where an app runs: the device name that it sends, and what its request reveals. Each is '' if unknown. */
const device = { device: rule.text, browser: rule.text, system: rule.text };
export type ToolDevice = rule.TypeOf<typeof device>;

/** How an app sends its request: with a code that the user compares, or through the browser in which the user decides. */
const REQUEST_SOURCES = ['device', 'browser'] as const;

/** `request`: the code on the app's screen (`device`), or the id in the address of the page (`browser`). */
const reference = {
  source: rule.oneOf(REQUEST_SOURCES),
  request: Joi.string().max(50).required().messages({ 'string.empty': 'Please enter the code' }),
};
export type RequestReference = rule.TypeOf<typeof reference>;

/** Where the browser goes next; null if the app polls for the decision. */
const decided = { returnTo: rule.nullable(rule.text) };
export type DecidedRequest = rule.TypeOf<typeof decided>;

const connection = rule.view({
  ...tool,
  ...device,
  id: rule.uuid,
  scopes,
  createdAt: rule.time,
  /** Extended by each refresh of its tokens. */
  expiresAt: rule.time,
  /** An ended connection is kept for its name in the credit history. */
  endedAt: rule.nullable(rule.time),
  lastUsed,
});
export type Connection = rule.TypeOf<typeof connection>;

const connectionRequest = rule.view({
  ...tool,
  ...device,
  scopes,
  /** The place of the device, such as 'Gothenburg, Sweden'; '' if unknown. */
  place: rule.text,
  requestedAt: rule.time,
  /** The code as the app shows it; null for a request of a browser. */
  code: rule.nullable(rule.text),
});
export type ConnectionRequest = rule.TypeOf<typeof connectionRequest>;

/** What an access token allows now, and for which user and app. `toolGeneration`: that of the app when the connection began. */
const tokenOwner = rule.view({ ...keyOwner, toolId: rule.uuid, toolGeneration: rule.count });
export type TokenOwner = rule.TypeOf<typeof tokenOwner>;

/** The header in which bff states the origin of an app's request: a `SignInOrigin` as percent-encoded JSON. */
export const CLIENT_ORIGIN_HEADER = 'x-client-origin';

export const deviceName = Joi.string()
  .trim()
  .max(DEVICE_NAME_MAX)
  .pattern(/^[^\p{C}\p{Zl}\p{Zp}]*$/u);

export const connectionEndpoints = {
  /** Includes ended ones. Newest first. */
  listConnections: byUser('GET /accounts/:userId/connections', {
    reply: { data: rule.listOf(connection) },
    public: { listConnections: toUsers('/api/connections', { whileViewing: true }) },
  }),
  /** Throws `identity.connection_not_found` for another user's connection. Repeating it changes nothing. `reason`: given by an admin. */
  endConnection: byUserOrAdmin('DELETE /accounts/:userId/connections/:connectionId', {
    input: { reason: rule.mayLack(factorReason) },
    reply: rule.noData,
  }),
  /** Throws `identity.request_unknown`, `identity.request_expired` and `identity.request_decided`, as the two below. */
  findConnectionRequest: byUser('POST /accounts/:userId/connection-requests/find', {
    input: reference,
    reply: { data: connectionRequest },
  }),
  /** Of concurrent decisions, the first counts. Throws `identity.connections_full` beyond CONNECTIONS_MAX. */
  approveConnectionRequest: byUser('POST /accounts/:userId/connection-requests/approve', {
    input: { ...reference, origin: signInOrigin },
    reply: decided,
  }),
  denyConnectionRequest: byUser('POST /accounts/:userId/connection-requests/deny', {
    input: reference,
    reply: decided,
  }),
  /** Throws `identity.token_not_found` if the access token is unknown or expired, the connection has ended, or the app is disabled. */
  findTokenOwner: byService('GET /connections/owner', {
    input: { hash: keyHash },
    reply: { data: tokenOwner },
  }),
  recordConnectionUse: byService('POST /connections/:connectionId/use', {
    input: keyUse,
    reply: rule.noData,
  }),
} as const;

/** `generation` grows whenever the app is disabled; connections that began under an older one have ended. */
const toolChange = { data: rule.view({ generation: rule.count }) };

const registeredTool = rule.view({
  ...tool,
  /** Its `client_id`. */
  id: rule.uuid,
  /** The scopes that it may request. */
  scopes,
  /** Empty for an app without a browser. */
  redirectUris: rule.listOf(rule.text),
  users: rule.count,
  createdAt: rule.time,
  disabledAt: rule.nullable(rule.time),
});
export type RegisteredTool = rule.TypeOf<typeof registeredTool>;

/** Throws `identity.tool_not_found`. Repeating a change has no effect. */
export const toolEndpoints = {
  listTools: byAdmin('GET /tools', {
    reply: { data: rule.listOf(registeredTool) },
    public: { tools: toAdmins('/api/admin/tools', { permission: 'tools.manage' }) },
  }),
  disableTool: byAdmin('POST /tools/:toolId/disable', { reply: toolChange }),
  enableTool: byAdmin('POST /tools/:toolId/enable', {
    reply: rule.noData,
    public: {
      enableTool: toAdmins('/api/admin/tools/:toolId/enable', { permission: 'tools.manage', recent: true }),
    },
  }),
  /**
   * Ends the connections of disabled apps, whose tokens no longer work. A job does it, so that an admin's request does not wait for
   * thousands of rows.
   */
  endDisabledConnections: byService('POST /tools/end-disabled-connections', {
    reply: { ended: rule.count, more: rule.flag },
  }),
} as const;

export type EndedAccess = Record<keyof AccessView, number>;

/** `name`: of a key, an app, or the host of a webhook. `detail`: the ends of the key, or the device of the app; '' where unknown. */
const accessItem = rule.view({ id: rule.uuid, name: rule.text, detail: rule.text, createdAt: rule.time });
export type AccessItem = rule.TypeOf<typeof accessItem>;

/** What works now, newest first. */
export const accessView = rule.view({
  apiKeys: rule.listOf(accessItem),
  connections: rule.listOf(accessItem),
  webhooks: rule.listOf(accessItem),
});
export type AccessView = rule.TypeOf<typeof accessView>;

export const accessEndpoints = {
  getAccess: byUserOrAdmin('GET /accounts/:userId/access', {
    reply: { data: accessView },
    public: {
      access: toUsers('/api/access', { whileViewing: true }),
      userAccess: toAdmins('/api/users/:userId/access', { permission: 'users.read' }),
    },
  }),
} as const;

/** How an admin ends what acts for a user. */
const endByAdmin = {
  permission: 'sessions.end',
  recent: true,
  input: { reason: factorReason },
  reply: rule.noData,
} as const;

export const publicConnectedAppEndpoints = {
  ...addressesOf(apiKeyEndpoints),
  ...addressesOf(connectionEndpoints),
  ...addressesOf(toolEndpoints),
  ...addressesOf(accessEndpoints),
  endUserKey: forAdmins('POST /api/users/:userId/api-keys/:keyId/end', endByAdmin),
  endUserConnection: forAdmins('POST /api/users/:userId/connections/:connectionId/end', endByAdmin),
  /** The reply contains the key, which cannot be read again. Throws `identity.email_unverified` if REQUIRE_VERIFIED_EMAIL applies. */
  createApiKey: forUsers('POST /api/api-keys', {
    recent: true,
    status: 201,
    input: newKey,
    reply: { data: apiKey, key: rule.text },
  }),
  revokeApiKey: forUsers('DELETE /api/api-keys/:keyId', { reply: rule.noData }),
  endConnection: forUsers('DELETE /api/connections/:connectionId', { reply: rule.noData }),
  /** A POST, because a wrong code is counted and a code must not be in a URL. */
  findConnectionRequest: forUsers('POST /api/connections/find', {
    input: reference,
    reply: { data: connectionRequest },
  }),
  /** Throws `identity.email_unverified` if REQUIRE_VERIFIED_EMAIL applies to API keys. */
  approveConnection: forUsers('POST /api/connections/approve', {
    recent: true,
    input: reference,
    reply: decided,
  }),
  denyConnection: forUsers('POST /api/connections/deny', { input: reference, reply: decided }),
  disableTool: forAdmins('POST /api/admin/tools/:toolId/disable', {
    permission: 'tools.manage',
    recent: true,
    reply: rule.noData,
  }),
} as const;
