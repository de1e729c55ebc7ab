import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { hours, inSeconds } from '@shortlist/contracts/durations';
import { ana, field, form, MULTIPART } from './multipart.ts';
import { respondWith, send, useBff } from './support.ts';

const bff = await useBff();

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const signUp = (email: string, headers: Record<string, string> = {}) =>
  send(bff.port, '/signup', {
    method: 'POST',
    headers: { ...headers, 'content-type': MULTIPART },
    body: form(field('userData', JSON.stringify({ ...ana, email, password: 'open sesame' }))),
  });
const statusesOf = async (emails: string[]): Promise<Set<number>> => {
  const statuses = new Set<number>();
  for (const email of emails) statuses.add((await signUp(email)).status);
  return statuses;
};
const variantsOf = (name: string, count: number): string[] =>
  times(count).map((index) => `${name}+${index}@people.test`);

it('I6 sign-ups with aliases of one mailbox are limited by day; other addresses and admins are not', async () => {
  const name = uuidv7();
  bff.upstream.respond = respondWith(() => ({ data: { id: uuidv7(), email: 'x', createdAt: 'x' } }));
  expect(await statusesOf(variantsOf(name, 20))).toEqual(new Set([201]));
  const requestCount = bff.upstream.requests.length;
  const refused = await signUp(`${name}+again@people.test`);
  expect(refused.status).toBe(429);
  expect(JSON.parse(refused.body)).toMatchObject({ error: { code: 'request.rate_limited' } });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(inSeconds(hours(23)));
  expect(bff.upstream.requests).toHaveLength(requestCount);
  expect((await signUp(`${name}@elsewhere.test`)).status).toBe(201);
  // No address is stored.
  expect((await bff.redis.keys('limit:*')).filter((key) => key.includes(name))).toEqual([]);
  const { token } = await bff.sessions.begin(uuidv7(), 'admin');
  const asAdmin = { authorization: `Bearer ${token}` };
  expect((await signUp(`${name}+admin@people.test`, asAdmin)).status).toBe(201);
});

it('I6 sign-ups with aliases of a mailbox do not keep its owner from signing up', async () => {
  const name = uuidv7();
  bff.upstream.respond = respondWith(() => ({ data: { id: uuidv7(), email: 'x', createdAt: 'x' } }));
  expect(await statusesOf(variantsOf(name, 21))).toEqual(new Set([201, 429]));
  expect((await signUp(`${name}@people.test`)).status).toBe(201);
});

it('I6 sign-ups with one email address are limited by day', async () => {
  const email = `${uuidv7()}@people.test`;
  bff.upstream.respond = respondWith(() => ({ data: { id: uuidv7(), email: 'x', createdAt: 'x' } }));
  expect(await statusesOf(times(20).map(() => email))).toEqual(new Set([201]));
  expect((await signUp(email)).status).toBe(429);
});

it('I6 refused sign-ups do not count', async () => {
  const email = `${uuidv7()}@people.test`;
  bff.upstream.respond = respondWith(() => ({ error: { code: 'identity.email_taken', message: 'x' } }), 409);
  expect(await statusesOf(times(30).map(() => email))).toEqual(new Set([409]));
});
