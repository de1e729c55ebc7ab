import { dataExportEndpoints, privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { signUpEndpoints } from '@shortlist/contracts/api/authentication';
import { days, minutes } from '@shortlist/contracts/durations';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { dataExportReady, dataExportRequested } from '@shortlist/contracts/events/identity';
import { EXPORT_DAYS, EXPORT_PARTS } from '@shortlist/contracts/limits';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asService } from '@shortlist/kit/http/http-client';
import { ana, openIdentity } from './open-identity.ts';

const anonymous = { caller: { role: 'anonymous', userId: null }, timeoutMs: 30_000 } as const;
const service = asService();
const SUPERSEDED = { code: 'identity.export_superseded' };

let opened: Awaited<ReturnType<typeof openIdentity>>;
let elapsedMs = 0;
let id = '';
beforeAll(async () => {
  opened = await openIdentity({ clock: () => new Date(Date.now() + elapsedMs) });
});
afterAll(() => opened.close());
beforeEach(async () => {
  await opened.db.query('DELETE FROM accounts');
  id = (await opened.identity.ask(signUpEndpoints.register, ana, anonymous)).data.id;
});
afterEach(() => void (elapsedMs = 0));

const asUser = () => ({ caller: { role: 'user', userId: id } }) as const;
const request = async () =>
  (await opened.identity.ask(privacyEndpoints.requestDataExport, { id }, asUser())).data;
const latest = async () => (await opened.identity.ask(privacyEndpoints.getDataExport, { id }, asUser())).data;
const remove = () => opened.identity.ask(privacyEndpoints.removeDataExport, { id }, asUser());
const start = async (exportId: string) =>
  (await opened.identity.ask(privacyEndpoints.startExport, { exportId }, service)).data;
const waiting = async () =>
  (await opened.identity.ask(privacyEndpoints.listWaitingExports, {}, service)).data;
type Run = { exportId: string; attempt: number };
const store = (run: Run, position: number, content: string) =>
  opened.identity.ask(
    privacyEndpoints.storeExportChunk,
    { ...run, position, content: Buffer.from(content) },
    service,
  );
const finish = (run: Run, bytes: number) =>
  opened.identity.ask(privacyEndpoints.finishExport, { ...run, bytes }, service);
const fail = (run: Run) => opened.identity.ask(privacyEndpoints.failExport, run, service);
const download = async (): Promise<Response> => {
  const token = await opened.identity.sign('identity', asUser().caller);
  return fetch(`${opened.identity.url}/accounts/${id}/data-export/file`, {
    headers: { authorization: `Bearer ${token}` },
  });
};
const countEvents = async ({ type }: { type: string }): Promise<number> => {
  const rows = await opened.db.query<{ payload: string }[]>('SELECT payload FROM outbox');
  const events = rows.map(({ payload }) => JSON.parse(payload) as CloudEvent<unknown>);
  return events.filter((event) => event.type === type && event.subject === id).length;
};
const countChunks = async (): Promise<number> =>
  (await opened.db.query<unknown[]>('SELECT position FROM data_export_chunks')).length;

const write = async (exportId: string, content: string[]): Promise<Run> => {
  const run = { exportId, attempt: (await start(exportId))?.attempt ?? 0 };
  for (const [position, piece] of content.entries()) await store(run, position, piece);
  await finish(run, content.join('').length);
  return run;
};

describe('the file with the data of a user', () => {
  it('is limited to one at a time, even for concurrent requests, and three a day', async () => {
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => request()));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await countEvents(dataExportRequested)).toBe(1);
    for (let count = 1; count <= 2; count += 1) {
      await remove();
      await request();
    }
    await remove();
    await expect(request()).rejects.toMatchObject({ code: 'request.rate_limited' });
    elapsedMs = days(1);
    expect((await request()).state).toBe('waiting');
  });

  it('shows its progress, and can be downloaded for seven days', async () => {
    const { id: exportId } = await request();
    const run = { exportId, attempt: (await start(exportId))?.attempt ?? 0 };
    await opened.identity.ask(privacyEndpoints.reportExport, { ...run, done: 2 }, service);
    expect(await latest()).toMatchObject({ state: 'running', done: 2, bytes: null });
    expect((await download()).status).toBe(404);
    await store(run, 0, 'first,');
    await store(run, 0, 'first,');
    await store(run, 1, 'second');
    await finish(run, 12);
    expect(await latest()).toMatchObject({ state: 'ready', done: EXPORT_PARTS.length, bytes: 12 });
    expect(await countEvents(dataExportReady)).toBe(1);
    const response = await download();
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-length')).toBe('12');
    expect(await response.text()).toBe('first,second');
    elapsedMs = days(EXPORT_DAYS);
    expect((await latest())?.state).toBe('expired');
    expect((await download()).status).toBe(404);
  });

  it('is written by one run: an earlier one that was considered dead can no longer write', async () => {
    const { id: exportId } = await request();
    expect(await waiting()).toEqual([exportId]);
    const dead = { exportId, attempt: (await start(exportId))?.attempt ?? 0 };
    await store(dead, 0, 'of the dead run');
    expect(await start(exportId)).toBeNull();
    expect(await waiting()).toEqual([]);
    elapsedMs = minutes(3);
    expect(await waiting()).toEqual([exportId]);
    await write(exportId, ['whole']);
    await expect(store(dead, 1, 'late')).rejects.toMatchObject(SUPERSEDED);
    await expect(finish(dead, 4)).rejects.toMatchObject(SUPERSEDED);
    expect(await (await download()).text()).toBe('whole');
    expect(await countChunks()).toBe(1);
  });

  it('fails after five runs', async () => {
    const { id: exportId } = await request();
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect((await start(exportId))?.attempt).toBe(attempt);
      await fail({ exportId, attempt });
    }
    expect(await latest()).toMatchObject({ state: 'failed' });
    expect(await start(exportId)).toBeNull();
  });

  it('is removed by its user, by the next file, and with the account', async () => {
    const first = await request();
    await write(first.id, ['first']);
    const second = await request();
    await write(second.id, ['second']);
    expect(await countChunks()).toBe(1);
    await remove();
    expect(await latest()).toBeNull();
    expect(await countChunks()).toBe(0);
    const third = await request();
    await write(third.id, ['third']);
    await opened.identity.ask(
      privacyEndpoints.eraseUser,
      { id },
      { caller: { role: 'admin', userId: third.id } },
    );
    expect(await countChunks()).toBe(0);
  });

  it('contains what identity stores, without secrets', async () => {
    const read = (section: string) =>
      opened.identity.ask(dataExportEndpoints.identity, { userId: id, section }, service);
    expect((await read('account')).data).toMatchObject([{ id, email: ana.email, deletionDueAt: null }]);
    for (const section of ['email_changes', 'sign_ins', 'sign_in_methods', 'changes'])
      expect((await read(section)).next).toBeNull();
    expect(JSON.stringify(await read('account'))).not.toMatch(/password|hash|argon/i);
    await expect(read('secrets')).rejects.toMatchObject({ code: 'request.invalid' });
  });
});
