// The tools that an operator has registered, for admins. What their users see of them is in `connections.ts`.
import { count, listOf, message, nullableTime, oneOf, text, time, uuid, view } from '../schemas/parts.ts';
import { type Scope, SCOPES } from './api-keys.ts';
import { type Tool, tool } from './connections.ts';
import { forAdmins } from './public-endpoint.ts';
import { serviceEndpoint } from './service-endpoint.ts';

export type RegisteredTool = Tool & {
  /** Its `client_id`. */
  id: string;
  /** What it may ask for at most. */
  scopes: Scope[];
  /** Empty for a tool without a browser. */
  redirectUris: string[];
  /** How many users have connected it now. */
  users: number;
  createdAt: string;
  disabledAt: string | null;
};

/** Connections that began before the `generation` of their tool have ended. It grows whenever the tool is disabled. */
export type ToolChange = { data: { generation: number } };

const registeredTool = view<RegisteredTool>({
  ...tool,
  id: uuid,
  scopes: listOf(oneOf(SCOPES)),
  redirectUris: listOf(text),
  users: count,
  createdAt: time,
  disabledAt: nullableTime,
});

type None = Record<never, never>;
type OfTool = { toolId: string };
type Message = { message: string };

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
