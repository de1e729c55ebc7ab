import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { answering, type Bff, send, startBff } from './support.ts';

let bff: Bff;
beforeAll(async () => {
  bff = await startBff(inject('sessionsRedisUrl'));
});
afterAll(() => bff.close());

const ADMIN = '0198a0b0-0000-7000-8000-00000000000a';
const GONE = '0198a0b0-0000-7000-8000-00000000000b';

/** Each owner's part of the log, one entry by each of the two, and the one of them that identity knows. */
const answerAsServices = (): void => {
  bff.upstream.reply = answering((request) =>
    request.url?.startsWith('/accounts/admin-emails')
      ? { data: [{ id: ADMIN, email: 'root@shortlist.test' }] }
      : { data: [ADMIN, GONE].map((actorId) => ({ id: uuidv7(), actorId })) },
  );
};

const readLog = async (): Promise<{ data: { actorId: string; actorEmail: string | null }[] }> => {
  const { token } = await bff.sessions.begin(uuidv7(), 'admin');
  const reply = await send(bff.port, '/api/admin/audit', {
    method: 'GET',
    headers: { authorization: `Bearer ${token}` },
  });
  return JSON.parse(reply.body) as never;
};

it('an entry of the audit log names its admin by address; one who is no longer there has none', async () => {
  answerAsServices();
  const { data } = await readLog();
  expect(data).toHaveLength(6);
  for (const { actorId, actorEmail } of data)
    expect(actorEmail).toBe(actorId === ADMIN ? 'root@shortlist.test' : null);
});

it('J4 identity is asked for names once, for each admin once, and not for a page without entries', async () => {
  answerAsServices();
  const requestedUrls = (): string[] =>
    bff.upstream.seen.map(({ url }) => url).filter((url) => url.startsWith('/accounts/admin-emails'));
  bff.upstream.seen.length = 0;
  await readLog();
  expect(requestedUrls()).toHaveLength(1);
  const ids = new URL(requestedUrls()[0] ?? '', bff.url).searchParams.get('ids')?.split(',');
  expect(ids?.toSorted()).toEqual([ADMIN, GONE]);
  bff.upstream.seen.length = 0;
  bff.upstream.reply = answering(() => ({ data: [] }));
  expect((await readLog()).data).toEqual([]);
  expect(requestedUrls()).toEqual([]);
});
