import Joi from 'joi';
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import type { EarningsPeriod } from '@shortlist/contracts/earnings';
import { timeZoneSchema } from '@shortlist/contracts/schemas/text';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Db } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import { readEarnings } from './read-earnings.ts';

const input = Joi.object<{ period: EarningsPeriod; timeZone?: string }, true>({
  period: Joi.string().valid('week', 'month', 'year').required(),
  timeZone: timeZoneSchema,
});

export const addEarningsEndpoints = (
  router: Router,
  { db, clock, currency }: { db: Db; clock: Clock; currency: string },
): void => {
  router.add(billingEndpoints.earnings, {
    roles: ['admin'],
    input,
    handle: async ({ input: { period, timeZone = 'UTC' } }) => ({
      data: await readEarnings(db.manager, { period, timeZone, currency, now: clock() }),
    }),
  });
};
