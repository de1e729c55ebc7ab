import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { type Bff, respondWith, send, startBff } from './support.ts';

let bff: Bff;
beforeAll(async () => {
  bff = await startBff(inject('sessionsRedisUrl'));
});
afterAll(() => bff.close());

const data = { plan: 'premium', renews: false, problem: null };

beforeEach(() => {
  bff.upstream.requests.length = 0;
  bff.upstream.respond = respondWith(() => ({
    data,
    planState: { version: 3 },
    url: 'https://stripe.test/f',
  }));
});

const call = async (userId: string, method: string, path: string, body?: object) => {
  const { token } = await bff.sessions.begin(userId, 'user');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return send(bff.port, path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
};
const asked = () => bff.upstream.requests.map(({ method, url }) => `${method} ${url}`);

it.each([
  ['cancel', 'revoke', { when: 'period_end' }],
  ['resume', 'resume', {}],
  ['refresh', 'refresh', {}],
])(
  '%s is about the plan of the session, and the directory has the result',
  async (action, atBilling, body) => {
    const userId = uuidv7();
    const response = await call(userId, 'POST', `/api/subscription/${action}`, body);
    expect([response.status, JSON.parse(response.body)]).toEqual([200, { data }]);
    expect(asked()).toEqual([`POST /subscriptions/${userId}/${atBilling}`, `PUT /profiles/${userId}/plan`]);
  },
);

it('a cancellation takes the time of the end alone', async () => {
  const userId = uuidv7();
  for (const body of [{ when: 'tomorrow' }, { reason: 'why' }, { userId: uuidv7() }])
    expect((await call(userId, 'POST', '/api/subscription/cancel', body)).status).toBe(400);
  expect(asked()).toEqual([]);
});

it('the calls that cost calls to the provider are limited together, for each user apart', async () => {
  const userId = uuidv7();
  const open = (of: string) => call(of, 'GET', '/api/invoices/in_1/file');
  for (let count = 0; count < 59; count += 1) expect((await open(userId)).status).toBe(200);
  expect((await call(userId, 'POST', '/api/subscription/refresh')).status).toBe(200);
  expect((await open(userId)).status).toBe(429);
  expect((await call(userId, 'POST', '/api/subscription/resume')).status).toBe(429);
  expect((await open(uuidv7())).status).toBe(200);
});
