import Joi from 'joi';
import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { HISTORY_PAGE, HISTORY_PAGE_MAX } from '@shortlist/contracts/limits';
import {
  reserveSchema,
  type ReserveInput,
  spendSchema,
  type SpendInput,
} from '@shortlist/contracts/schemas/credits';
import { userId, wholeNumber } from '@shortlist/contracts/schemas/text';
import type { Router } from '@shortlist/kit/http/router';
import { operationIdOf } from '../ledger/operation-id.ts';
import { listEntriesBefore } from '../ledger/queries.ts';
import { findPlanState } from '../users/queries.ts';
import { chargeCredit, type ChargeParts } from './charge-credit.ts';
import { presentCredits } from './present.ts';
import { reserveCredit } from './reserve-credit.ts';

const ownerOf = (input: { userId: string }): string => input.userId;

const addReadEndpoints = (router: Router, { db, clock, catchUp }: ChargeParts): void => {
  router.add(creditsEndpoints.getCredits, {
    roles: ['user', 'admin', 'service'],
    input: Joi.object<{ userId: string; planVersion?: number }, true>({
      userId,
      planVersion: wholeNumber.min(0),
    }),
    owner: ownerOf,
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
      limit: wholeNumber.min(1).max(HISTORY_PAGE_MAX),
      cursor: Joi.string().pattern(/^\d{1,19}$/),
    }),
    owner: ownerOf,
    handle: async ({ input: { userId: id, limit = HISTORY_PAGE, cursor = null } }) => {
      const entries = await listEntriesBefore(db.manager, id, { before: cursor, limit: limit + 1 });
      const data = entries.slice(0, limit);
      return { data, next: entries.length > limit ? (data.at(-1)?.id ?? null) : null };
    },
  });
};

export const addCreditsEndpoints = (router: Router, parts: ChargeParts): void => {
  addReadEndpoints(router, parts);

  router.add(creditsEndpoints.spend, {
    roles: ['user'],
    input: spendSchema.append<SpendInput & { userId: string }>({ userId }),
    owner: ownerOf,
    handle: ({ input, request }) => chargeCredit(parts, { ...input, operationId: operationIdOf(request) }),
  });

  router.add(creditsEndpoints.reserve, {
    roles: ['user'],
    input: reserveSchema.append<ReserveInput & { userId: string }>({ userId }),
    owner: ownerOf,
    handle: ({ input, request }) => reserveCredit(parts, { ...input, operationId: operationIdOf(request) }),
  });
};
