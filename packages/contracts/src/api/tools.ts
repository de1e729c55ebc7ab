// The tools that users connect by OAuth, and the requests of tools to be connected. A tool is an OAuth client that an operator has
// registered, a connection is what a user has granted one installation of it.
import Joi from 'joi';
import { DEVICE_NAME_MAX } from '../limits.ts';
import { factorReason } from '../schemas/factors.ts';
import {
  count,
  flag,
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

import { keyHash, type KeyOwner, keyUse, type KeyUseInput, SCOPES } from './api-keys.ts';
import { forAdmins, forUsers } from './public-endpoint.ts';
import { type None, serviceEndpoint } from './service-endpoint.ts';
import { type SignInOrigin, signInOrigin } from './sessions.ts';

/** A tool as its users see it. */
export type Tool = {
  name: string;
  /** A picture as a `data:` URL; null without one. */
  logo: string | null;
  /** Whether we know who makes it. */
  isVerified: boolean;
};

/** Where a tool runs: what it calls its device, if it says so, and what its request tells. Each '' where unknown. */
export type ToolDevice = { device: string; browser: string; system: string };

/** How a tool asks: with a code that the user compares, or from the browser in which the user decides. */
const REQUEST_SOURCES = ['device', 'browser'] as const;
export type RequestSource = (typeof REQUEST_SOURCES)[number];

/** `request`: the code on the tool's screen (`device`), or the id in the address of the page (`browser`). */
export type RequestReference = { source: RequestSource; request: string };

/** Where the browser goes on to; null where the tool learns of the decision by itself. */
export type DecidedRequest = { returnTo: string | null };

/** The rules of a `Tool`. */
const tool = { name: text, logo: nullable(text), isVerified: flag };
const device = { device: text, browser: text, system: text };
const scopes = listOf(oneOf(SCOPES));

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

const reference = {
  source: oneOf(REQUEST_SOURCES),
  request: Joi.string().max(50).required().messages({ 'string.empty': 'Please enter the code' }),
};

type ForUser = { userId: string };
type OfConnection = { connectionId: string };

/** What the bearer of an access token may do now, and whose tool it is. */
export type TokenOwner = KeyOwner & {
  toolId: string;
  /** That of the tool when the connection began (`ToolChange`). */
  toolGeneration: number;
};

/** Where bff says from where a tool asks: a `SignInOrigin` as JSON, percent-encoded. */
export const CLIENT_ORIGIN_HEADER = 'x-client-origin';

/** What a tool may call its device. */
export const deviceName = Joi.string()
  .trim()
  .max(DEVICE_NAME_MAX)
  .pattern(/^[^\p{C}\p{Zl}\p{Zp}]*$/u);

export const connectionEndpoints = {
  /** Also those that have ended, the newest first. */
  listConnections: serviceEndpoint<ForUser, { data: Connection[] }>({
    method: 'GET',
    path: '/accounts/:userId/connections',
    roles: ['user'],
    self: 'userId',
    input: { userId: uuid },
  }),
  /** Throws `identity.connection_not_found` for one of somebody else. Repeated, it changes nothing. `reason`: of an admin. */
  endConnection: serviceEndpoint<ForUser & OfConnection & { reason?: string }, Message>({
    method: 'DELETE',
    path: '/accounts/:userId/connections/:connectionId',
    roles: ['user', 'admin'],
    self: 'userId',
    input: { userId: uuid, connectionId: uuid, reason: factorReason.optional() },
  }),
  /** Throws `identity.request_unknown`, `identity.request_expired` and `identity.request_decided`, as the two below. */
  findConnectionRequest: serviceEndpoint<ForUser & RequestReference, { data: ConnectionRequest }>({
    method: 'POST',
    path: '/accounts/:userId/connection-requests/find',
    roles: ['user'],
    self: 'userId',
    input: { userId: uuid, ...reference },
  }),
  /** Of several decisions at the same moment, the first counts. Throws `identity.connections_full` beyond CONNECTIONS_MAX. */
  approveConnectionRequest: serviceEndpoint<
    ForUser & RequestReference & { origin: SignInOrigin },
    DecidedRequest
  >({
    method: 'POST',
    path: '/accounts/:userId/connection-requests/approve',
    roles: ['user'],
    self: 'userId',
    input: { userId: uuid, ...reference, origin: signInOrigin },
  }),
  denyConnectionRequest: serviceEndpoint<ForUser & RequestReference, DecidedRequest>({
    method: 'POST',
    path: '/accounts/:userId/connection-requests/deny',
    roles: ['user'],
    self: 'userId',
    input: { userId: uuid, ...reference },
  }),
  /** Throws `identity.token_not_found` for an access token that is unknown or has expired, and for one of an ended connection or a disabled tool. */
  findTokenOwner: serviceEndpoint<{ hash: string }, { data: TokenOwner }>({
    method: 'GET',
    path: '/connections/owner',
    roles: ['service'],
    input: { hash: keyHash },
  }),
  recordConnectionUse: serviceEndpoint<OfConnection & KeyUseInput, Message>({
    method: 'POST',
    path: '/connections/:connectionId/use',
    roles: ['service'],
    input: { connectionId: uuid, ...keyUse },
  }),
} as const;

export const publicConnectionEndpoints = {
  listConnections: forUsers<None, { data: Connection[] }>({
    method: 'GET',
    path: '/api/connections',
    whileViewing: true,
    reply: { data: listOf(connection) },
  }),
  endConnection: forUsers<OfConnection, Message>({
    method: 'DELETE',
    path: '/api/connections/:connectionId',
    input: { connectionId: uuid },
    reply: { message },
  }),
  /** A change, since a wrong code is counted and a code must not be in an address. */
  findConnectionRequest: forUsers<RequestReference, { data: ConnectionRequest }>({
    method: 'POST',
    path: '/api/connections/find',
    input: reference,
    reply: { data: connectionRequest },
  }),
  /** Throws `identity.email_unverified` where REQUIRE_VERIFIED_EMAIL says so of API keys. */
  approveConnection: forUsers<RequestReference, DecidedRequest>({
    method: 'POST',
    path: '/api/connections/approve',
    recent: true,
    input: reference,
    reply: { returnTo: nullable(text) },
  }),
  denyConnection: forUsers<RequestReference, DecidedRequest>({
    method: 'POST',
    path: '/api/connections/deny',
    input: reference,
    reply: { returnTo: nullable(text) },
  }),
} as const;

/** Connections that began before the `generation` of their tool have ended. It grows whenever the tool is disabled. */
export type ToolChange = { data: { generation: number } };

/** A tool as admins see it. */
const registeredTool = view({
  ...tool,
  /** Its `client_id`. */
  id: uuid,
  /** What it may ask for at most. */
  scopes,
  /** Empty for a tool without a browser. */
  redirectUris: listOf(text),
  /** How many users have connected it now. */
  users: count,
  createdAt: time,
  disabledAt: nullable(time),
});
export type RegisteredTool = TypeOf<typeof registeredTool>;

type OfTool = { toolId: string };

const ofTool = { toolId: uuid };

/** Throws `identity.tool_not_found`. Repeated, a change changes nothing. */
export const toolEndpoints = {
  listTools: serviceEndpoint<None, { data: RegisteredTool[] }>({
    method: 'GET',
    path: '/tools',
    roles: ['admin'],
  }),
  disableTool: serviceEndpoint<OfTool, ToolChange>({
    method: 'POST',
    path: '/tools/:toolId/disable',
    roles: ['admin'],
    input: ofTool,
  }),
  enableTool: serviceEndpoint<OfTool, Message>({
    method: 'POST',
    path: '/tools/:toolId/enable',
    roles: ['admin'],
    input: ofTool,
  }),
  /** Ends connections of disabled tools, whose tokens work no more: a request of an admin does not wait for thousands of them. */
  endDisabledConnections: serviceEndpoint<None, { ended: number; more: boolean }>({
    method: 'POST',
    path: '/tools/end-disabled-connections',
    roles: ['service'],
  }),
} as const;

export const publicToolEndpoints = {
  tools: forAdmins<None, { data: RegisteredTool[] }>({
    method: 'GET',
    path: '/api/admin/tools',
    permission: 'tools.manage',
    reply: { data: listOf(registeredTool) },
  }),
  disableTool: forAdmins<OfTool, Message>({
    method: 'POST',
    path: '/api/admin/tools/:toolId/disable',
    permission: 'tools.manage',
    recent: true,
    input: ofTool,
    reply: { message },
  }),
  enableTool: forAdmins<OfTool, Message>({
    method: 'POST',
    path: '/api/admin/tools/:toolId/enable',
    permission: 'tools.manage',
    recent: true,
    input: ofTool,
    reply: { message },
  }),
} as const;
