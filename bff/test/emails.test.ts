import { publicEndpoints } from '@shortlist/contracts/api/public';
import { RESEND_PAUSE_SECONDS } from '@shortlist/contracts/limits';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ana, field, form, MULTIPART } from './multipart.ts';
import { type Bff, type RawResponse, respondWith, send, startBff } from './support.ts';

let bff: Bff;
let relaxed: Bff;
let isVerified = false;
beforeAll(async () => {
  bff = await startBff(inject('sessionsRedisUrl'), { REQUIRE_VERIFIED_EMAIL: 'checkout,api_keys' });
  relaxed = await startBff(inject('sessionsRedisUrl'));
  for (const { upstream } of [bff, relaxed])
    upstream.respond = respondWith(({ url = '' }) => {
      if (url.endsWith('/email')) return { data: { email: 'ana@people.test', isVerified } };
      return { url: 'https://checkout.stripe.test/', data: { id: uuidv7(), email: 'ana@people.test' } };
    });
});
afterAll(async () => {
  await bff.close();
  await relaxed.close();
});

const call = async (
  { port, sessions }: Bff,
  name: 'subscribe' | 'buyPack' | 'resendVerification' | 'credits',
  userId: string = uuidv7(),
): Promise<RawResponse> => {
  const { method, path } = publicEndpoints[name];
  const { token } = await sessions.begin(userId, 'user');
  return send(port, path, { method, headers: { authorization: `Bearer ${token}` } });
};

describe.each(['subscribe', 'buyPack'] as const)('a checkout by %s', (name) => {
  it('A12 is refused until the address is confirmed, before billing is called', async () => {
    isVerified = false;
    bff.upstream.requests.length = 0;
    const response = await call(bff, name);
    expect(response.status).toBe(403);
    expect(response.body).toContain('"identity.email_unverified"');
    expect(bff.upstream.requests.map(({ url }) => url).filter((url) => url.includes('checkout'))).toEqual([]);
    isVerified = true;
    expect((await call(bff, name)).status).toBe(200);
  });

  it('A12 is allowed at once where the operator requires nothing', async () => {
    isVerified = false;
    expect((await call(relaxed, name)).status).toBe(200);
  });
});

describe('an account that is about to get a plan or a pack', () => {
  const pathsOf = (): string[] => bff.upstream.requests.map(({ url }) => url);
  const positionOfKeep = (userId: string) => pathsOf().indexOf(`/unconfirmed-accounts/${userId}/keep`);

  it.each(['subscribe', 'buyPack'] as const)('A12 is kept before its checkout opens by %s', async (name) => {
    isVerified = true;
    bff.upstream.requests.length = 0;
    const userId = uuidv7();
    await call(bff, name, userId);
    expect(positionOfKeep(userId)).toBeGreaterThan(-1);
    expect(positionOfKeep(userId)).toBeLessThan(pathsOf().findIndex((url) => url.endsWith('/checkout')));
  });

  it('A12 is kept before an admin grants it the plan', async () => {
    const userId = uuidv7();
    const { token } = await bff.sessions.begin(uuidv7(), 'admin');
    const headers = { authorization: `Bearer ${token}` };
    await send(bff.port, `/admin/user-payment/${userId}`, { method: 'PUT', headers });
    expect(positionOfKeep(userId)).toBeGreaterThan(-1);
    expect(positionOfKeep(userId)).toBeLessThan(pathsOf().findIndex((url) => url.endsWith('/grant')));
  });
});

describe('another mail to confirm the address', () => {
  it('A12 is sent once a minute, however many requests come at once', async () => {
    const userId = uuidv7();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => call(bff, 'resendVerification', userId)),
    );
    const statuses = responses.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([202, ...Array<number>(9).fill(429)]);
    const wait = Number(responses.find(({ status }) => status === 429)?.headers['retry-after']);
    expect(wait).toBeLessThanOrEqual(RESEND_PAUSE_SECONDS);
  });

  it('A12 is sent five times a day', async () => {
    const userId = uuidv7();
    const statuses: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      statuses.push((await call(bff, 'resendVerification', userId)).status);
      await bff.redis.del(`limit:resend-pause:${userId}`);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  });
});

describe('a sign-up with an address that an unconfirmed account has', () => {
  const user = { ...ana, email: 'ana@people.test' };
  const profiles = () =>
    bff.upstream.requests.filter(({ method, url }) => method === 'POST' && url === '/profiles');

  it('A12 is pending, and has no profile yet', async () => {
    const id = uuidv7();
    bff.upstream.requests.length = 0;
    bff.upstream.respond = respondWith(() => ({
      data: { id, email: user.email, createdAt: '' },
      isPending: true,
    }));
    const body = form(field('userData', JSON.stringify({ ...user, password: 'open sesame' })));
    const headers = { 'content-type': MULTIPART };
    const response = await send(bff.port, '/signup', { method: 'POST', headers, body });
    expect(JSON.parse(response.body)).toEqual({
      message: 'signup',
      data: { id, email: user.email, picture: null, isPending: true },
    });
    expect(profiles()).toEqual([]);
  });

  it('A12 has one for the next read once its link is used', async () => {
    const registered = { ...user, id: uuidv7(), picture: null, createdAt: '2026-03-01T12:00:00.000Z' };
    const data = { userId: registered.id, email: user.email, registered };
    bff.upstream.respond = respondWith(() => ({ data }));
    const { method, path } = publicEndpoints.verifyEmail;
    const body = JSON.stringify({ token: 'A'.repeat(43) });
    const headers = { 'content-type': 'application/json' };
    const response = await send(bff.port, path, { method, headers, body });
    expect(JSON.parse(response.body)).toEqual({ data: { email: user.email } });
    expect(profiles().map((request) => JSON.parse(request.body.toString()) as unknown)).toEqual([registered]);
  });
});
