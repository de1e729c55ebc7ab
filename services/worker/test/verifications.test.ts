import {
  jobEndpoints,
  verificationEndpoints,
  type VerificationReport,
} from '@shortlist/contracts/api/system';
import { hours } from '@shortlist/contracts/durations';
import { SERVICE_CALLER } from '@shortlist/kit/http/service-token';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { measureVerifications } from '../src/verifications/measure-verifications.ts';
import { openWorker, type Worker } from './support.ts';

let worker: Worker;
beforeAll(async () => {
  worker = await openWorker();
  measureVerifications(worker.metrics, worker.db);
});
beforeEach(() => worker.db.query('DELETE FROM verifications'));
afterAll(() => worker.close());

const HELD: VerificationReport = { checked: 36, unchecked: 1, breached: [] };
const BREACHED = {
  ...HELD,
  breached: [
    { invariant: 'V3', about: 'the ledger adds up', breaches: 2 },
    { invariant: 'V5', about: 'the outbox of billing is empty', breaches: 1 },
  ],
};

const report = (result: VerificationReport) =>
  worker.ask(verificationEndpoints.reportVerification, result, { caller: SERVICE_CALLER });
const read = async () => {
  const { data } = await worker.ask(
    jobEndpoints.getWorkStatus,
    {},
    { caller: { role: 'admin', userId: uuidv7() } },
  );
  return data.verification;
};
const figures = async (): Promise<(string | undefined)[]> => {
  const text = await worker.metrics.text();
  return ['timestamp_seconds', 'breaches'].map(
    (name) => new RegExp(`^verify_${name}\\{.*\\} (\\S+)$`, 'm').exec(text)?.[1],
  );
};

it('nothing is known before the first run', async () => {
  expect(await read()).toBeNull();
  expect(await figures()).toEqual(['0', '0']);
});

it('the newest run is stored, with the time of the newest that found no breach', async () => {
  await report(HELD);
  const held = await read();
  expect(held).toEqual({ ...HELD, endedAt: held?.heldAt, heldAt: expect.any(String) as string });
  await worker.db.query('UPDATE verifications SET ended_at = ended_at - INTERVAL 1 DAY');
  await report(BREACHED);
  const breached = await read();
  expect(breached).toMatchObject(BREACHED);
  const [ended = 0, heldAt = 0] = [breached?.endedAt, breached?.heldAt].map((time) => Date.parse(time ?? ''));
  expect(heldAt).toBe(Date.parse(held?.endedAt ?? '') - hours(24));
  expect(await figures()).toEqual([String(ended / 1_000), '3']);
  await report(HELD);
  expect((await read())?.breached).toEqual([]);
});

it('without one that found no breach, that time is unknown', async () => {
  await report(BREACHED);
  expect(await read()).toMatchObject({ heldAt: null });
});

it('reports at once leave one result', async () => {
  await Promise.all(Array.from({ length: 10 }, (_, index) => report(index % 2 === 0 ? HELD : BREACHED)));
  expect(await worker.db.query('SELECT name FROM verifications ORDER BY name')).toEqual([
    { name: 'last' },
    { name: 'last_held' },
  ]);
});

it.each([
  ['a negative count', { ...HELD, checked: -1 }],
  ['a breach without a statement', { ...HELD, breached: [{ invariant: 'V3', breaches: 1 }] }],
  ['too many invariants', { ...HELD, breached: Array(101).fill(BREACHED.breached[0]) }],
])('%s is refused', async (_name, result) => {
  await expect(report(result as VerificationReport)).rejects.toMatchObject({ code: 'request.invalid' });
  expect(await read()).toBeNull();
});
