import { minutes } from '@shortlist/contracts/durations';
import { openTestRedis } from '@shortlist/kit/testing/databases';
import { uuidv7 } from 'uuidv7';
import { afterAll, expect, inject, it } from 'vitest';
import { createAttemptLimit } from '../src/limits/attempt-limit.ts';

const redis = await openTestRedis(inject('sessionsRedisUrl'));
afterAll(() => redis.disconnect());

it('A6 a refusal is held back for its time, and an attempt that passes is not', async () => {
  const settings = { name: uuidv7(), attempts: 1, windowMs: minutes(1), withoutRedis: 'refuse' } as const;
  const holdMs = 30_000;
  const limit = createAttemptLimit(redis, { ...settings, holdMs });
  await limit.consume('one');
  let isRefused = false;
  limit.consume('one').catch(() => (isRefused = true));
  // The same attempt without a hold has been refused by then.
  const withoutHold = createAttemptLimit(redis, settings);
  await expect(withoutHold.consume('one')).rejects.toMatchObject({ code: 'request.rate_limited' });
  await expect(withoutHold.consume('one')).rejects.toMatchObject({ code: 'request.rate_limited' });
  expect(isRefused).toBe(false);
});

it('A6 a refusal that was held back is a refusal', async () => {
  const settings = { name: uuidv7(), attempts: 1, windowMs: minutes(1), withoutRedis: 'refuse' } as const;
  const limit = createAttemptLimit(redis, { ...settings, holdMs: 20 });
  await limit.consume('one');
  await expect(limit.consume('one')).rejects.toMatchObject({ code: 'request.rate_limited' });
});
