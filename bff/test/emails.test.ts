import { RESEND_PAUSE_SECONDS } from '@shortlist/contracts/limits';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { ana } from './multipart.ts';
import { respondWith, times, useBff } from './support.ts';

let isVerified = false;
const bff = await useBff({ REQUIRE_VERIFIED_EMAIL: 'checkout,api_keys' });
const relaxed = await useBff();
for (const { upstream } of [bff, relaxed])
  upstream.respond = respondWith(({ url = '' }) => {
    if (url.endsWith('/email')) return { data: { email: 'ana@people.test', isVerified } };
    return { url: 'https://checkout.stripe.test/', data: { id: uuidv7(), email: 'ana@people.test' } };
  });

describe.each(['subscribe', 'buyPack'] as const)('a checkout by %s', (name) => {
  it('A12 is refused until the address is confirmed, before billing is called', async () => {
    isVerified = false;
    const response = await bff.call(name, { as: 'user' });
    expect(response.status).toBe(403);
    expect(response.code).toBe('identity.email_unverified');
    expect(bff.upstream.requests.map(({ url }) => url).filter((url) => url.includes('checkout'))).toEqual([]);
    isVerified = true;
    expect((await bff.call(name, { as: 'user' })).status).toBe(200);
  });

  it('A12 is allowed at once where the operator requires nothing', async () => {
    isVerified = false;
    expect((await relaxed.call(name, { as: 'user' })).status).toBe(200);
  });
});

describe('an account that is about to get a plan or a pack', () => {
  const pathsOf = (): string[] => bff.upstream.requests.map(({ url }) => url);
  const positionOfKeep = (userId: string) => pathsOf().indexOf(`/unconfirmed-accounts/${userId}/keep`);

  it.each(['subscribe', 'buyPack'] as const)('A12 is kept before its checkout opens by %s', async (name) => {
    isVerified = true;
    const userId = uuidv7();
    await bff.call(name, { as: 'user', userId });
    expect(positionOfKeep(userId)).toBeGreaterThan(-1);
    expect(positionOfKeep(userId)).toBeLessThan(pathsOf().findIndex((url) => url.endsWith('/checkout')));
  });

  it('A12 is kept before an admin grants it the plan', async () => {
    const userId = uuidv7();
    await bff.call('grantPlan', { as: 'admin', id: userId });
    expect(positionOfKeep(userId)).toBeGreaterThan(-1);
    expect(positionOfKeep(userId)).toBeLessThan(pathsOf().findIndex((url) => url.endsWith('/grant')));
  });
});

describe('another mail to confirm the address', () => {
  it('A12 is sent once a minute, however many requests come at once', async () => {
    const userId = uuidv7();
    const responses = await Promise.all(
      times(10, () => bff.call('resendVerification', { as: 'user', userId })),
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
      statuses.push((await bff.call('resendVerification', { as: 'user', userId })).status);
      await bff.redis.del(`limit:resend-pause:${userId}`);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  });
});

describe('a sign-up with an address that an unconfirmed account has', () => {
  const user = { ...ana, email: 'ana@people.test' };
  const profiles = () => bff.upstream.requestsTo('/profiles').filter(({ method }) => method === 'POST');

  it('A12 is pending, and has no profile yet', async () => {
    const id = uuidv7();
    bff.upstream.respond = respondWith(() => ({
      data: { id, email: user.email, createdAt: '' },
      isPending: true,
    }));
    const response = await bff.call('signup', { body: { ...user, password: 'open sesame' } });
    expect(response.json).toEqual({
      message: 'signup',
      data: { id, email: user.email, picture: null, isPending: true },
    });
    expect(profiles()).toEqual([]);
  });

  it('A12 has one for the next read once its link is used', async () => {
    const registered = { ...user, id: uuidv7(), picture: null, createdAt: '2026-03-01T12:00:00.000Z' };
    const data = { userId: registered.id, email: user.email, registered };
    bff.upstream.respond = respondWith(() => ({ data }));
    const response = await bff.call('verifyEmail', { body: { token: 'A'.repeat(43) } });
    expect(response.json).toEqual({ data: { email: user.email } });
    expect(profiles().map(({ json }) => json)).toEqual([registered]);
  });
});
