import {
  bucketEndpoints,
  creditsEndpoints,
  type CreditsUsage,
  IDEMPOTENCY_HEADER,
  idempotencyKeySchema,
} from '@shortlist/contracts/api/credits';
import { USAGE_DAYS_MAX } from '@shortlist/contracts/limits';
import type { DayRange } from '@shortlist/contracts/schemas/validation';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { RETRY_SECONDS } from '@shortlist/kit/http/respond';
import type { Router } from '@shortlist/kit/http/router';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createConcurrencyLimit } from '@shortlist/kit/process/concurrency-limit';
import { createError, createFieldError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { findAccount, setCreditMails } from './accounts/queries.ts';
import { grantCredits, revokeCredits } from './balance/change-bucket.ts';
import { presentBalance, presentCredits, presentUserBuckets } from './balance/present.ts';
import { resetDue } from './buckets/open-bucket.ts';
import { findCurrentBuckets } from './buckets/queries.ts';
import type { CatchUp } from './charges/catch-up.ts';
import { Charges } from './charges/charge-credit.ts';
import { listHistory, sumUsage } from './ledger/queries.ts';
import { usagePeriod } from './ledger/usage-period.rules.ts';
import { listExpired } from './reservations/queries.ts';
import { commitReservation, releaseExpired, releaseReservation } from './reservations/settle-reservation.ts';

type Request = { get: (name: string) => string | undefined };

/** Which operation of which app a charge is. Throws `credits.idempotency_key_missing`. */
const originOf = ({ clientId }: Caller, request: Request) => {
  const result = idempotencyKeySchema.validate(request.get(IDEMPOTENCY_HEADER));
  if (result.error) throw createError('credits.idempotency_key_missing');
  return { operationId: result.value, clientId: clientId ?? null };
};

/** Throws `request.invalid` for more days or entries than a report may have. */
const readUsage = async (tx: Tx, userId: string, range: DayRange, now: Date): Promise<CreditsUsage[]> => {
  const refuse = (message: string) => createFieldError('request.invalid', 'from', { message });
  const period = usagePeriod(range, now);
  if (period === null) throw refuse(`Please choose at most ${USAGE_DAYS_MAX} days`);
  const usage = await sumUsage(tx, { userId, ...period });
  if (usage === null) throw refuse('There are too many entries in these days. Please choose fewer days');
  return usage;
};

/** Reports of one user that a process sums at a time: as many as some open pages, so that one user does not use all connections. */
const REPORTS_AT_ONCE = 3;

/** Buckets or reservations of one run of a job. */
const CHUNK = 500;

export type CreditsDependencies = { db: Db; clock: Clock; log: Log; catchUp: CatchUp };

export const addCreditsEndpoints = (
  router: Router,
  { db, clock, log, catchUp }: CreditsDependencies,
): void => {
  const charges = new Charges(db, clock, log, catchUp);
  const limitUsage = createConcurrencyLimit(REPORTS_AT_ONCE, () =>
    createError('request.rate_limited', { retryAfterSeconds: RETRY_SECONDS }),
  );

  router.add(creditsEndpoints.getCredits, async ({ input: { userId, planVersion } }) => {
    let now = clock();
    let current = planVersion === undefined ? null : await findCurrentBuckets(db.manager, userId, now);
    if (current === null || current.state.version < (planVersion ?? 0)) {
      await catchUp(userId);
      now = clock();
      current = await findCurrentBuckets(db.manager, userId, now);
    }
    return presentCredits(db.manager, current, now);
  });
  router.add(creditsEndpoints.getBalance, ({ input }) => presentBalance(db.manager, input.userId, clock()));
  router.add(creditsEndpoints.listHistory, ({ input }) => listHistory(db.manager, input.userId, input));
  router.add(creditsEndpoints.getUsage, async ({ input: { userId, ...range } }) => ({
    data: await limitUsage(userId, () => readUsage(db.manager, userId, range, clock())),
  }));
  router.add(creditsEndpoints.getCreditMails, async ({ input: { userId } }) => ({
    enabled: (await findAccount(db.manager, userId)).wantsMails,
  }));
  router.add(creditsEndpoints.setCreditMails, ({ input }) =>
    inTransaction(db, (tx) => setCreditMails(tx, input)),
  );
  router.add(creditsEndpoints.turnOffCreditMails, async ({ input: { userId } }) => {
    await inTransaction(db, (tx) => setCreditMails(tx, { userId, enabled: false }));
    return {};
  });

  router.add(creditsEndpoints.spend, ({ input, caller, request }) =>
    charges.charge({ ...input, ...originOf(caller, request) }),
  );
  router.add(creditsEndpoints.reserve, ({ input, caller, request }) =>
    charges.reserve({ ...input, ...originOf(caller, request) }),
  );
  router.add(creditsEndpoints.commitReservation, ({ input }) =>
    inTransaction(db, (tx) => commitReservation(tx, input, clock)),
  );
  router.add(creditsEndpoints.releaseReservation, ({ input }) =>
    inTransaction(db, (tx) => releaseReservation(tx, input, clock)),
  );

  router.add(creditsEndpoints.releaseExpired, async ({ input: { limit = CHUNK } }) => {
    const expired = await listExpired(db.manager, limit);
    const released = await releaseExpired(db, clock, log, expired);
    return { released, more: expired.length === limit };
  });
  router.add(creditsEndpoints.resetDue, ({ input: { limit = CHUNK } }) => resetDue(db, clock, limit));

  router.add(bucketEndpoints.listBuckets, async ({ input }) => ({
    data: await presentUserBuckets(db.manager, input.userId, clock()),
  }));
  router.add(bucketEndpoints.listBalances, async ({ input: { ids } }) => {
    const data = [];
    // One after the other: the page of an admin must not take the connections of those who charge.
    for (const userId of new Set(ids.toLowerCase().split(','))) {
      const { available } = await presentBalance(db.manager, userId, clock());
      data.push({ userId, available });
    }
    return { data };
  });
  router.add(bucketEndpoints.grantCredits, async ({ input, caller }) => ({
    data: await inTransaction(db, (tx) => grantCredits(tx, input, { caller, clock })),
  }));
  router.add(bucketEndpoints.revokeCredits, async ({ input, caller }) => ({
    data: await inTransaction(db, (tx) => revokeCredits(tx, input, { caller, clock })),
  }));
};
