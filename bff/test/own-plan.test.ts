import { uuidv7 } from 'uuidv7';
import { beforeEach, expect, it } from 'vitest';
import { respondWith, useBff } from './support.ts';

const bff = await useBff();

const data = { plan: 'premium', renews: false, problem: null };

beforeEach(() => {
  bff.upstream.respond = respondWith(() => ({
    data,
    planState: { version: 3 },
    url: 'https://stripe.test/f',
  }));
});

const asked = () => bff.upstream.requests.map(({ method, url }) => `${method} ${url}`);

it.each([
  ['cancelPlan', 'revoke', { when: 'period_end' }],
  ['resumePlan', 'resume', {}],
  ['refreshPlan', 'refresh', {}],
] as const)(
  '%s is about the plan of the session, and the directory has the result',
  async (name, atBilling, body) => {
    const userId = uuidv7();
    const response = await bff.call(name, { as: 'user', userId, body });
    expect([response.status, response.json]).toEqual([200, { data }]);
    expect(asked()).toEqual([`POST /subscriptions/${userId}/${atBilling}`, `PUT /profiles/${userId}/plan`]);
  },
);

it('a cancellation takes the time of the end alone', async () => {
  for (const body of [{ when: 'tomorrow' }, { reason: 'why' }, { userId: uuidv7() }])
    expect((await bff.call('cancelPlan', { as: 'user', body })).status).toBe(400);
  expect(asked()).toEqual([]);
});

it('the calls that cost calls to the provider are limited together, for each user apart', async () => {
  const userId = uuidv7();
  const open = (id: string) => bff.call('GET /api/invoices/in_1/file', { as: 'user', userId: id });
  for (let count = 0; count < 59; count += 1) expect((await open(userId)).status).toBe(200);
  expect((await bff.call('refreshPlan', { as: 'user', userId })).status).toBe(200);
  expect((await open(userId)).status).toBe(429);
  expect((await bff.call('resumePlan', { as: 'user', userId })).status).toBe(429);
  expect((await open(uuidv7())).status).toBe(200);
});
