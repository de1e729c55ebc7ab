import { uuidv7 } from 'uuidv7';
import { beforeEach, expect, it } from 'vitest';
import { ana } from './multipart.ts';
import { type RawResponse, refuseWith, respondWith, useBff } from './support.ts';

const bff = await useBff();

const ID = uuidv7();
const continuation = { continuation: 'ends', premiumUntil: '2026-12-20T09:41:00.000Z' };

beforeEach(() => {
  bff.upstream.respond = respondWith(() => ({
    data: { id: ID, email: 'a@b.co', ...ana, plan: 'premium', ...continuation },
    planState: { version: 1 },
  }));
});

const unsubscribe = (body: object | string = ''): Promise<RawResponse> =>
  bff.call('revokePlan', { as: 'admin', id: ID, body });
const bodyAtBilling = (): unknown => bff.upstream.requestsTo(`/subscriptions/${ID}/revoke`)[0]?.json;

it('unsubscribing without a body names neither a time nor a reason', async () => {
  expect((await unsubscribe()).status).toBe(200);
  expect(bodyAtBilling()).toEqual({});
});

it('unsubscribing passes the time and the reason to billing, and responds with what becomes of the plan', async () => {
  const response = await unsubscribe({ when: 'period_end', reason: 'Team closed' });
  expect(bodyAtBilling()).toEqual({ when: 'period_end', reason: 'Team closed' });
  expect(response.json).toMatchObject({
    message: 'ends at period end',
    data: { subscription: continuation },
  });
});

it.each([{ when: 'later' }, { reason: 'x'.repeat(301) }, { reason: 7 }])(
  'unsubscribing refuses %j before billing is called',
  async (body) => {
    expect((await unsubscribe(body)).status).toBe(400);
    expect(bff.upstream.requests).toEqual([]);
  },
);

it('a failure of the provider is the agreed text, and a period that is not paid has its own', async () => {
  bff.upstream.respond = refuseWith('billing.provider_unavailable');
  expect((await unsubscribe()).body).toContain('Failed to unsubscribe user.');
  bff.upstream.respond = refuseWith('billing.period_not_paid');
  expect((await unsubscribe({ when: 'period_end' })).status).toBe(409);
});
