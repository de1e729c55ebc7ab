import Joi from 'joi';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { planStateSchema } from '@shortlist/contracts/events/billing';
import type { PlanState } from '@shortlist/contracts/plan';
import { userId } from '@shortlist/contracts/schemas/text';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import { storePlan } from './store-plan.ts';

export const addPlanEndpoints = (router: Router, { db }: { db: Db }): void => {
  router.add(profileEndpoints.storePlan, {
    roles: ['service'],
    input: Joi.object<{ id: string; planState: PlanState }, true>({ id: userId, planState: planStateSchema }),
    handle: async ({ input }) => {
      await inTransaction(db, (tx) => storePlan(tx, input.id, input.planState));
      return {};
    },
  });
};
