import Joi from 'joi';
import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { reserveSchema, type ReserveInput } from '@shortlist/contracts/schemas/credits';
import { userId } from '@shortlist/contracts/schemas/text';
import { inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import { operationIdOf } from '../charges/operation-id.ts';
import type { ChargeParts } from '../charges/spend-once.ts';
import { releaseExpired } from './release-expired.ts';
import { reserveCredit } from './reserve-credit.ts';
import { commitReservation, releaseReservation } from './settle-reservation.ts';

const CHUNK = 500;
/** Long enough for a slow lookup; a caller that died gives the credit back soon. */
const HOLD_SECONDS = 300;

type Settled = { userId: string; reservationId: string };
const settled = Joi.object<Settled, true>({ userId, reservationId: Joi.string().guid().required() });
const ownerOf = (input: { userId: string }): string => input.userId;

export const addReservationEndpoints = (router: Router, parts: ChargeParts): void => {
  const { db, clock } = parts;

  router.add(creditsEndpoints.reserve, {
    roles: ['user'],
    input: reserveSchema.append<ReserveInput & { userId: string }>({ userId }),
    owner: ownerOf,
    handle: ({ input: { userId: id, holdSeconds = HOLD_SECONDS, ...spend }, request }) =>
      reserveCredit(parts, {
        userId: id,
        spend: { ...spend, operationId: operationIdOf(request) },
        holdSeconds,
      }),
  });

  router.add(creditsEndpoints.commitReservation, {
    roles: ['user'],
    input: settled,
    owner: ownerOf,
    handle: ({ input }) => inTransaction(db, (tx) => commitReservation(tx, input, clock)),
  });

  router.add(creditsEndpoints.releaseReservation, {
    roles: ['user'],
    input: settled,
    owner: ownerOf,
    handle: ({ input }) => inTransaction(db, (tx) => releaseReservation(tx, input, clock)),
  });

  router.add(creditsEndpoints.releaseExpired, {
    roles: ['service'],
    input: Joi.object<{ limit?: number }, true>({ limit: Joi.number().integer().min(1).max(5_000) }),
    handle: ({ input }) => releaseExpired(parts, input.limit ?? CHUNK),
  });
};
