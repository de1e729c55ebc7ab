import Joi from 'joi';
import { creditsDoors } from '@shortlist/contracts/api/credits';
import { reserveSchema, type ReserveInput } from '@shortlist/contracts/schemas/credits';
import { userId } from '@shortlist/contracts/schemas/text';
import { inTransaction } from '@shortlist/kit/db';
import type { Doors } from '@shortlist/kit/doors';
import { operationIdOf } from '../spends/operation-id.ts';
import type { SpendParts } from '../spends/spend-once.ts';
import { releaseExpired } from './release-expired.ts';
import { reserveCredit } from './reserve-credit.ts';
import { commitReservation, releaseReservation } from './settle-reservation.ts';

const CHUNK = 500;
/** Long enough for a slow lookup; a caller that died gives the credit back soon. */
const HOLD_SECONDS = 300;

type Settled = { userId: string; reservationId: string };
const settled = Joi.object<Settled, true>({ userId, reservationId: Joi.string().guid().required() });
const ownerOf = (input: { userId: string }): string => input.userId;

export const addReservationDoors = (doors: Doors, parts: SpendParts): void => {
  const { db, clock } = parts;

  doors.add(creditsDoors.reserve, {
    roles: ['user'],
    input: reserveSchema.append<ReserveInput & { userId: string }>({ userId }),
    owner: ownerOf,
    answer: ({ input: { userId: id, holdSeconds = HOLD_SECONDS, ...spend }, request }) =>
      reserveCredit(parts, {
        userId: id,
        spend: { ...spend, operationId: operationIdOf(request) },
        holdSeconds,
      }),
  });

  doors.add(creditsDoors.commitReservation, {
    roles: ['user'],
    input: settled,
    owner: ownerOf,
    answer: ({ input }) => inTransaction(db, (tx) => commitReservation(tx, input, clock)),
  });

  doors.add(creditsDoors.releaseReservation, {
    roles: ['user'],
    input: settled,
    owner: ownerOf,
    answer: ({ input }) => inTransaction(db, (tx) => releaseReservation(tx, input, clock)),
  });

  doors.add(creditsDoors.releaseExpired, {
    roles: ['service'],
    input: Joi.object<{ limit?: number }, true>({ limit: Joi.number().integer().min(1).max(5_000) }),
    answer: ({ input }) => releaseExpired(parts, input.limit ?? CHUNK),
  });
};
