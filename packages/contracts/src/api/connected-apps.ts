// What acts for a user at the API for tools (`v1.ts`): API keys, and tools that are connected by OAuth. A tool is an OAuth client that an
// operator has registered, a connection is what a user has granted one installation of it.
import Joi from 'joi';
import { API_KEY_NAME_MAX, DEVICE_NAME_MAX } from '../limits.ts';
import { factorReason } from './factors.ts';
import {
  count,
  flag,
  line,
  listOf,
  mayLack,
  message,
  nullable,
  oneOf,
  someOf,
  text,
  textLike,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/validation.ts';
import { addressesOf, forAdmins, forUsers, operationsOf, toAdmins, toUsers } from './operation.ts';
import { signInOrigin } from './sessions.ts';

export const SCOPES = ['credits:read', 'credits:charge', 'profile:read'] as const;
export type Scope = (typeof SCOPES)[number];

const scopes = listOf(oneOf(SCOPES));

const apiKey = view({
  id: uuid,
  name: text,
  scopes,
  /** The beginning of the key and its last four characters, by which its user recognizes it. */
  hint: text,
  createdAt: time,
  expiresAt: nullable(time),
  /** A revoked key stays for the names in the history of credits. */
  revokedAt: nullable(time),
  /** The last day (YYYY-MM-DD in UTC) on which the key was used, and the network from which; null before its first use. */
  lastUsed: nullable(view({ day: text, network: text })),
});
export type ApiKey = TypeOf<typeof apiKey>;

const ADDRESS = /\S@\S+\.\S/;

const newKey = {
  // Its mails and the audit log show the name: an address in it would be personal data of somebody.
  name: line({ required: 'Please enter a name' }, { max: API_KEY_NAME_MAX })
    .custom((name: string, helpers) => (ADDRESS.test(name) ? helpers.error('name.address') : name))
    .messages({ 'name.address': 'Please choose a name that is not an email address' }),
  scopes: someOf(SCOPES, 'Choose what the key may do'),
  expiresInDays: nullable(Joi.number().integer().min(1).max(366).required()),
};
export type ApiKeyInput = TypeOf<typeof newKey>;

/** The SHA-256 of a key or of an access token in base64url, which identity stores in its place. */
const keyHash = textLike(/^[A-Za-z0-9_-]{43}$/);

const keyUse = {
  day: textLike(/^\d{4}-\d\d-\d\d$/),
  network: Joi.string().max(50).allow('').required(),
};

/** Whose key it is, and what it may do now. `deletion`: the account is about to be deleted, and the key may do nothing. */
export const keyOwner = {
  id: uuid,
  userId: uuid,
  scopes,
  expiresAt: nullable(time),
  restriction: nullable(oneOf(['deletion'])),
};
export type KeyOwner = TypeOf<typeof keyOwner>;

const byUser = operationsOf('identity', { roles: ['user'], self: 'userId' });
const byUserOrAdmin = operationsOf('identity', { roles: ['user', 'admin'], self: 'userId' });
const byAdmin = operationsOf('identity', { roles: ['admin'] });
const byService = operationsOf('identity', { roles: ['service'] });

export const apiKeyEndpoints = {
  /** Also those that are revoked or expired, the newest first. */
  listApiKeys: byUser('GET /accounts/:userId/api-keys', {
    reply: { data: listOf(apiKey) },
    public: { listApiKeys: toUsers('/api/api-keys', { whileViewing: true }) },
  }),
  /** Throws `identity.api_keys_full` beyond API_KEYS_MAX keys that work. */
  createApiKey: byUser('POST /accounts/:userId/api-keys', {
    status: 201,
    input: { ...newKey, hash: keyHash, hint: Joi.string().max(20).required() },
    reply: { data: apiKey },
  }),
  /** Throws `identity.api_key_not_found` for a key of somebody else. A repeated revocation changes nothing. `reason`: of an admin. */
  revokeApiKey: byUserOrAdmin('DELETE /accounts/:userId/api-keys/:keyId', {
    input: { reason: mayLack(factorReason) },
    reply: { message },
  }),
  /** Throws `identity.api_key_not_found` for a key that is unknown, revoked or expired. The hash is in the query, which no log has. */
  findKeyOwner: byService('GET /api-keys/owner', {
    input: { hash: keyHash },
    reply: { data: view(keyOwner) },
  }),
  recordKeyUse: byService('POST /api-keys/:keyId/use', { input: keyUse, reply: { message } }),
} as const;

/** A tool as its users see it. `logo`: a picture as a `data:` URL. `isVerified`: whether we know who makes it. */
const tool = { name: text, logo: nullable(text), isVerified: flag };
export type Tool = TypeOf<typeof tool>;

/** Where a tool runs: what it calls its device, if it says so, and what its request tells. Each '' where unknown. */
const device = { device: text, browser: text, system: text };
export type ToolDevice = TypeOf<typeof device>;

/** How a tool asks: with a code that the user compares, or from the browser in which the user decides. */
const REQUEST_SOURCES = ['device', 'browser'] as const;

/** `request`: the code on the tool's screen (`device`), or the id in the address of the page (`browser`). */
const reference = {
  source: oneOf(REQUEST_SOURCES),
  request: Joi.string().max(50).required().messages({ 'string.empty': 'Please enter the code' }),
};
export type RequestReference = TypeOf<typeof reference>;

/** Where the browser goes on to; null where the tool learns of the decision by itself. */
const decided = { returnTo: nullable(text) };
export type DecidedRequest = TypeOf<typeof decided>;

const connection = view({
  ...tool,
  ...device,
  id: uuid,
  scopes,
  createdAt: time,
  /** Moves with each refresh of its tokens. */
  expiresAt: time,
  /** An ended connection stays for the names in the history of credits. */
  endedAt: nullable(time),
  /** The last day (YYYY-MM-DD in UTC) of use and its network; null before the first use. */
  lastUsed: nullable(view({ day: text, network: text })),
});
export type Connection = TypeOf<typeof connection>;

const connectionRequest = view({
  ...tool,
  ...device,
  scopes,
  /** Of the device, such as 'Gothenburg, Sweden'; '' where unknown. */
  place: text,
  requestedAt: time,
  /** The code as the tool shows it; null for a request of a browser. */
  code: nullable(text),
});
export type ConnectionRequest = TypeOf<typeof connectionRequest>;

/** What the bearer of an access token may do now, and whose tool it is. `toolGeneration`: of the tool when the connection began. */
const tokenOwner = view({ ...keyOwner, toolId: uuid, toolGeneration: count });
export type TokenOwner = TypeOf<typeof tokenOwner>;

/** Where bff says from where a tool asks: a `SignInOrigin` as JSON, percent-encoded. */
export const CLIENT_ORIGIN_HEADER = 'x-client-origin';

export const deviceName = Joi.string()
  .trim()
  .max(DEVICE_NAME_MAX)
  .pattern(/^[^\p{C}\p{Zl}\p{Zp}]*$/u);

export const connectionEndpoints = {
  /** Also those that have ended, the newest first. */
  listConnections: byUser('GET /accounts/:userId/connections', {
    reply: { data: listOf(connection) },
    public: { listConnections: toUsers('/api/connections', { whileViewing: true }) },
  }),
  /** Throws `identity.connection_not_found` for one of somebody else. Repeated, it changes nothing. `reason`: of an admin. */
  endConnection: byUserOrAdmin('DELETE /accounts/:userId/connections/:connectionId', {
    input: { reason: mayLack(factorReason) },
    reply: { message },
  }),
  /** Throws `identity.request_unknown`, `identity.request_expired` and `identity.request_decided`, as the two below. */
  findConnectionRequest: byUser('POST /accounts/:userId/connection-requests/find', {
    input: reference,
    reply: { data: connectionRequest },
  }),
  /** Of several decisions at the same moment, the first counts. Throws `identity.connections_full` beyond CONNECTIONS_MAX. */
  approveConnectionRequest: byUser('POST /accounts/:userId/connection-requests/approve', {
    input: { ...reference, origin: signInOrigin },
    reply: decided,
  }),
  denyConnectionRequest: byUser('POST /accounts/:userId/connection-requests/deny', {
    input: reference,
    reply: decided,
  }),
  /** Throws `identity.token_not_found` for an access token that is unknown or has expired, and for one of an ended connection or a disabled tool. */
  findTokenOwner: byService('GET /connections/owner', {
    input: { hash: keyHash },
    reply: { data: tokenOwner },
  }),
  recordConnectionUse: byService('POST /connections/:connectionId/use', {
    input: keyUse,
    reply: { message },
  }),
} as const;

/** Connections that began before the `generation` of their tool have ended. It grows whenever the tool is disabled. */
const toolChange = { data: view({ generation: count }) };

const registeredTool = view({
  ...tool,
  /** Its `client_id`. */
  id: uuid,
  /** What it may ask for at most. */
  scopes,
  /** Empty for a tool without a browser. */
  redirectUris: listOf(text),
  users: count,
  createdAt: time,
  disabledAt: nullable(time),
});
export type RegisteredTool = TypeOf<typeof registeredTool>;

/** Throws `identity.tool_not_found`. Repeated, a change changes nothing. */
export const toolEndpoints = {
  listTools: byAdmin('GET /tools', {
    reply: { data: listOf(registeredTool) },
    public: { tools: toAdmins('/api/admin/tools', { permission: 'tools.manage' }) },
  }),
  disableTool: byAdmin('POST /tools/:toolId/disable', { reply: toolChange }),
  enableTool: byAdmin('POST /tools/:toolId/enable', {
    reply: { message },
    public: {
      enableTool: toAdmins('/api/admin/tools/:toolId/enable', { permission: 'tools.manage', recent: true }),
    },
  }),
  /** Ends connections of disabled tools, whose tokens work no more: a request of an admin does not wait for thousands of them. */
  endDisabledConnections: byService('POST /tools/end-disabled-connections', {
    reply: { ended: count, more: flag },
  }),
} as const;

export type EndedAccess = Record<keyof AccessView, number>;

/** `name`: of a key, a tool, or the host of a webhook. `detail`: the ends of the key, or the device of the tool; '' where unknown. */
const accessItem = view({ id: uuid, name: text, detail: text, createdAt: time });
export type AccessItem = TypeOf<typeof accessItem>;

/** What works now, the newest first. */
export const accessView = view({
  apiKeys: listOf(accessItem),
  connections: listOf(accessItem),
  webhooks: listOf(accessItem),
});
export type AccessView = TypeOf<typeof accessView>;

export const accessEndpoints = {
  getAccess: byUserOrAdmin('GET /accounts/:userId/access', {
    reply: { data: accessView },
    public: {
      access: toUsers('/api/access', { whileViewing: true }),
      userAccess: toAdmins('/api/users/:userId/access', { permission: 'users.read' }),
    },
  }),
} as const;

export const publicConnectedAppEndpoints = {
  ...addressesOf(apiKeyEndpoints),
  ...addressesOf(connectionEndpoints),
  ...addressesOf(toolEndpoints),
  ...addressesOf(accessEndpoints),
  endUserKey: forAdmins('POST /api/users/:userId/api-keys/:keyId/end', {
    permission: 'sessions.end',
    recent: true,
    input: { reason: factorReason },
    reply: { message },
  }),
  endUserConnection: forAdmins('POST /api/users/:userId/connections/:connectionId/end', {
    permission: 'sessions.end',
    recent: true,
    input: { reason: factorReason },
    reply: { message },
  }),
  /** The reply has the key itself, which cannot be read again. Throws `identity.email_unverified` where REQUIRE_VERIFIED_EMAIL says so. */
  createApiKey: forUsers('POST /api/api-keys', {
    recent: true,
    status: 201,
    input: newKey,
    reply: { data: apiKey, key: text },
  }),
  revokeApiKey: forUsers('DELETE /api/api-keys/:keyId', { reply: { message } }),
  endConnection: forUsers('DELETE /api/connections/:connectionId', { reply: { message } }),
  /** A change, since a wrong code is counted and a code must not be in an address. */
  findConnectionRequest: forUsers('POST /api/connections/find', {
    input: reference,
    reply: { data: connectionRequest },
  }),
  /** Throws `identity.email_unverified` where REQUIRE_VERIFIED_EMAIL says so of API keys. */
  approveConnection: forUsers('POST /api/connections/approve', {
    recent: true,
    input: reference,
    reply: decided,
  }),
  denyConnection: forUsers('POST /api/connections/deny', { input: reference, reply: decided }),
  disableTool: forAdmins('POST /api/admin/tools/:toolId/disable', {
    permission: 'tools.manage',
    recent: true,
    reply: { message },
  }),
} as const;
