import Joi from 'joi';
import { billingDoors } from '@shortlist/contracts/api/billing';
import type { EarningsPeriod } from '@shortlist/contracts/api/public';
import type { Clock } from '@shortlist/kit/clock';
import type { Db } from '@shortlist/kit/db';
import type { Doors } from '@shortlist/kit/doors';
import { isTimeZone } from './period.rules.ts';
import { readEarnings } from './read-earnings.ts';

const input = Joi.object<{ period: EarningsPeriod; timeZone?: string }, true>({
  period: Joi.string().valid('week', 'month', 'year').required(),
  timeZone: Joi.string()
    .max(60)
    .custom((value: string, helpers) => (isTimeZone(value) ? value : helpers.error('any.invalid')))
    .messages({ 'any.invalid': 'This time zone is not known' }),
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
