import Joi from 'joi';
import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { HISTORY_PAGE, HISTORY_PAGE_MAX } from '@shortlist/contracts/limits';
import { spendSchema, type SpendInput } from '@shortlist/contracts/schemas/credits';
import { userId } from '@shortlist/contracts/schemas/text';
import type { Router } from '@shortlist/kit/http/router';
import { findPlanState } from '../plans/queries.ts';
import { presentCredits } from './present.ts';
import { listEntriesBefore } from './queries.ts';
import { operationIdOf } from './operation-id.ts';
import { chargeOnce, type ChargeParts } from './spend-once.ts';

export const addCreditsEndpoints = (router: Router, parts: ChargeParts): void => {
  const { db, clock, catchUp } = parts;

  router.add(creditsEndpoints.getCredits, {
    roles: ['user', 'admin', 'service'],
    input: Joi.object<{ userId: string; planVersion?: number }, true>({
      userId,
      planVersion: Joi.number().integer().min(0),
    }),
    owner: (input) => input.userId,
    handle: async ({ input }) => {
      const { version } = await findPlanState(db.manager, input.userId);
      if (version < (input.planVersion ?? 0)) await catchUp(input.userId);
      return presentCredits(db.manager, input.userId, clock());
    },
  });

  router.add(creditsEndpoints.listHistory, {
    roles: ['user', 'admin'],
    input: Joi.object<{ userId: string; limit?: number; cursor?: string }, true>({
      userId,
      limit: Joi.number().integer().min(1).max(HISTORY_PAGE_MAX),
      cursor: Joi.string().pattern(/^\d{1,19}$/),
    }),
    owner: (input) => input.userId,
    handle: async ({ input: { userId: id, limit = HISTORY_PAGE, cursor = null } }) => {
      const entries = await listEntriesBefore(db.manager, id, { before: cursor, limit: limit + 1 });
      const data = entries.slice(0, limit);
      return { data, next: entries.length > limit ? (data.at(-1)?.id ?? null) : null };
    },
  });

  router.add(creditsEndpoints.spend, {
    roles: ['user'],
    input: spendSchema.append<SpendInput & { userId: string }>({ userId }),
    owner: (input) => input.userId,
    handle: ({ input: { userId: id, ...spend }, request }) => {
      const operationId = operationIdOf(request);
      return chargeOnce(parts, { userId: id, spend: { ...spend, operationId } });
    },
  });
};
