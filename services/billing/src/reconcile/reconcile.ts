import { days, hours, minutes } from '@shortlist/contracts/durations';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { EVENT_TABLE } from '../inbox/event-table.ts';
import { listEvents } from '../inbox/poll-events.ts';
import { insertStripeEvent, listStoredEventIds } from '../records/event-queries.ts';
import { reconciliationFailures, reconciliationRepairs, reconciliationRuns } from '../metrics.ts';
import { listUnknownFees } from '../records/invoice-queries.ts';
import { closeDeleted } from '../erase-user.ts';
import { pushDueEmails } from '../refresh/push-email.ts';
import type { RefreshParts } from '../refresh/refresh-subscriber.ts';
import { recordPage } from '../revenue/record-movements.ts';
import type { ListedEvent } from '../stripe/lists.ts';
import { findCursor, setCursor } from './queries.ts';
import { readNewFees, reconcileRecords } from './reconcile-records.ts';
import {
  type Reconciled,
  reconcileSubscriptions,
  repairCustomers,
  repairUsers,
  type Run,
} from './reconcile-subscriptions.ts';

/** Stripe may list events a little late, and clocks differ. */
const OVERLAP_MS = hours(1);
/** Stripe keeps events for thirty days. */
const EVENT_RETENTION_MS = days(29);

/** Stores events that were never delivered and refreshes their customers. */
const catchUp = async (run: Run, events: ListedEvent[]): Promise<void> => {
  const { db, clock } = run;
  const stored = await listStoredEventIds(
    db.manager,
    events.map(({ eventId }) => eventId),
  );
  const missed = events.filter(({ eventId }) => !stored.has(eventId));
  const receivedAt = clock();
  for (const event of missed) await insertStripeEvent(db.manager, { ...event, receivedAt });
  const customers = missed.map(({ customerId }) => customerId).filter((id) => id !== null);
  // A refresh settles the events of its customer. The retry job processes the rest.
  await repairCustomers(run, customers);
};

/** Lists Stripe's events since the last run and processes those that are not stored. */
export const reconcileEvents = async (
  run: Run,
  types: readonly string[] = Object.keys(EVENT_TABLE),
): Promise<void> => {
  const { db, clock, stripe } = run;
  const startedAt = clock();
  const position = await findCursor(db.manager, 'events');
  const earliest = startedAt.getTime() - EVENT_RETENTION_MS;
  const since = new Date(Math.max(earliest, position === null ? 0 : Date.parse(position) - OVERLAP_MS));
  for await (const events of listEvents(stripe, { types, since })) await catchUp(run, events);
  await setCursor(db.manager, { list: 'events', position: startedAt.toISOString() });
};

/** Stripe captures most payments within this time, and lists them in the balance. */
const CAPTURE_MS = minutes(5);
/** Some fees stay unknown, for example of a customer deleted at Stripe, so each run reads a few and the next continues. */
const PER_RUN = 20;

/** Fills in fees that were unknown when their payment succeeded and that the lists of the balance do not show, as of an invoice paid in parts. */
const reconcileFees = async (run: Run): Promise<void> => {
  const { db, clock } = run;
  const invoices = await listUnknownFees(db.manager, {
    paidBefore: new Date(clock().getTime() - CAPTURE_MS),
    after: (await findCursor(db.manager, 'fees')) ?? '',
    limit: PER_RUN,
  });
  await repairUsers(
    run,
    invoices.map(({ userId }) => userId),
  );
  const position = invoices.length < PER_RUN ? null : (invoices.at(-1)?.invoiceId ?? null);
  await setCursor(db.manager, { list: 'fees', position });
};

/** Pages of users whose movements of revenue each run compares with their records. */
const REVENUE_PAGES = 5;

/** Records what only time has brought, such as the end of a subscription whose renewal failed, and what was stored before movements were. */
const reconcileRevenue = async (run: Run): Promise<void> => {
  let position = await findCursor(run.db.manager, 'revenue');
  for (let page = 0; page < REVENUE_PAGES; page += 1) {
    const { last, failed } = await recordPage(run, position ?? '');
    position = last;
    run.result.failed += failed.length;
    for (const { userId, error } of failed)
      run.log.warn({ err: error, userId }, 'movements of revenue not recorded');
    await setCursor(run.db.manager, { list: 'revenue', position });
    if (position === null) return;
  }
};

/**
 * Compares Stripe's lists with the stored state and repairs differences: first undelivered events and new fees, then some pages of subscriptions, invoices,
 * disputes, payouts, refunds and charges, and unknown fees. It needs one call per hundred objects, and more only for subscribers that differ.
 */
export const reconcile = async (parts: RefreshParts): Promise<Reconciled> => {
  const result: Reconciled = { checked: 0, failed: 0, repaired: [] };
  const run = { ...parts, result };
  await reconcileEvents(run);
  await readNewFees(run);
  await reconcileSubscriptions(run);
  await reconcileRecords(run);
  await reconcileFees(run);
  await reconcileRevenue(run);
  await closeDeleted(parts);
  await pushDueEmails(parts);
  if (result.repaired.length > 0 || result.failed > 0) parts.log.warn(result, 'reconciliation repaired');
  return result;
};

/** Returns a function that counts the result of a reconciliation and passes it on. */
export const countReconciled = (metrics: Metrics): ((result: Reconciled) => Reconciled) => {
  const runs = metrics.counter(reconciliationRuns);
  const repairs = metrics.counter(reconciliationRepairs);
  const failures = metrics.counter(reconciliationFailures);
  return (result) => {
    runs.inc();
    repairs.inc(result.repaired.length);
    failures.inc(result.failed);
    return result;
  };
};
