import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { CHANGES_AN_HOUR } from '../src/http/change-limit.ts';
import { respondWith, send, useBff } from './support.ts';

const bff = await useBff();
bff.upstream.respond = respondWith(() => ({}));

const begin = async () => {
  const userId = uuidv7();
  return { userId, token: (await bff.sessions.begin(userId, 'user')).token };
};
const request = (token: string, path: string, method: string) =>
  send(bff.port, path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });

it('the changes of a user are refused beyond the limit of an hour, concurrent ones too; others’, charges, reads and ends are not', async () => {
  const { userId, token } = await begin();
  await bff.redis.set(`limit:changes:${userId}`, String(CHANGES_AN_HOUR - 3), 'EX', 600);
  const rotate = () => request(token, `/api/webhooks/${uuidv7()}/secret`, 'POST');
  const replies = await Promise.all(Array.from({ length: 8 }, rotate));
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(5);
  const refused = await request(token, `/users/${userId}`, 'PUT');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(500);
  for (const [path, method] of [
    ['/api/webhooks', 'GET'],
    [`/api/webhooks/${uuidv7()}`, 'DELETE'],
    ['/api/credits/spend', 'POST'],
    ['/api/sessions/end-others', 'POST'],
    ['/api/password', 'PUT'],
    ['/api/logout', 'POST'],
  ] as const)
    expect((await request(token, path, method)).status, path).not.toBe(429);
  const other = await begin();
  expect((await request(other.token, `/api/webhooks/${uuidv7()}/secret`, 'POST')).status).not.toBe(429);
});
