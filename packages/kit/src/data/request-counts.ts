// The counts of requests of a service, in its database: fifteen rows a half hour at most, for a day.
import type { RequestStore } from '../process/count-requests.ts';
import { firstKept, halfHourOf, type StoredHalfHour } from '../process/request-counts.rules.ts';
import type { Clock } from '../process/clock.ts';
import type { Db } from './db.ts';
import { migration } from './migration.ts';
import { change, instant, integer, selectRows, sql, joined } from './sql.ts';

/** A row of a half hour for each bucket of durations, and one without a bucket for its errors and minutes, a bit for each. */
export const requestCounts = migration('RequestCounts1768400000000', [
  `CREATE TABLE IF NOT EXISTS request_counts (
    starts_at DATETIME NOT NULL,
    bound_ms INT UNSIGNED NOT NULL,
    requests BIGINT UNSIGNED NOT NULL DEFAULT 0,
    errors BIGINT UNSIGNED NOT NULL DEFAULT 0,
    minutes BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (starts_at, bound_ms)
  ) ENGINE=InnoDB`,
]);

const OF_ALL = 0;

const bitsOf = (minutes: ReadonlySet<number>): string =>
  [...minutes].reduce((bits, minute) => bits | (1n << BigInt(minute)), 0n).toString();

const ROW = { startsAt: instant, bound: integer, requests: integer, errors: integer, minutesUp: integer };

export const createRequestStore = (db: Db, clock: Clock): RequestStore => {
  let prunedAt = 0;
  const prune = async (): Promise<void> => {
    const time = halfHourOf(clock()).getTime();
    if (time === prunedAt) return;
    await change(db, sql`DELETE FROM request_counts WHERE starts_at < ${firstKept(clock())}`);
    prunedAt = time;
  };
  return {
    add: async (startsAt, { requests, errors, minutes }) => {
      // In the order of the key, so that two processes do not wait for each other.
      const buckets = [...requests].toSorted(([one], [other]) => one - other);
      const rows = [
        sql`(${startsAt}, ${OF_ALL}, 0, ${errors}, ${bitsOf(minutes)})`,
        ...buckets.map(([bound, count]) => sql`(${startsAt}, ${bound}, ${count}, 0, 0)`),
      ];
      const values = joined(rows, ', ');
      await change(
        db,
        sql`INSERT INTO request_counts (starts_at, bound_ms, requests, errors, minutes) VALUES ${values}
          ON DUPLICATE KEY UPDATE requests = requests + VALUES(requests), errors = errors + VALUES(errors),
            minutes = minutes | VALUES(minutes)`,
      );
      await prune();
    },
    list: async (from) => {
      const rows = await selectRows(
        db,
        ROW,
        sql`SELECT starts_at AS startsAt, bound_ms AS bound, requests, errors, BIT_COUNT(minutes) AS minutesUp FROM request_counts
          WHERE starts_at >= ${from} ORDER BY starts_at, bound_ms`,
      );
      return [...Map.groupBy(rows, ({ startsAt }) => startsAt.getTime())].map(
        ([time, parts]): StoredHalfHour => {
          const all = parts.find(({ bound }) => bound === OF_ALL);
          const buckets = parts.filter(({ bound }) => bound !== OF_ALL);
          return {
            startsAt: new Date(time),
            requests: new Map(buckets.map(({ bound, requests }) => [bound, requests])),
            errors: all?.errors ?? 0,
            minutesUp: all?.minutesUp ?? 0,
          };
        },
      );
    },
  };
};
