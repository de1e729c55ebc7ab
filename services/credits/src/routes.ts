import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { HISTORY_PAGE } from '@shortlist/contracts/limits';
import { inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Log } from '@shortlist/kit/process/log';
import { chargeCredit, type ChargeParts, reserveCredit } from './charges/charge-credit.ts';
import { presentCredits } from './charges/present.ts';
import { findPlanState } from './ledger/account-queries.ts';
import { listEntriesBefore, operationIdOf } from './ledger/queries.ts';
import { releaseExpired } from './reservations/return-credit.ts';
import { commitReservation, releaseReservation } from './reservations/settle-reservation.ts';
import { resetDue } from './windows/reset-due.ts';

/** Windows or reservations of one run of a job. */
const CHUNK = 500;

export const addCreditsEndpoints = (router: Router, parts: ChargeParts & { log: Log }): void => {
  const { db, clock, catchUp } = parts;

  router.add(creditsEndpoints.getCredits, async ({ input: { userId, planVersion = 0 } }) => {
    const { version } = await findPlanState(db.manager, userId);
    if (version < planVersion) await catchUp(userId);
    return presentCredits(db.manager, userId, clock());
  });

  router.add(creditsEndpoints.listHistory, async ({ input }) => {
    const { userId, limit = HISTORY_PAGE, cursor = null } = input;
    const entries = await listEntriesBefore(db.manager, userId, { before: cursor, limit: limit + 1 });
    const data = entries.slice(0, limit);
    return { data, next: entries.length > limit ? (data.at(-1)?.id ?? null) : null };
  });

  router.add(creditsEndpoints.spend, ({ input, request }) =>
    chargeCredit(parts, { ...input, operationId: operationIdOf(request) }),
  );

  router.add(creditsEndpoints.reserve, ({ input, request }) =>
    reserveCredit(parts, { ...input, operationId: operationIdOf(request) }),
  );

  router.add(creditsEndpoints.commitReservation, ({ input }) =>
    inTransaction(db, (tx) => commitReservation(tx, input, clock)),
  );

  router.add(creditsEndpoints.releaseReservation, ({ input }) =>
    inTransaction(db, (tx) => releaseReservation(tx, input, clock)),
  );

  router.add(creditsEndpoints.releaseExpired, ({ input }) => releaseExpired(parts, input.limit ?? CHUNK));

  router.add(creditsEndpoints.resetDue, ({ input }) => resetDue(db, { clock, limit: input.limit ?? CHUNK }));
};
