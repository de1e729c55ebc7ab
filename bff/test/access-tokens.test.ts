import { randomBytes } from 'node:crypto';
import { fillPath } from '@shortlist/contracts/api/endpoint';
import { publicEndpoints, publicPaths } from '@shortlist/contracts/api/public';
import { minutes } from '@shortlist/contracts/durations';
import { tagOfUser } from '@shortlist/kit/http/access-token';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredKey } from '../src/api-keys/key-store.ts';
import { createOwners } from './api-key-owners.ts';
import { send, useBff } from './support.ts';

/** Of which a user has a tenth. */
const TOOL_LIMIT = 50;

let now: Date;
now = new Date();
const limits = { API_TOOL_LIMIT: String(TOOL_LIMIT) };
const bff = await useBff(limits, { clock: () => now });

let identity: ReturnType<typeof createOwners>;
beforeEach(() => {
  now = new Date();
  identity = createOwners(bff);
});

const call = (token: string, path = '/api/v1/entitlements', headers = {}) =>
  send(bff.port, path, { headers: { authorization: `Bearer ${token}`, ...headers } });
const refusal = async (token: string, path?: string): Promise<(number | string)[]> => {
  const { status, body, headers } = await call(token, path);
  const { 'www-authenticate': challenge } = headers;
  return [status, (JSON.parse(body) as { code: string }).code, ...(challenge ? [challenge] : [])];
};
const INVALID = 'Bearer error="invalid_token"';

describe('a request with an access token', () => {
  it('is answered for its user, whose service learns of the connection; identity is asked once', async () => {
    const { token, id, userId } = identity.addToken();
    for (let index = 0; index < 3; index += 1) expect((await call(token)).status).toBe(200);
    const request = bff.upstream.requests.find(({ url }) => url.startsWith('/credits/'));
    expect(await bff.callerOf('credits', request)).toMatchObject({ role: 'user', userId, clientId: id });
    expect(identity.reads).toBe(1);
  });

  it('D9 is refused with the tag of another user, under which the end of its connection would not be noticed', async () => {
    const { token } = identity.addToken();
    const other = identity.addToken().token;
    const moved = other.slice(0, 'slt_'.length + 16) + token.slice('slt_'.length + 16);
    expect(await refusal(moved)).toEqual([401, 'client.token_refused', INVALID]);
    expect((await call(token)).status).toBe(200);
  });

  it('records the day and the network of the use of its connection, once', async () => {
    const { token, id } = identity.addToken();
    await Promise.all([call(token), call(token)]);
    await until('the use is recorded', () => identity.uses.length === 1);
    expect(bff.upstream.requests.filter(({ url }) => url === `/connections/${id}/use`)).toHaveLength(1);
  });

  it('is refused for one that is unknown, expired, changed, or in the address, and no service learns of it', async () => {
    const { token } = identity.addToken({ expiresAt: new Date(now.getTime() + minutes(1)).toISOString() });
    expect((await call(token)).status).toBe(200);
    const unknown = `${token.slice(0, -4)}0000`;
    expect(await refusal(unknown)).toEqual([401, 'client.token_refused', INVALID]);
    expect(await refusal(token.slice(0, -1))).toEqual([401, 'client.key_refused', INVALID]);
    expect(await refusal(token, `/api/v1/me?access_token=${token}`)).toEqual([400, 'client.key_in_address']);
    expect(await refusal(token, `/api/v1/me?x=${token}`)).toEqual([400, 'client.key_in_address']);
    now = new Date(now.getTime() + minutes(1));
    expect(await refusal(token)).toEqual([401, 'client.token_refused', INVALID]);
    expect(bff.upstream.requests.filter(({ url }) => url.startsWith('/credits/'))).toHaveLength(1);
  });

  it('needs the scope of the endpoint, which the refusal names', async () => {
    const { token } = identity.addToken({ scopes: ['profile:read'] });
    const challenge = 'Bearer error="insufficient_scope", scope="credits:read"';
    expect(await refusal(token)).toEqual([403, 'client.scope_missing', challenge]);
  });

  it('does nothing while the account is about to be deleted', async () => {
    const { token } = identity.addToken({ restriction: 'deletion' });
    expect(await refusal(token)).toEqual([403, 'client.restricted']);
  });

  it('D9 ends at once when its user disconnects the tool, on this replica and the others', async () => {
    const { token, hash, userId } = identity.addToken();
    expect((await call(token)).status).toBe(200);
    identity.owners.delete(hash);
    const session = await bff.sessions.begin(userId, 'user');
    const { status } = await send(bff.port, `/api/connections/${uuidv7()}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${session.token}` },
    });
    expect(status).toBe(200);
    expect((await refusal(token))[1]).toBe('client.token_refused');
  });

  it('D9 is refused from the moment its tool is disabled, for all its users, though each is stored', async () => {
    const toolId = uuidv7();
    const tokens = Array.from({ length: 3 }, () => identity.addToken({ toolId }));
    const kept = identity.addToken();
    for (const { token } of [...tokens, kept]) expect((await call(token)).status).toBe(200);
    for (const { hash } of tokens) identity.owners.delete(hash);
    await bff.keyStore.disableTool(toolId, 1);
    for (const { token } of tokens)
      expect(await refusal(token)).toEqual([401, 'client.token_refused', INVALID]);
    expect((await call(kept.token)).status).toBe(200);
    const { reads } = identity;
    expect((await call(kept.token)).status).toBe(200);
    expect(identity.reads).toBe(reads);
  });

  it('D9 of a tool that was enabled again works when it is of a connection since then, also after a late event', async () => {
    const toolId = uuidv7();
    await bff.keyStore.disableTool(toolId, 2);
    await bff.keyStore.disableTool(toolId, 1);
    const { token } = identity.addToken({ toolId, toolGeneration: 2 });
    for (let index = 0; index < 2; index += 1) expect((await call(token)).status).toBe(200);
    expect(identity.reads).toBe(1);
    const { token: old, hash, ...owner } = identity.addToken({ toolId, toolGeneration: 1 });
    await bff.keyStore.store({ kind: 'token', tag: tagOfUser(owner.userId), hash }, '', owner);
    identity.owners.delete(hash);
    expect((await refusal(old))[1]).toBe('client.token_refused');
  });

  it('is read anew when an earlier version of bff has stored it without the generation of its tool', async () => {
    const toolId = uuidv7();
    const { token, hash, userId, ...owner } = identity.addToken({ toolId, toolGeneration: 1 });
    const { toolGeneration: _, ...before } = { ...owner, userId };
    const name = { kind: 'token', tag: tagOfUser(userId), hash } as const;
    await bff.keyStore.forget(userId);
    await bff.keyStore.store(name, '1', before as StoredKey);
    await bff.keyStore.disableTool(toolId, 1);
    expect((await call(token)).status).toBe(200);
    expect(identity.reads).toBe(1);
  });

  it(`is one of ${TOOL_LIMIT} a minute of its tool, whoever its users are`, async () => {
    const toolId = uuidv7();
    const tokens = Array.from({ length: TOOL_LIMIT }, () => identity.addToken({ toolId }).token);
    for (const [index, token] of tokens.entries()) {
      const { status, headers } = await call(token);
      expect([status, headers['ratelimit']]).toEqual([
        200,
        expect.stringContaining(`"client";r=${TOOL_LIMIT - index - 1};`),
      ]);
      expect(headers['ratelimit-policy']).toContain(`"client";q=${TOOL_LIMIT};w=60`);
    }
    const over = await call(identity.addToken({ toolId }).token);
    expect([over.status, Number(over.headers['retry-after']) > 0]).toEqual([429, true]);
    expect((await call(identity.addToken().token)).status).toBe(200);
    const { key } = identity.add({ scopes: ['credits:read'] });
    expect((await call(key)).headers['ratelimit']).not.toContain('client');
  });
});

describe('D1 a token of a tool reaches no endpoint of an account or of the panel', () => {
  const endpoints = Object.entries(publicEndpoints).filter(
    ([, { to }]) => !['strangers', 'everybody'].includes(to),
  );

  it.each(endpoints)('%s', async (_name, { method, path }) => {
    const id = uuidv7();
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, id]);
    const target = fillPath(path, Object.fromEntries(names) as Record<string, string>).path;
    const { token, userId } = identity.addToken({ userId: id });
    const { key } = identity.add({ userId });
    const refresh = randomBytes(32).toString('base64url');
    for (const credential of [token, key, refresh]) {
      const { status } = await send(bff.port, target, {
        method,
        headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: '{}' }),
      });
      expect([401, 403]).toContain(status);
    }
    expect(bff.upstream.requests).toEqual([]);
  });

  it('nor the live updates of its user', async () => {
    const { token } = identity.addToken();
    expect((await call(token, publicPaths.live)).status).toBe(401);
  });
});
