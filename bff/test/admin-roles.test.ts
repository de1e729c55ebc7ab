import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { AdminAccess } from '@shortlist/contracts/api/team';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { keysOfUser } from '../src/session/session.ts';
import { send, useBff } from './support.ts';

const bff = await useBff();

const begin = async (userId: string, access: AdminAccess): Promise<string> =>
  (await bff.sessions.begin({ userId, role: 'admin', generation: 0, access })).token;
const call = async (token: string, path: string) => {
  const { status, body } = await send(bff.port, path, { headers: { authorization: `Bearer ${token}` } });
  return { status, ...(JSON.parse(body) as { role?: string; error?: { code: string } }) };
};
const check = (token: string) => call(token, publicEndpoints.checkAdmin.path);

describe('the role of an admin', () => {
  it('D6 is in the session check, and its lack is an error of its own', async () => {
    const token = await begin(uuidv7(), { role: 'support', version: 0 });
    expect(await check(token)).toMatchObject({ status: 200, role: 'support' });
    expect(await call(token, publicEndpoints.exportUsers.path)).toMatchObject({
      status: 403,
      error: { code: 'session.permission_missing' },
    });
  });

  it('D6 counts at once in every living session when it changes', async () => {
    const id = uuidv7();
    const tokens = [
      await begin(id, { role: 'owner', version: 0 }),
      await begin(id, { role: 'owner', version: 0 }),
    ];
    await bff.sessions.setAccess(id, { role: 'read_only', version: 1 });
    for (const token of tokens) {
      expect(await check(token)).toMatchObject({ status: 200, role: 'read_only' });
      expect((await call(token, publicEndpoints.exportUsers.path)).status).toBe(403);
    }
  });

  it('D6 of an earlier change does not replace that of a later one, nor does a log-in that began before', async () => {
    const id = uuidv7();
    const token = await begin(id, { role: 'owner', version: 3 });
    await bff.sessions.setAccess(id, { role: 'finance', version: 5 });
    await bff.sessions.setAccess(id, { role: 'support', version: 4 });
    const later = await begin(id, { role: 'owner', version: 3 });
    for (const each of [token, later]) expect(await check(each)).toMatchObject({ role: 'finance' });
  });

  it('D6 sessions of a suspended admin are refused, also one whose log-in began before', async () => {
    const id = uuidv7();
    const token = await begin(id, { role: 'owner', version: 0 });
    await bff.sessions.setAccess(id, { role: null, version: 1 });
    const later = await begin(id, { role: 'owner', version: 0 });
    for (const each of [token, later]) expect((await check(each)).status).toBe(401);
  });

  it('D6 a session whose role is not known is refused', async () => {
    const id = uuidv7();
    const token = await begin(id, { role: 'owner', version: 0 });
    await bff.redis.del(keysOfUser(id).access);
    expect((await check(token)).status).toBe(401);
  });
});
