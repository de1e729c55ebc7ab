// The counts of requests of bff, which has no database: a hash for each half hour in the Redis of the sessions.
import { halfHours, inSeconds } from '@shortlist/contracts/durations';
import type { Redis } from '@shortlist/kit/data/redis';
import type { RequestStore } from '@shortlist/kit/process/count-requests';
import { SHOWN_HALF_HOURS, type StoredHalfHour } from '@shortlist/kit/process/request-counts.rules';

const keyOf = (time: number): string => `request-counts:${new Date(time).toISOString()}`;
const KEPT_SECONDS = inSeconds(halfHours(SHOWN_HALF_HOURS + 2));

const ERRORS = 'errors';
const MINUTE = 'minute:';

const storedOf = (startsAt: Date, fields: Record<string, string>): StoredHalfHour => {
  const names = Object.keys(fields);
  const bounds = names.filter((name) => /^\d+$/.test(name));
  return {
    startsAt,
    requests: new Map(bounds.map((bound) => [Number(bound), Number(fields[bound])])),
    errors: Number(fields[ERRORS] ?? 0),
    minutesUp: names.filter((name) => name.startsWith(MINUTE)).length,
  };
};

export const createRequestStore = (redis: Redis): RequestStore => ({
  add: async (startsAt, { requests, errors, minutes }) => {
    const key = keyOf(startsAt.getTime());
    const adding = redis.multi();
    for (const [bound, count] of requests) adding.hincrby(key, String(bound), count);
    adding.hincrby(key, ERRORS, errors);
    for (const minute of minutes) adding.hset(key, `${MINUTE}${minute}`, 1);
    await adding.expire(key, KEPT_SECONDS).exec();
  },
  list: async (from) => {
    const times = Array.from(
      { length: SHOWN_HALF_HOURS + 1 },
      (_, index) => from.getTime() + halfHours(index),
    );
    const stored = await Promise.all(times.map((time) => redis.hgetall(keyOf(time))));
    return stored.flatMap((fields, index) =>
      Object.keys(fields).length === 0 ? [] : [storedOf(new Date(times[index] ?? 0), fields)],
    );
  },
});
