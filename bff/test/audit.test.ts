import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { NO_FACTORS, OWNER } from './factors-reply.ts';
import { respondWith, type Bff, send, startBff } from './support.ts';

let bff: Bff;
beforeAll(async () => {
  bff = await startBff(inject('sessionsRedisUrl'));
});
afterAll(() => bff.close());

const ADMIN = '0198a0b0-0000-7000-8000-00000000000a';
const DELETED = '0198a0b0-0000-7000-8000-00000000000b';

/** Each service returns one entry of each admin; identity knows only one of the two. */
const stubServices = (): void => {
  bff.upstream.respond = respondWith((request) =>
    request.url?.startsWith('/accounts/admin-emails')
      ? { data: [{ id: ADMIN, email: 'root@shortlist.test' }] }
      : { data: [ADMIN, DELETED].map((actorId) => ({ id: uuidv7(), actorId })) },
  );
};

const readLog = async (): Promise<{ data: { actorId: string; actorEmail: string | null }[] }> => {
  const { token } = await bff.sessions.begin(uuidv7(), 'admin');
  const response = await send(bff.port, '/api/admin/audit', {
    method: 'GET',
    headers: { authorization: `Bearer ${token}` },
  });
  return JSON.parse(response.body) as never;
};

it('an audit entry contains the email of its admin, or null when the account is deleted', async () => {
  stubServices();
  const { data } = await readLog();
  expect(data).toHaveLength(6);
  for (const { actorId, actorEmail } of data)
    expect(actorEmail).toBe(actorId === ADMIN ? 'root@shortlist.test' : null);
});

it('J4 admin emails are read in one call without duplicates, and not for a page without entries', async () => {
  stubServices();
  const requestedUrls = (): string[] =>
    bff.upstream.requests.map(({ url }) => url).filter((url) => url.startsWith('/accounts/admin-emails'));
  bff.upstream.requests.length = 0;
  await readLog();
  expect(requestedUrls()).toHaveLength(1);
  const ids = new URL(requestedUrls()[0] ?? '', bff.url).searchParams.get('ids')?.split(',');
  expect(ids?.toSorted()).toEqual([ADMIN, DELETED]);
  bff.upstream.requests.length = 0;
  bff.upstream.respond = respondWith(() => ({ data: [] }));
  expect((await readLog()).data).toEqual([]);
  expect(requestedUrls()).toEqual([]);
});

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
