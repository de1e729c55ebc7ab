import Joi from 'joi';
import { billingDoors } from '@shortlist/contracts/api/billing';
import type { EarningsPeriod } from '@shortlist/contracts/api/public';
import { timeZoneSchema } from '@shortlist/contracts/schemas/text';
import type { Clock } from '@shortlist/kit/clock';
import type { Db } from '@shortlist/kit/db';
import type { Doors } from '@shortlist/kit/doors';
import { readEarnings } from './read-earnings.ts';

const input = Joi.object<{ period: EarningsPeriod; timeZone?: string }, true>({
  period: Joi.string().valid('week', 'month', 'year').required(),
  timeZone: timeZoneSchema,
});

export const addEarningsDoors = (doors: Doors, { db, clock }: { db: Db; clock: Clock }): void => {
  doors.add(billingDoors.earnings, {
    roles: ['admin'],
    input,
    answer: async ({ input: { period, timeZone = 'UTC' } }) => ({
      data: await readEarnings(db.manager, { period, timeZone, now: clock() }),
    }),
  });
};
