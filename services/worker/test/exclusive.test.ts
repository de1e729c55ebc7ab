import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createTestDb, type TestDb } from '@shortlist/kit/testing/databases';
import { until } from '@shortlist/kit/testing/until';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runExclusively } from '../src/maintenance/maintenance-jobs.ts';

let database: TestDb;
const children: ChildProcess[] = [];
beforeAll(async () => {
  database = await createTestDb({ entities: [], migrations: [] });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await database.drop();
});

/** A process that has begun a job of this kind, which never ends. */
const startHanging = async (name: string): Promise<ChildProcess> => {
  const child = fork(`${import.meta.dirname}/hanging-job.ts`, [database.url, name]);
  children.push(child);
  await once(child, 'message');
  return child;
};

const RECONCILE = 'billing.reconcile_stripe';
const SWEEP = 'worker.sweep_mails';

it('a job is skipped while another process runs its kind, until that ends or dies, but other kinds run', async () => {
  const started: string[] = [];
  const run = runExclusively(database.db, {
    [RECONCILE]: () => Promise.resolve(started.push(RECONCILE)),
    [SWEEP]: () => Promise.resolve(started.push(SWEEP)),
  });
  const other = await startHanging(RECONCILE);
  await run[RECONCILE]();
  await run[SWEEP]();
  expect(started).toEqual([SWEEP]);
  other.kill('SIGKILL');
  await until('the kind to be free', async () => {
    await run[RECONCILE]();
    return started.includes(RECONCILE);
  });
});

it('a job is skipped while its own process runs the kind, and runs again after it has failed', async () => {
  const hanging = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  let tries = 0;
  const { [RECONCILE]: run } = runExclusively(database.db, {
    [RECONCILE]: () => {
      tries += 1;
      begun.resolve();
      return hanging.promise;
    },
  });
  const first = run();
  await begun.promise;
  await run();
  expect(tries).toBe(1);
  hanging.reject(new Error('unavailable'));
  await expect(first).rejects.toThrow('unavailable');
  await expect(run()).rejects.toThrow('unavailable');
  expect(tries).toBe(2);
});
