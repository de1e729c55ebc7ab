import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { HISTORY_PAGE, HISTORY_PAGE_MAX } from '@shortlist/contracts/limits';
import {
  type ReserveInput,
  reserveSchema,
  type SpendInput,
  spendSchema,
} from '@shortlist/contracts/schemas/credits';
import { userId, wholeNumber } from '@shortlist/contracts/schemas/text';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import Joi from 'joi';
import { chargeCredit, type ChargeParts, reserveCredit } from './charges/charge-credit.ts';
import { presentCredits } from './charges/present.ts';
import { findPlanState } from './ledger/account-queries.ts';
import { listEntriesBefore, operationIdOf } from './ledger/queries.ts';
import { releaseExpired } from './reservations/return-credit.ts';
import { commitReservation, releaseReservation } from './reservations/settle-reservation.ts';
import { resetDue } from './windows/reset-due.ts';

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

const CHUNK = 500;

const reservationKey = Joi.object<{ userId: string; reservationId: string }, true>({
  userId,
  reservationId: Joi.string().guid().required(),
});

export const addReservationEndpoints = (router: Router, parts: { db: Db; clock: Clock; log: Log }): void => {
  const { db, clock } = parts;

  router.add(creditsEndpoints.commitReservation, {
    roles: ['user'],
    input: reservationKey,
    owner: ownerOf,
    handle: ({ input }) => inTransaction(db, (tx) => commitReservation(tx, input, clock)),
  });

  router.add(creditsEndpoints.releaseReservation, {
    roles: ['user'],
    input: reservationKey,
    owner: ownerOf,
    handle: ({ input }) => inTransaction(db, (tx) => releaseReservation(tx, input, clock)),
  });

  router.add(creditsEndpoints.releaseExpired, {
    roles: ['service'],
    input: Joi.object<{ limit?: number }, true>({ limit: wholeNumber.min(1).max(5_000) }),
    handle: ({ input }) => releaseExpired(parts, input.limit ?? CHUNK),
  });
};

export const addWindowEndpoints = (router: Router, { db, clock }: { db: Db; clock: Clock }): void => {
  router.add(creditsEndpoints.resetDue, {
    roles: ['service'],
    input: Joi.object<{ limit?: number }, true>({ limit: wholeNumber.min(1).max(5_000) }),
    handle: ({ input }) => resetDue(db, { clock, limit: input.limit ?? CHUNK }),
  });
};
