import { publicPaths } from '@shortlist/contracts/api/public';
import { suppressionEndpoints } from '@shortlist/contracts/api/email';
import { VIEWING_SECONDS } from '@shortlist/contracts/limits';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, it } from 'vitest';
import { keysOfUser } from '../src/session/session.ts';
import { OWNER } from './factors-reply.ts';
import { bearer, type EndpointName, endpointNames } from './requests.ts';
import { refuseWith, respondWith, useBff } from './support.ts';

let elapsedMs = 0;
const bff = await useBff({}, { clock: () => new Date(Date.now() + elapsedMs) });
beforeEach(() => {
  elapsedMs = 0;
  bff.upstream.respond = respondWith((request) => ({
    data: request.url === suppressionEndpoints.findSuppressions.path ? [] : {},
    planState: { version: 1 },
  }));
});

const start = async (access: typeof OWNER | { role: 'support'; version: number } = OWNER) => {
  const [adminId, userId] = [uuidv7(), uuidv7()];
  const { token: admin } = await bff.sessions.begin({
    userId: adminId,
    role: 'admin',
    generation: 0,
    access,
  });
  const body = { reason: 'The price looks wrong' };
  const { status, json } = await bff.call('startViewing', { token: admin, id: userId, body });
  const { data } = json as { data?: { token: string; remainingTime: number } };
  return { adminId, userId, admin, status, token: data?.token ?? '', data };
};
const read = (token: string) => bff.call('email', { token });

const ALLOWED = new Set<EndpointName>([
  'checkUser',
  'config',
  'email',
  'subscription',
  'credits',
  'creditsHistory',
  'creditsUsage',
  'creditPacks',
  'invoices',
  'openInvoiceFile',
  'creditMails',
  'factors',
  'listApiKeys',
  'access',
  'webhooks',
  'webhookDeliveries',
  'listConnections',
  'listDevices',
  'listTrustedDevices',
  'listSignIns',
  'resendVerification',
  'logout',
]);

describe('an admin who views the product as a user', () => {
  it.each(endpointNames)('D7 may only read, and do what support needs: %s', async (name) => {
    const { token } = await start();
    bff.upstream.requests.length = 0;
    const { status, code } = await bff.call(name, { token });
    if (ALLOWED.has(name)) {
      expect([401, 403]).not.toContain(status);
      return;
    }
    expect(status).toBe(403);
    expect(['session.viewing', 'session.forbidden']).toContain(code);
    expect(bff.upstream.requests).toEqual([]);
  });

  it('D7 calls services as the user, with the id of the admin beside it', async () => {
    const { token, adminId, userId } = await start();
    const [recorded] = bff.upstream.requests;
    expect(recorded?.url).toBe(`/accounts/${userId}/viewings`);
    expect(recorded?.json).toMatchObject({ reason: 'The price looks wrong' });
    bff.upstream.requests.length = 0;
    await bff.call('resendVerification', { token });
    expect(await bff.callerOf('identity', bff.upstream.requests[0])).toMatchObject({
      role: 'user',
      userId,
      actorId: adminId,
    });
  });

  it('D7 does so for a quarter of an hour, however busy', async () => {
    const { token, data } = await start();
    expect(data?.remainingTime).toBe(VIEWING_SECONDS);
    elapsedMs = (VIEWING_SECONDS - 60) * 1000;
    expect((await read(token)).status).toBe(200);
    elapsedMs = VIEWING_SECONDS * 1000;
    expect((await read(token)).status).toBe(401);
  });

  it('D7 stops when the admin logs out, loses the role, or stops', async () => {
    const ended = await start();
    await bff.call('logout', { token: ended.admin });
    expect((await read(ended.token)).status).toBe(401);
    const demoted = await start({ role: 'support', version: 0 });
    expect((await read(demoted.token)).status).toBe(200);
    await bff.sessions.setAccess(demoted.adminId, { role: 'finance', version: 1 });
    expect((await read(demoted.token)).status).toBe(401);
    const stopped = await start();
    await bff.call('logout', { token: stopped.token });
    expect((await read(stopped.token)).status).toBe(401);
    expect((await bff.call('checkAdmin', { token: stopped.admin })).status).toBe(200);
  });

  it('D7 begins no session when it cannot be recorded', async () => {
    bff.upstream.respond = refuseWith('identity.user_not_found');
    const { status, userId, data } = await start();
    expect({ status, data }).toEqual({ status: 404, data: undefined });
    expect(await bff.redis.keys(keysOfUser(userId).session('*').replaceAll(/[{}]/g, '?'))).toEqual([]);
  });

  it('D7 is no device of the user, and leaves the list of them as it was', async () => {
    const { userId } = await start();
    const token = await bff.begin('user', userId);
    expect(await bff.sessions.list(userId)).toHaveLength(1);
    elapsedMs = (VIEWING_SECONDS + 60) * 1000;
    expect((await read(token)).status).toBe(200);
    expect(await bff.sessions.list(userId)).toHaveLength(1);
  });

  it('S2 is bound to the browser of the admin, not to that of the user', async () => {
    const [adminId, userId, binding] = [uuidv7(), uuidv7(), 'b'.repeat(43)];
    const owner = { userId: adminId, role: 'admin', generation: 0, access: OWNER } as const;
    const { token } = await bff.sessions.begin(owner, { binding });
    const viewing = await bff.sessions.beginViewing(userId, { id: adminId, token, binding });
    const check = (bindings: { user: string; admin: string }) => bff.sessions.check(viewing.token, bindings);
    expect(await check({ user: '', admin: binding })).toMatchObject({ userId, viewerId: adminId });
    expect(await check({ user: binding, admin: '' })).toBeNull();
  });

  it('D7 gets live updates of the user', async () => {
    const { token } = await start();
    const disconnect = new AbortController();
    const response = await fetch(`${bff.url}${publicPaths.live}`, {
      headers: bearer(token),
      signal: disconnect.signal,
    });
    expect(response.status).toBe(200);
    disconnect.abort();
  });
});
