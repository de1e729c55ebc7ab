import { randomBytes } from 'node:crypto';
import { EXPORT_SECTIONS, privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { dataExportRequested, deletionCancelled } from '@shortlist/contracts/events/identity';
import { EXPORT_CHUNK_BYTES } from '@shortlist/contracts/limits';
import { createError } from '@shortlist/kit/process/errors';
import type { ServiceClient } from '@shortlist/kit/http/http-client';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suppress } from '../src/mail/suppression-queries.ts';
import { turnOffMails } from '../src/mail/turned-off-queries.ts';
import { sweepExports } from '../src/exports/sweep-exports.ts';
import { writeExport, zipPieces } from '../src/exports/write-export.ts';
import { readZip } from './read-zip.ts';
import { openWorker, START, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.close());

const PICTURE = randomBytes(2_000);
type Call = { path: string; input: Record<string, unknown> };

/** Services with a page of one row for each section, two for the ledger, and an identity that stores the pieces. */
const openServices = (userId: string, { failing = '' } = {}) => {
  const calls: Call[] = [];
  const pieces: Buffer[] = [];
  const isAt = (path: string, endpoint: { path: string }): boolean => path === endpoint.path;
  const section = ({ section: name, cursor, userId: about }: Record<string, unknown>): unknown => {
    if (name === failing) throw createError('service.unavailable');
    if (about !== userId) throw createError('request.not_found');
    if (name === 'pictures') {
      const row = { name: 'a.jpg', content: PICTURE.toString('base64') };
      return cursor === undefined ? { data: [row], next: 'a.jpg' } : { data: [], next: null };
    }
    if (name === 'ledger' && cursor === undefined)
      return { data: [{ id: '1', reason: '=HYPERLINK()', amount: -1 }], next: '1' };
    return { data: [{ id: '2', email: 'ada@people.test', reason: 'a, "b"' }], next: null };
  };
  const reply = (path: string, input: Record<string, unknown>): unknown => {
    calls.push({ path, input });
    if (isAt(path, privacyEndpoints.startExport)) return { data: { userId, attempt: 3 } };
    if (isAt(path, privacyEndpoints.storeExportChunk)) pieces.push(input['content'] as Buffer);
    return path.startsWith('/data-export/') ? section(input) : {};
  };
  const client = ((endpoint: { path: string }, input: Record<string, unknown>) =>
    Promise.resolve().then(() => reply(endpoint.path, input))) as unknown as ServiceClient;
  const write = () =>
    writeExport(
      { ...worker, identity: client, profile: client, billing: client, credits: client },
      'the-export',
    );
  const inputsAt = (endpoint: { path: string }) =>
    calls.filter(({ path }) => isAt(path, endpoint)).map(({ input }) => input);
  return { write, inputsAt, pieces };
};

describe('the file with the data of a user', () => {
  it('has every section of every service as JSON and CSV, the picture, the emails and a text', async () => {
    const userId = worker.addUser();
    await worker.publish(deletionCancelled, userId, { deletionId: uuidv7() });
    const suppressed = { email: `${userId}@people.test`, kind: 'bounced', reason: '550 unknown' } as const;
    await suppress(worker.db.manager, { ...suppressed, userId, occurredAt: START });
    await turnOffMails(worker.db.manager, userId, 'news');
    const { write, inputsAt, pieces } = openServices(userId);
    await write();
    const zip = Buffer.concat(pieces);
    const files = readZip(zip);
    const names = Object.entries(EXPORT_SECTIONS).flatMap(([service, sections]) => {
      const folder = service === 'identity' ? 'account' : service;
      return Object.keys(sections)
        .filter((name) => name !== 'pictures')
        .map((name) => (name === 'changes' ? `changes/${folder}` : `${folder}/${name}`));
    });
    const expected = [
      ...names,
      'mails/mails',
      'mails/settings',
      'mails/suppressed',
      'mails/webhooks',
    ].flatMap((name) => [`${name}.json`, `${name}.csv`]);
    expect([...files.keys()].toSorted()).toEqual([...expected, 'README.txt', 'profile/a.jpg'].toSorted());
    expect(files.get('profile/a.jpg')).toEqual(PICTURE);
    expect(files.get('README.txt')?.toString()).toContain('everything that Shortlist stores about you');
    expect(JSON.parse(String(files.get('credits/ledger.json')))).toHaveLength(2);
    const csv = String(files.get('credits/ledger.csv'));
    expect(csv).toMatch(/^\uFEFFid,amount,reason,reference,createdAt,clientId,requestedAmount\r\n/);
    expect(csv).toContain("1,-1,'=HYPERLINK(),,,,\r\n");
    expect(csv).toContain('2,,"a, ""b""",,,,\r\n');
    expect(JSON.parse(String(files.get('mails/mails.json')))).toMatchObject([{ kind: 'deletion_cancelled' }]);
    expect(JSON.parse(String(files.get('mails/suppressed.json')))).toEqual([
      { ...suppressed, at: START.toISOString() },
    ]);
    expect(JSON.parse(String(files.get('mails/settings.json')))).toEqual([{ newsMails: false }]);
    expect(inputsAt(privacyEndpoints.reportExport).map(({ done }) => done)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(inputsAt(privacyEndpoints.finishExport)).toEqual([
      { exportId: 'the-export', attempt: 3, bytes: zip.length },
    ]);
  });

  it('is reported as failed if a service does not respond, so that the job is repeated', async () => {
    const { write, inputsAt } = openServices(worker.addUser(), { failing: 'invoices' });
    await expect(write()).rejects.toMatchObject({ code: 'service.unavailable' });
    expect(inputsAt(privacyEndpoints.failExport)).toEqual([{ exportId: 'the-export', attempt: 3 }]);
    expect(inputsAt(privacyEndpoints.finishExport)).toEqual([]);
  });

  it('is written in pieces of a mebibyte', async () => {
    const content = randomBytes(3 * EXPORT_CHUNK_BYTES);
    const pieces: Buffer[] = [];
    // oxlint-disable-next-line typescript/require-await -- an entry is read by a generator
    const read = async function* read() {
      yield content;
    };
    for await (const piece of zipPieces([{ path: 'large.bin', read }], START)) pieces.push(piece);
    const sizes = pieces.map(({ length }) => length);
    expect(sizes.slice(0, 3)).toEqual(Array(3).fill(EXPORT_CHUNK_BYTES));
    expect(readZip(Buffer.concat(pieces)).get('large.bin')).toEqual(content);
  });

  it('is written by the request’s job, or by another if that was lost', async () => {
    const exportId = uuidv7();
    await worker.publish(dataExportRequested, worker.addUser(), { exportId });
    const jobs = () => worker.exportJobs.filter((job) => job.exportId === exportId);
    // The job is added after the event is recorded as consumed.
    await until('the job of the request', () => jobs().length === 1);
    const identity = (() => Promise.resolve({ data: [exportId] })) as unknown as ServiceClient;
    await sweepExports({ ...worker, identity });
    expect(jobs()).toHaveLength(2);
  });
});
