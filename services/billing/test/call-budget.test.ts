import { openTestRedis } from '@shortlist/kit/testing/databases';
import { createLog } from '@shortlist/kit/process/log';
import { createRedis, type Redis } from '@shortlist/kit/data/redis';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@shortlist/kit/testing/until';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { type Admission, CallBudget } from '../src/stripe/call-budget.ts';
import { times } from './support.ts';

const PER_SECOND = 20;

let clients: Redis[] = [];
const openProcess = async (perSecond = PER_SECOND): Promise<CallBudget> => {
  const redis = await openTestRedis(inject('queueRedisUrl'));
  clients.push(redis);
  return new CallBudget(redis, perSecond);
};
const forgetCalls = (redis: Redis): Promise<number> =>
  redis.del('stripe:users:calls', 'stripe:background:calls');
beforeEach(async () => {
  const redis = await openTestRedis(inject('queueRedisUrl'));
  clients = [redis];
  await forgetCalls(redis);
});
afterEach(() => clients.forEach((redis) => redis.disconnect()));

/** The number of calls that may begin within the next 700 ms, less than a second. */
const admittedSoon = async (admissions: Promise<void>[]): Promise<number> => {
  let admitted = 0;
  for (const admission of admissions) void admission.then(() => (admitted += 1));
  await sleep(700);
  return admitted;
};
/** When each call may begin, in ms from now, in order. */
const timesOf = async (admissions: Promise<void>[]): Promise<number[]> => {
  const startedAt = performance.now();
  const admitted = await Promise.all(
    admissions.map((admission) => admission.then(() => performance.now() - startedAt)),
  );
  return admitted.toSorted((a, b) => a - b);
};
const many = (count: number, admit: Admission): Promise<void>[] => times(count).map(() => admit());

describe('the budget of calls to Stripe', () => {
  it('is shared by all processes, and the calls beyond it wait for the next seconds', async () => {
    const [one, other] = [await openProcess(), await openProcess()];
    const admitted = await timesOf([...many(20, one.admitBackground), ...many(21, other.admitBackground)]);
    expect(admitted[PER_SECOND]).toBeGreaterThan(900);
    expect(admitted[2 * PER_SECOND]).toBeGreaterThan(1_900);
  });

  it('is spread over the second, so that no second of Stripe has more', async () => {
    const [one, other] = [await openProcess(), await openProcess()];
    const admitted = await timesOf([...many(10, one.admitBackground), ...many(10, other.admitBackground)]);
    expect(admitted[9]).toBeGreaterThan(400);
    expect(admitted[14]).toBeGreaterThan(650);
  });

  it('is waited for before a read, whose calls then begin at once', async () => {
    const budget = await openProcess(3);
    const startedAt = performance.now(); // before the second of the budget begins
    await Promise.all(many(2, budget.admitBackground));
    const times = await budget.reserveRead(async () => {
      const waitedMs = performance.now() - startedAt;
      const admitted = await timesOf(many(4, budget.admitBackground));
      return { waitedMs, admitted };
    });
    expect(times.waitedMs).toBeGreaterThan(900);
    expect(times.admitted[2]).toBeLessThan(200);
    expect(times.admitted[3], 'a fourth call waits like any other').toBeGreaterThan(250);
  });

  it('never holds back a call for which a user waits', async () => {
    const budget = await openProcess();
    await Promise.all(many(PER_SECOND, budget.admitBackground));
    expect(await admittedSoon(many(3 * PER_SECOND, budget.admitUser))).toBe(3 * PER_SECOND);
  });

  it('leaves to the background what users have not taken, also in another process', async () => {
    const [one, other] = [await openProcess(), await openProcess()];
    await Promise.all(many(15, one.admitUser));
    await sleep(50);
    const admitted = await timesOf(many(PER_SECOND, other.admitBackground));
    expect(admitted[0]).toBeGreaterThan(600);
    expect(admitted[5], 'the sixth waits for the next second').toBeGreaterThan(850);
  });

  it('is a quarter for each process while Redis is away', async () => {
    const redis = createRedis('redis://127.0.0.1:9', createLog('test', 'silent'));
    clients.push(redis);
    const budget = new CallBudget(redis, PER_SECOND);
    const admissions = many(8, budget.admitBackground);
    expect(await admittedSoon(admissions)).toBe(5);
    await Promise.all(admissions);
  });
});

it('the calls of the present second are those of all processes, for users and in the background', async () => {
  const [one, other] = [await openProcess(), await openProcess()];
  const [redis] = clients;
  await until('both calls in one second', async () => {
    if (redis) await forgetCalls(redis);
    await one.admitUser();
    await other.admitBackground();
    return (await one.read()).used === 2;
  });
  expect((await one.read()).limit).toBe(PER_SECOND);
});
