import { publicEndpoints } from '@shortlist/contracts/api/public';
import { fillPath } from '@shortlist/contracts/api/endpoint';
import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createOwners } from './api-key-owners.ts';
import { type Bff, send, startBff } from './support.ts';

let bff: Bff;
let other: Bff;
beforeAll(async () => {
  const redis = inject('sessionsRedisUrl');
  [bff, other] = await Promise.all([startBff(redis), startBff(redis)]);
});
afterAll(async () => {
  await bff.close();
  await other.close();
});

let identity: ReturnType<typeof createOwners>;
beforeEach(() => {
  bff.upstream.requests.length = 0;
  identity = createOwners(bff, ({ url = '' }) =>
    url.startsWith('/tools/') ? { data: { generation: 1 } } : { available: 0, buckets: [] },
  );
  other.upstream.respond = bff.upstream.respond;
});

const change = async (name: 'disableTool' | 'enableTool', toolId: string, adminRole: AdminRole = 'owner') => {
  const access = { role: adminRole, version: 0 };
  const { token } = await bff.sessions.begin({ userId: uuidv7(), role: 'admin', generation: 0, access });
  const { method, path } = publicEndpoints[name];
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const target = fillPath(path, { toolId }).path;
  return (await send(bff.port, target, { method, headers, body: '{}' })).status;
};
const statusAt = async ({ port }: Bff, token: string) =>
  (await send(port, '/api/v1/me', { headers: { authorization: `Bearer ${token}` } })).status;

describe('D9 an owner who disables a tool', () => {
  it('ends its tokens at every replica with the response, though both have stored them', async () => {
    const toolId = uuidv7();
    const { token, hash } = identity.addToken({ toolId });
    const kept = identity.addToken().token;
    for (const replica of [bff, other])
      for (const each of [token, kept]) expect(await statusAt(replica, each)).not.toBe(401);
    identity.owners.delete(hash);
    expect(await change('disableTool', toolId)).toBe(200);
    for (const replica of [bff, other]) {
      expect(await statusAt(replica, token)).toBe(401);
      expect(await statusAt(replica, kept)).not.toBe(401);
    }
    expect(await change('enableTool', toolId)).toBe(200);
    expect(await statusAt(other, token)).toBe(401);
  });

  it.each(['support', 'finance', 'read_only'] as const)('D6 is no %s admin', async (role) => {
    const toolId = uuidv7();
    const { token } = identity.addToken({ toolId });
    for (const name of ['disableTool', 'enableTool'] as const)
      expect(await change(name, toolId, role)).toBe(403);
    expect(await statusAt(bff, token)).not.toBe(401);
    expect(bff.upstream.requests.filter(({ url }) => url.startsWith('/tools/'))).toEqual([]);
  });
});
