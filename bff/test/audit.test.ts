import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { NO_FACTORS, OWNER } from './factors-reply.ts';
import { respondWith, send, useBff } from './support.ts';

const bff = await useBff();

const ADMIN = '0198a0b0-0000-7000-8000-00000000000a';

it('a log-in of an admin reaches identity with the address of the client, for the audit log', async () => {
  bff.upstream.requests.length = 0;
  bff.upstream.respond = respondWith(() => ({
    data: { id: ADMIN, email: 'root@shortlist.test', admin: OWNER },
    factors: NO_FACTORS,
  }));
  const response = await send(bff.port, '/super-admin-authentication', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${uuidv7()}@shortlist.test`, password: 'open sesame' }),
  });
  expect(response.status).toBe(200);
  const record = bff.upstream.requests.find(({ url }) => url.endsWith('/sign-ins'));
  expect(await bff.callerOf('identity', record)).toEqual({
    role: 'service',
    userId: null,
    address: '127.0.0.1',
  });
});

it('a log-in of an admin that is not recorded fails, and leaves no session', async () => {
  const data = { id: uuidv7(), email: 'root@shortlist.test', admin: OWNER };
  bff.upstream.respond = (request, response, body) => {
    const isRecord = request.url?.endsWith('/sign-ins') === true;
    respondWith(() => ({ data, factors: NO_FACTORS }), isRecord ? 503 : 200)(request, response, body);
  };
  const response = await send(bff.port, '/super-admin-authentication', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${uuidv7()}@shortlist.test`, password: 'open sesame' }),
  });
  expect(response.status).toBe(503);
  expect(await bff.sessions.list(data.id)).toEqual([]);
});
