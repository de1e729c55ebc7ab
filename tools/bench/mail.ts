import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@shortlist/kit/testing/until';
import { schema } from '@shortlist/worker/db';
import { type BenchDb, startBenchDb } from './databases.ts';
import { type MailQueue, openCallingQueue, openEmptyQueue, openWorkerQueue } from './mail-queues.ts';
import { percentile } from './percentile.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
/** Jobs of a round that adds them to an idle queue. */
const SINGLE_JOBS = 200;
const PAUSE_MS = 10;
const INSERTS_AT_ONCE = 32;

type Print = (text: string) => void;
type Stub = ServerProcess & { countAccepted: () => Promise<number> };

const startStub = async (): Promise<Stub> => {
  const stub = await startServerProcess(process.execPath, [join(import.meta.dirname, 'mail-stub.ts')]);
  return {
    ...stub,
    countAccepted: async () =>
      ((await (await fetch(`${stub.url}/mails`)).json()) as { accepted: number }).accepted,
  };
};

const prepareJobs = async ({ jobs, prepare }: MailQueue): Promise<string[]> => {
  const ids: string[] = [];
  while (ids.length < jobs)
    ids.push(...(await Promise.all(Array.from({ length: INSERTS_AT_ONCE }, () => prepare()))));
  return ids;
};

/** Fills the queue and returns the jobs per second of a worker that then starts. */
const drain = async (queue: MailQueue): Promise<number> => {
  const ids = await prepareJobs(queue);
  await Promise.all(ids.map((id) => queue.add(id)));
  const { promise, resolve } = Promise.withResolvers<void>();
  let [ended, startedAt, endedAt] = [0, 0, 0];
  const worker = queue.start({
    started: () => (startedAt ||= performance.now()),
    ended: () => {
      ended += 1;
      endedAt = performance.now();
      if (ended === ids.length) resolve();
    },
  });
  await promise;
  await worker.stop();
  return (ids.length * 1000) / (endedAt - startedAt);
};

/** The times in ms from the begin of `add` to that of the job, for an idle worker. */
const startTimes = async (queue: MailQueue): Promise<number[]> => {
  const addedAt = new Map<string, number>();
  const times: number[] = [];
  let ended = 0;
  const worker = queue.start({
    started: (id) => times.push(performance.now() - (addedAt.get(id) ?? Number.NaN)),
    ended: () => (ended += 1),
  });
  for (let index = 0; index < SINGLE_JOBS; index += 1) {
    const id = await queue.prepare();
    addedAt.set(id, performance.now());
    await queue.add(id);
    await sleep(PAUSE_MS);
  }
  await until('the last job', () => ended === SINGLE_JOBS);
  await worker.stop();
  return times;
};

type Measured = { name: string; rates: number[]; times: number[] };

const describe = ({ name, rates, times }: Measured, baseline: Measured | undefined): string => {
  const rate = percentile(rates, 0.5);
  const range = `${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)}`;
  const started = `p50 ${percentile(times, 0.5).toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(2)} ms`;
  const ratio = (rate / percentile(baseline?.rates ?? [], 0.5)).toFixed(2);
  return `${name.padEnd(34)} ${rate.toFixed(0).padStart(6)}/s (${range})   of no-op ${ratio}   add to start: ${started}`;
};

const measureQueues = async (queues: readonly MailQueue[]): Promise<Measured[]> => {
  const all = queues.map((queue) => ({ queue, rates: [] as number[], times: [] as number[] }));
  for (const { queue } of all) await drain(queue); // warm-up
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { queue, rates, times } of all) {
      rates.push(await drain(queue));
      times.push(...(await startTimes(queue)));
    }
  return all.map(({ queue: { name }, ...measured }) => ({ name, ...measured }));
};

/** Every mail is sent, and the mail API has accepted as many. */
const assertSent = async ({ db }: BenchDb, stub: Stub): Promise<number> => {
  const rows: { status: string; mails: string }[] = await db.query(
    'SELECT status, COUNT(*) AS mails FROM mails GROUP BY status',
  );
  const sent = Number(rows.find(({ status }) => status === 'sent')?.mails ?? 0);
  const accepted = await stub.countAccepted();
  if (rows.length !== 1 || accepted !== sent)
    throw new Error(`${JSON.stringify(rows)}, and the mail API accepted ${accepted}`);
  return sent;
};

/** P13 Compares the mail jobs of worker with BullMQ's no-op jobs, and with jobs that only call the mail API. */
export const benchMail = async (print: Print): Promise<void> => {
  const bench = await startBenchDb('worker', schema, ['database', 'redis']);
  const stub = await startStub();
  const queues: MailQueue[] = [];
  try {
    queues.push(openEmptyQueue(bench), openCallingQueue(bench, stub.url));
    queues.push(await openWorkerQueue(bench, stub.url));
    const measured = await measureQueues(queues);
    for (const one of measured) print(`P13 ${describe(one, measured[0])}`);
    print(`    ${await assertSent(bench, stub)} mails sent`);
  } finally {
    for (const queue of queues) await queue.close();
    await stub.stop();
    await bench.stop();
  }
};
