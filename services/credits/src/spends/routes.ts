import Joi from 'joi';
import { creditsDoors, IDEMPOTENCY_HEADER } from '@shortlist/contracts/api/credits';
import { HISTORY_PAGE, HISTORY_PAGE_MAX } from '@shortlist/contracts/limits';
import { idempotencyKeySchema, spendSchema, type SpendInput } from '@shortlist/contracts/schemas/credits';
import { userId } from '@shortlist/contracts/schemas/text';
import type { Clock } from '@shortlist/kit/clock';
import type { Db } from '@shortlist/kit/db';
import type { Doors } from '@shortlist/kit/doors';
import { coded } from '@shortlist/kit/errors';
import type { Log } from '@shortlist/kit/log';
import type { CatchUp } from '../plans/catch-up.ts';
import { findPlanState } from '../plans/queries.ts';
import { presentCredits } from './present.ts';
import { listSpendsBefore } from './queries.ts';
import { spendOnce } from './spend-once.ts';

type Parts = { db: Db; clock: Clock; catchUp: CatchUp; log: Log };

const idempotencyKey = (header: string | undefined): string => {
  const { value, error } = idempotencyKeySchema.validate(header);
  if (error) throw coded('credits.idempotency_key_missing');
  return value;
};

export const addCreditsDoors = (doors: Doors, parts: Parts): void => {
  const { db, clock, catchUp } = parts;

  doors.add(creditsDoors.getCredits, {
    roles: ['user', 'admin', 'service'],
    input: Joi.object<{ userId: string; planVersion?: number }, true>({
      userId,
      planVersion: Joi.number().integer().min(0),
    }),
    owner: (input) => input.userId,
    answer: async ({ input }) => {
      let state = await findPlanState(db.manager, input.userId);
      if (state.version < (input.planVersion ?? 0)) {
        await catchUp(input.userId);
        state = await findPlanState(db.manager, input.userId);
      }
      return presentCredits(db.manager, input.userId, { state, now: clock() });
    },
  });

  doors.add(creditsDoors.listHistory, {
    roles: ['user', 'admin'],
    input: Joi.object<{ userId: string; limit?: number; cursor?: string }, true>({
      userId,
      limit: Joi.number().integer().min(1).max(HISTORY_PAGE_MAX),
      cursor: Joi.string().pattern(/^\d{1,19}$/),
    }),
    owner: (input) => input.userId,
    answer: async ({ input: { userId: id, limit = HISTORY_PAGE, cursor = null } }) => {
      const entries = await listSpendsBefore(db.manager, id, { before: cursor, limit: limit + 1 });
      const data = entries.slice(0, limit);
      return { data, next: entries.length > limit ? (data.at(-1)?.id ?? null) : null };
    },
  });

  doors.add(creditsDoors.spend, {
    roles: ['user'],
    input: spendSchema.append<SpendInput & { userId: string }>({ userId }),
    owner: (input) => input.userId,
    answer: ({ input: { userId: id, ...spend }, request }) => {
      const operationId = idempotencyKey(request.get(IDEMPOTENCY_HEADER));
      return spendOnce(parts, { userId: id, spend: { ...spend, operationId } });
    },
  });
};
