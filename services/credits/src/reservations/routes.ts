import Joi from 'joi';
import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { userId, wholeNumber } from '@shortlist/contracts/schemas/text';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import { releaseExpired } from './release-expired.ts';
import { commitReservation, releaseReservation } from './settle-reservation.ts';

const CHUNK = 500;

const reservationKey = Joi.object<{ userId: string; reservationId: string }, true>({
  userId,
  reservationId: Joi.string().guid().required(),
});
const ownerOf = (input: { userId: string }): string => input.userId;

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
