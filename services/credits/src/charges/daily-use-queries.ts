// What costs no credits has a limit for each user and day in UTC. One row of each kind counts it, so the limit costs no rows itself.
import { dayOf, days } from '@shortlist/contracts/durations';
import { FREE_CHARGES_PER_DAY, RESERVATIONS_PER_DAY } from '@shortlist/contracts/limits';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity } from '@shortlist/kit/data/entity';
import { change, sql } from '@shortlist/kit/data/sql';
import { createError } from '@shortlist/kit/process/errors';

const LIMITS = { reservation: RESERVATIONS_PER_DAY, free_charge: FREE_CHARGES_PER_DAY };

export const dailyUseEntity = defineEntity('daily_use', 'daily_uses', {
  userId: { ...column.uuid, primary: true },
  kind: { ...column.enumOf(Object.keys(LIMITS)), primary: true },
  day: column.date,
  uses: column.unsigned,
});

/** Counts a use on the day of `now`. The row stays locked, so concurrent uses cannot exceed the limit. */
export const countUse = async (
  tx: Tx,
  userId: string,
  kind: keyof typeof LIMITS,
  now: Date,
): Promise<void> => {
  const day = dayOf(now);
  // Raw SQL: LAST_INSERT_ID(expression) returns the new number without another statement. It is 0 for a new row.
  const counting = sql`INSERT INTO daily_uses (user_id, kind, day, uses) VALUES (${userId}, ${kind}, ${day}, 1)
    ON DUPLICATE KEY UPDATE uses = LAST_INSERT_ID(IF(day = VALUES(day), uses, 0) + 1), day = VALUES(day)`;
  const { insertId: uses } = await change(tx, counting);
  if (uses <= LIMITS[kind]) return;
  const retryAfterSeconds = Math.ceil((Date.parse(day) + days(1) - now.getTime()) / 1_000);
  throw createError('credits.daily_limit', { retryAfterSeconds });
};
