import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import type { Suppression } from '@shortlist/contracts/api/email';
import { minutes } from '@shortlist/contracts/durations';
import { failuresKey } from '../src/limits/login-limits.ts';
import { respondWith, useBff } from './support.ts';

const ID = uuidv7();
const EMAIL = `${ID}@people.test`;
const PACKS = [{ credits: 250, paidCredits: 184 }];
const SUBSCRIPTION = { plan: 'free', problem: { kind: 'past_due' } };

let suppressions: Suppression[] = [];
const bff = await useBff({ REQUIRE_VERIFIED_EMAIL: 'checkout' });
bff.upstream.respond = respondWith(({ url }) => {
  if (url === `/packs/${ID}`) return { data: PACKS };
  if (url === '/suppressions/find') return { data: suppressions };
  return url === `/accounts/${ID}/email`
    ? { data: { email: EMAIL, isVerified: false, pendingEmail: 'new@people.test', confirmBy: null } }
    : { data: SUBSCRIPTION };
});

const readStatus = async (): Promise<{ status: number; data: unknown }> => {
  const { status, json } = await bff.call('accountStatus', { as: 'admin', id: ID });
  return { status, data: (json as { data: unknown }).data };
};

it('the status of an account has the subscription, the packs, the address and a lock, and not the requested address', async () => {
  const view = {
    subscription: SUBSCRIPTION,
    packs: PACKS,
    isVerified: false,
    confirmBy: null,
    blocksCheckout: true,
    suppression: null,
  };
  expect(await readStatus()).toEqual({ status: 200, data: { ...view, lockedUntil: null } });
  const until = Date.now() + minutes(15);
  await bff.redis.hset(failuresKey(EMAIL), 'until', until, 'failures', 20);
  expect(await readStatus()).toEqual({
    status: 200,
    data: { ...view, lockedUntil: new Date(until).toISOString() },
  });
  await bff.redis.hset(failuresKey(EMAIL), 'until', Date.now() - minutes(1));
  expect((await readStatus()).data).toMatchObject({ lockedUntil: null });
});

it('the status says why nothing is sent to the address, and nothing of the requested one', async () => {
  const found = { email: EMAIL, kind: 'bounced', reason: '550', at: '2026-11-20T09:41:00.000Z' } as const;
  suppressions = [{ ...found, email: 'new@people.test' }, found];
  expect((await readStatus()).data).toMatchObject({ suppression: found });
  suppressions = [{ ...found, email: 'new@people.test' }];
  expect((await readStatus()).data).toMatchObject({ suppression: null });
  const asked = bff.upstream.requestsTo('/suppressions/find');
  expect(asked.map(({ json }) => json)).toContainEqual({ emails: [EMAIL] });
  expect(asked.map(({ body }) => body.toString()).join()).not.toContain('new@people.test');
});
