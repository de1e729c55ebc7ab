import { openTestRedis } from '@shortlist/kit/testing/databases';
import { createLog } from '@shortlist/kit/process/log';
import { createRedis, type Redis } from '@shortlist/kit/data/redis';
import { setTimeout as sleep } from 'node:timers/promises';
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
beforeEach(async () => {
  const redis = await openTestRedis(inject('queueRedisUrl'));
  clients = [redis];
  await redis.del('stripe:users:calls', 'stripe:background:calls');
});
afterEach(() => clients.forEach((redis) => redis.disconnect()));

/** The number of calls that may begin within the next 700 ms, less than a second. */
const admittedSoon = async (admissions: Promise<void>[]): Promise<number> => {
  let admitted = 0;
  for (const admission of admissions) void admission.then(() => (admitted += 1));
  await sleep(700);
  return admitted;
};
const many = (count: number, admit: Admission): Promise<void>[] => times(count).map(() => admit());

describe('the budget of calls to Stripe', () => {
  it('is shared by all processes, and the calls beyond it wait for the next seconds', async () => {
    const [one, other] = [await openProcess(), await openProcess()];
    const admissions = [...many(20, one.admitBackground), ...many(20, other.admitBackground)];
    expect(await admittedSoon(admissions)).toBe(PER_SECOND);
    await Promise.all(admissions);
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
    const admissions = many(PER_SECOND, other.admitBackground);
    expect(await admittedSoon(admissions)).toBe(5);
    await Promise.all(admissions);
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
