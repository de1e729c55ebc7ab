import { hash, randomBytes } from 'node:crypto';
import {
  type Connection,
  connectionEndpoints,
  type DecidedRequest,
  type RequestReference,
} from '@shortlist/contracts/api/connected-apps';
import { asService } from '@shortlist/kit/http/http-client';
import { hashOfToken } from '@shortlist/kit/http/access-token';
import { uuidv7 } from 'uuidv7';
import { insertTool, type ToolRow } from '../src/tools/queries.ts';
import { asUser, openApiKeys } from './open-api-keys.ts';

export const ISSUER = 'https://shortlist.test';
export const REDIRECT = 'https://abcdefghijklmnopabcdefghijklmnop.chromiumapp.org/';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const ORIGIN = { browser: 'Firefox', system: 'macOS', network: '192.0.2.0/24', place: '' };

export type Reply = { status: number; headers: Headers; body: Record<string, string> };
export type Tokens = { access: string; refresh: string };

/** A verifier with its challenge (RFC 7636). */
export const createProof = () => {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: hash('sha256', verifier, 'base64url') };
};

const bodyOf = async (response: Response): Promise<Record<string, string>> => {
  const text = await response.text();
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, string>) : {};
};

/** The value of a cookie that a response sets. */
const cookieIn = (headers: Headers, name: string): string =>
  headers
    .getSetCookie()
    .map((line) => new RegExp(`^${name}=([^;]*)`).exec(line)?.[1])
    .find((value) => value !== undefined) ?? '';

/** Opens identity with a tool, and what tools and users do with the authorization server. */
export const openOauth = async () => {
  const opened = await openApiKeys();
  const { db, ask, identity } = opened;
  const addTool = async (change: Partial<ToolRow> = {}): Promise<ToolRow> => {
    const tool: ToolRow = {
      id: uuidv7(),
      name: 'Automation bot',
      logo: null,
      redirectUris: [REDIRECT],
      scopes: ['credits:read', 'credits:charge', 'profile:read'],
      isVerified: true,
      createdAt: opened.clock(),
      disabledAt: null,
      generation: 0,
      ...change,
    };
    await insertTool(db.manager, tool);
    return tool;
  };

  const send = async (path: string, init: RequestInit = {}): Promise<Reply> => {
    const token = await identity.sign('identity', { role: 'anonymous', userId: null });
    const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` };
    const response = await fetch(`${identity.url}${path}`, { redirect: 'manual', ...init, headers });
    return { status: response.status, headers: response.headers, body: await bodyOf(response) };
  };
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    send(path, { method: 'POST', body: new URLSearchParams(fields), headers });

  const decide = (
    action: 'approveConnectionRequest' | 'denyConnectionRequest',
    userId: string,
    reference: RequestReference,
  ): Promise<DecidedRequest> =>
    action === 'approveConnectionRequest'
      ? ask(connectionEndpoints[action], { userId, ...reference, origin: ORIGIN }, asUser(userId))
      : ask(connectionEndpoints[action], { userId, ...reference }, asUser(userId));

  const authorize = (fields: Record<string, string>) =>
    send(`/oauth/authorize?${new URLSearchParams(fields).toString()}`);

  /** Begins the code grant. `resume` follows after the user's decision, from the browser that began. */
  const begin = async (tool: ToolRow, fields: Record<string, string> = {}) => {
    const proof = createProof();
    const reply = await authorize({
      client_id: tool.id,
      response_type: 'code',
      redirect_uri: REDIRECT,
      scope: 'credits:read credits:charge',
      state: 'a state',
      code_challenge: proof.challenge,
      code_challenge_method: 'S256',
      ...fields,
    });
    const resumeCookie = cookieIn(reply.headers, 'oauth_resume');
    return {
      ...proof,
      reply,
      uid: new URL(reply.headers.get('location') ?? '', ISSUER).searchParams.get('request') ?? '',
      requestCookie: cookieIn(reply.headers, 'oauth_request'),
      resume: async (returnTo: string | null): Promise<URLSearchParams> => {
        const resumed = await send(returnTo ?? '', { headers: { cookie: `oauth_resume=${resumeCookie}` } });
        return new URL(resumed.headers.get('location') ?? '', ISSUER).searchParams;
      },
    };
  };

  const redeem = (tool: ToolRow, fields: Record<string, string>) =>
    post('/oauth/token', {
      client_id: tool.id,
      grant_type: 'authorization_code',
      redirect_uri: REDIRECT,
      ...fields,
    });

  const refresh = (tool: ToolRow, token: string, fields: Record<string, string> = {}) =>
    post('/oauth/token', {
      client_id: tool.id,
      grant_type: 'refresh_token',
      refresh_token: token,
      ...fields,
    });

  const startDevice = (tool: ToolRow, fields: Record<string, string> = {}, headers = {}) =>
    post('/oauth/device', { client_id: tool.id, scope: 'credits:read credits:charge', ...fields }, headers);
  const poll = (tool: ToolRow, deviceCode: string) =>
    post('/oauth/token', { client_id: tool.id, grant_type: DEVICE_GRANT, device_code: deviceCode });

  return {
    ...opened,
    addTool,
    send,
    post,
    authorize,
    begin,
    redeem,
    refresh,
    startDevice,
    poll,
    approve: (userId: string, reference: RequestReference) =>
      decide('approveConnectionRequest', userId, reference),
    deny: (userId: string, reference: RequestReference) => decide('denyConnectionRequest', userId, reference),
    /** A code that the user has approved, with its verifier. */
    getCode: async (tool: ToolRow, userId: string, scope = 'credits:read credits:charge') => {
      const begun = await begin(tool, { scope });
      const { returnTo } = await decide('approveConnectionRequest', userId, {
        source: 'browser',
        request: begun.uid,
      });
      return { verifier: begun.verifier, code: (await begun.resume(returnTo)).get('code') ?? '' };
    },
    /** Connects the tool by the device grant. */
    connect: async (
      tool: ToolRow,
      userId: string,
      scope: string = tool.scopes.join(' '),
    ): Promise<Tokens> => {
      const { body } = await startDevice(tool, { scope });
      const { device_code: code = '', user_code: request = '' } = body;
      await decide('approveConnectionRequest', userId, { source: 'device', request });
      const tokens = (await poll(tool, code)).body;
      return { access: tokens['access_token'] ?? '', refresh: tokens['refresh_token'] ?? '' };
    },
    connections: async (userId: string): Promise<Connection[]> =>
      (await ask(connectionEndpoints.listConnections, { userId }, asUser(userId))).data,
    disconnect: (userId: string, connectionId: string) =>
      ask(connectionEndpoints.endConnection, { userId, connectionId }, asUser(userId)),
    ownerOfToken: async (token: string) =>
      (await ask(connectionEndpoints.findTokenOwner, { hash: hashOfToken(token) }, asService())).data,
  };
};

export type OpenedOauth = Awaited<ReturnType<typeof openOauth>>;
