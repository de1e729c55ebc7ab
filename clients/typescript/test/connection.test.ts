import { hash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient, createConnection, type Storage } from '../src/client.ts';

const URL_OF = 'https://app.shortlist.test';
const REDIRECT = 'https://abc.chromiumapp.org/';
const SCOPES = ['credits:read'];
const HOUR_MS = 60 * 60 * 1_000;

/** A server of OAuth: it answers each address with what a test plans, and otherwise with new tokens. */
const createServer = () => {
  const server = {
    planned: new Map<string, (object | 'lost')[]>(),
    forms: [] as { path: string; fields: Record<string, string> }[],
    tokens: 0,
    /** The token that the API accepts; null for each. */
    accepts: null as string | null,
  };
  const json = (status: number, body: object): Response =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

  const answer = (path: string): Response => {
    const plan = server.planned.get(path)?.shift();
    if (plan === 'lost') throw new TypeError('fetch failed');
    if (plan !== undefined) return json('error' in plan ? 400 : 200, plan);
    server.tokens += 1;
    return json(200, {
      access_token: `slt_0123456789abcdef${server.tokens}`,
      refresh_token: `refresh-${server.tokens}`,
      expires_in: 3_600,
    });
  };

  const respondToApi = (headers: Headers): Response => {
    const token = headers.get('authorization')?.replace('Bearer ', '');
    if (server.accepts === null || token === server.accepts) return json(200, { id: 'u', email: token });
    return json(401, { code: 'client.token_refused', title: 'Refused' });
  };

  const respond = (input: Parameters<typeof fetch>[0], { headers, body }: RequestInit): Response => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (pathname.startsWith('/api/')) return respondToApi(new Headers(headers));
    const fields = Object.fromEntries(body as URLSearchParams) as Record<string, string>;
    server.forms.push({ path: pathname, fields });
    return answer(pathname);
  };
  const fake: typeof fetch = (input, init = {}) => Promise.resolve().then(() => respond(input, init));
  return { server, fake };
};

const memory = (): Storage & { values: Map<string, string> } => {
  const values = new Map<string, string>();
  return { values, get: (name) => values.get(name), set: (name, value) => void values.set(name, value) };
};

let time = 0;
const open = () => {
  const { server, fake } = createServer();
  const storage = memory();
  const options = { url: URL_OF, clientId: 'tool-1', storage, fetch: fake, now: () => time };
  const connection = createConnection(options);
  const client = createClient({ url: URL_OF, key: connection, storage, fetch: fake });
  return { server, storage, connection, client, again: () => createConnection(options) };
};

/** Approves in the browser: `change` is what the reply says differently. */
const browser = (change: Record<string, string> = {}) => {
  const asked: URL[] = [];
  const approve = (url: string): Promise<string> => {
    const address = new URL(url);
    asked.push(address);
    const reply = { code: 'code-1', state: address.searchParams.get('state') ?? '', iss: URL_OF, ...change };
    return Promise.resolve(`${REDIRECT}?${new URLSearchParams(reply).toString()}`);
  };
  return { asked, asking: { scopes: SCOPES, redirectUri: REDIRECT, open: approve } };
};

beforeEach(() => {
  time = 1_000;
});
afterEach(() => void vi.useRealTimers());

describe('a connection by a browser', () => {
  it('sends the verifier of the challenge that it asked with', async () => {
    const { server, connection, client } = open();
    const { asked, asking } = browser();
    await connection.connectBrowser(asking);
    const query = asked[0]?.searchParams;
    expect(asked[0]?.href.startsWith(`${URL_OF}/oauth/authorize?`)).toBe(true);
    expect(query?.get('code_challenge_method')).toBe('S256');
    const fields = server.forms[0]?.fields ?? {};
    expect(fields).toMatchObject({
      grant_type: 'authorization_code',
      code: 'code-1',
      redirect_uri: REDIRECT,
    });
    expect(hash('sha256', fields['code_verifier'] ?? '', 'base64url')).toBe(query?.get('code_challenge'));
    expect((await client.me()).email).toBe('slt_0123456789abcdef1');
  });

  it.each([
    ['another request', { state: 'other' }, 'oauth.wrong_reply'],
    ['another server', { iss: 'https://evil.example' }, 'oauth.wrong_reply'],
  ])('takes no code of %s', async (_, change, code) => {
    const { server, connection } = open();
    await expect(connection.connectBrowser(browser(change).asking)).rejects.toMatchObject({ code });
    expect(server.forms).toEqual([]);
    expect(await connection.isConnected()).toBe(false);
  });

  it('says when its user has refused or closed the page', async () => {
    const { connection } = open();
    const refused = { ...browser().asking, open: () => Promise.resolve(`${REDIRECT}?error=access_denied`) };
    const closed = { ...browser().asking, open: () => Promise.resolve(undefined) };
    for (const asking of [refused, closed])
      await expect(connection.connectBrowser(asking)).rejects.toMatchObject({ code: 'oauth.access_denied' });
  });
});

describe('a connection by a device', () => {
  const CODE = { device_code: 'd', user_code: 'WDJB-MJHT', verification_uri: `${URL_OF}/connect` };

  it('waits for its user, longer when the server says so, and over a lost connection', async () => {
    vi.useFakeTimers();
    const { server, connection } = open();
    server.planned.set('/oauth/device', [CODE]);
    server.planned.set('/oauth/token', [{ error: 'authorization_pending' }, { error: 'slow_down' }, 'lost']);
    const codes: string[] = [];
    const connected = connection.connectDevice({
      scopes: SCOPES,
      deviceName: 'MacBook',
      onCode: ({ userCode }) => void codes.push(userCode),
    });
    await vi.advanceTimersByTimeAsync(5_000 + 5_000 + 10_000);
    expect(server.forms).toHaveLength(4);
    expect(await connection.isConnected()).toBe(false);
    await vi.advanceTimersByTimeAsync(10_000);
    await connected;
    expect(codes).toEqual(['WDJB-MJHT']);
    expect(server.forms[0]?.fields).toEqual({
      client_id: 'tool-1',
      scope: 'credits:read',
      device_name: 'MacBook',
    });
    expect(await connection.isConnected()).toBe(true);
  });

  it('ends when its user refuses', async () => {
    vi.useFakeTimers();
    const { server, connection } = open();
    server.planned.set('/oauth/device', [CODE]);
    server.planned.set('/oauth/token', [{ error: 'access_denied' }]);
    const refused = expect(
      connection.connectDevice({ scopes: SCOPES, onCode: () => undefined }),
    ).rejects.toMatchObject({ code: 'oauth.access_denied' });
    await vi.advanceTimersByTimeAsync(5_000);
    await refused;
  });
});

describe('the tokens of a connection', () => {
  const connect = async () => {
    const opened = open();
    await opened.connection.connectBrowser(browser().asking);
    opened.server.forms.length = 0;
    return opened;
  };

  it('are renewed once before they end, however many calls need one', async () => {
    const { server, client } = await connect();
    time += HOUR_MS - 30_000;
    const calls = await Promise.all([client.me(), client.me(), client.me()]);
    expect(new Set(calls.map(({ email }) => email))).toEqual(new Set(['slt_0123456789abcdef2']));
    expect(server.forms.map(({ fields }) => fields['refresh_token'])).toEqual(['refresh-1']);
  });

  it('are renewed when the server refuses one, and the call is repeated once', async () => {
    const { server, client } = await connect();
    server.accepts = 'slt_0123456789abcdef2';
    expect((await client.me()).email).toBe('slt_0123456789abcdef2');
    server.accepts = 'none';
    await expect(client.me()).rejects.toMatchObject({ code: 'client.token_refused' });
    expect(server.forms).toHaveLength(2);
  });

  it.each([
    ['the connection has ended', 'invalid_grant'],
    ['the tool is disabled', 'invalid_client'],
  ])('are forgotten when %s, and survive a server that is away', async (_, error) => {
    const { server, connection, client } = await connect();
    time += HOUR_MS;
    server.planned.set('/oauth/token', ['lost', { error }]);
    await expect(connection.token()).rejects.toMatchObject({ code: 'network.unreachable' });
    expect(await connection.isConnected()).toBe(true);
    await expect(client.me()).rejects.toMatchObject({ code: 'oauth.not_connected' });
    expect(await connection.isConnected()).toBe(false);
  });

  it('survive a restart, and are revoked and forgotten by the tool', async () => {
    const { server, storage, again } = await connect();
    expect(await again().token()).toBe('slt_0123456789abcdef1');
    expect(await again().name()).toBe('shortlist:slt_0123456789abcdef');
    await again().disconnect();
    expect(server.forms).toMatchObject([{ path: '/oauth/revoke', fields: { token: 'refresh-1' } }]);
    expect(await again().isConnected()).toBe(false);
    expect(JSON.stringify([...storage.values])).not.toContain('refresh-1');
  });
});
