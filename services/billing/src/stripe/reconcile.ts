import { planAt } from '@shortlist/contracts/plan';
import { cancelDeleted } from '../subscriptions/cancel-deleted.ts';
import { findSubscriber, listByCustomers } from '../subscriptions/queries.ts';
import { refreshSubscriber } from '../subscriptions/refresh-subscriber.ts';
import type { SubscriberRow } from '../subscriptions/subscriber.entity.ts';
import { stateOf } from '../subscriptions/write-plan.ts';
import { findCursor, setCursor } from './cursors.ts';
import { insertStripeEvent, listKnownEvents, settleEvents } from './inbox.ts';
import type { ListedEvent, ListedSubscription } from './lists.ts';
import type { ProcessParts } from './process-event.ts';
import { isMissing } from './reached.ts';
import { changesOf, differsFrom } from './reconcile.rules.ts';

export type Reconciled = { checked: number; failed: number; repaired: { userId: string; what: string }[] };
type Run = ProcessParts & { result: Reconciled };

/** A run looks at this many pages of a hundred subscriptions; the next one goes on where it stopped. */
const PAGES_A_RUN = 20;
const WAIT_MS = 2_000;
/** Events may be listed a little late, and clocks differ. */
const OVERLAP_MS = 60 * 60_000;
/** The provider keeps events for thirty days. */
const EVENTS_KEPT_MS = 29 * 86_400_000;

const repair = async ({ result, ...parts }: Run, before: SubscriberRow): Promise<boolean> => {
  const { userId } = before;
  try {
    await refreshSubscriber(parts, userId, {
      by: 'reconciliation',
      reason: 'reconciliation',
      waitMs: WAIT_MS,
    });
  } catch (error) {
    // One customer who cannot be read holds up nobody else.
    result.failed += 1;
    parts.log.warn({ err: error, userId }, 'not reconciled');
    return false;
  }
  const after = await findSubscriber(parts.db.manager, userId);
  const what = after ? changesOf(before, after) : '';
  if (what !== '') result.repaired.push({ userId, what });
  return true;
};

/** Answers the customers that were read. */
const repairCustomers = async (run: Run, customerIds: string[]): Promise<Set<string | null>> => {
  const read = new Set<string | null>();
  for (const subscriber of await listByCustomers(run.db.manager, [...new Set(customerIds)])) {
    if (await repair(run, subscriber)) read.add(subscriber.customerId);
  }
  return read;
};

/** Puts events that never reached us into the inbox, and reads their customers anew. */
const catchUpEvents = async (run: Run, events: ListedEvent[]): Promise<void> => {
  const { db, clock } = run;
  const known = await listKnownEvents(
    db.manager,
    events.map(({ eventId }) => eventId),
  );
  const missed = events.filter(({ eventId }) => !known.has(eventId));
  const receivedAt = clock();
  for (const event of missed) await insertStripeEvent(db.manager, { ...event, receivedAt });
  const customers = missed.map(({ customerId }) => customerId).filter((id) => id !== null);
  const read = await repairCustomers(run, customers);
  // What is left waits in the inbox like any other event: of somebody unknown, or of a customer who could not be read.
  const settled = missed.filter(({ customerId }) => read.has(customerId)).map(({ eventId }) => eventId);
  await settleEvents(db.manager, settled, { status: 'done', why: 'found by reconciliation' });
};

const reconcileEvents = async (run: Run): Promise<void> => {
  const { db, clock, stripe } = run;
  const startedAt = clock();
  const last = await findCursor(db.manager, 'events');
  const earliest = startedAt.getTime() - EVENTS_KEPT_MS;
  const since = new Date(Math.max(earliest, last === null ? 0 : Date.parse(last) - OVERLAP_MS));
  for (let cursor: string | null = null, more = true; more;) {
    const page = await stripe.listEvents({ since, cursor });
    await catchUpEvents(run, page.data);
    cursor = page.next;
    more = cursor !== null;
  }
  await setCursor(db.manager, 'events', startedAt.toISOString());
};

const compare = async (run: Run, listed: ListedSubscription[]): Promise<void> => {
  const { db, clock, result } = run;
  const rows = await listByCustomers(db.manager, [...new Set(listed.map(({ customerId }) => customerId))]);
  const byCustomer = new Map(rows.map((row) => [row.customerId, row]));
  result.checked += listed.length;
  for (const subscription of listed) {
    const row = byCustomer.get(subscription.customerId);
    if (row === undefined) continue;
    const isPaid = planAt({ ...stateOf(row), granted: null }, clock()).plan === 'premium';
    if (differsFrom(subscription, row, isPaid)) await repair(run, row);
  }
};

/** The page that the cursor names; the first one, if what it names is not there any more. */
const listFrom = async (
  stripe: Run['stripe'],
  cursor: string | null,
): ReturnType<Run['stripe']['listSubscriptions']> => {
  try {
    return await stripe.listSubscriptions(cursor);
  } catch (error) {
    if (cursor === null || !isMissing(error)) throw error;
    return stripe.listSubscriptions(null);
  }
};

const reconcileSubscriptions = async (run: Run): Promise<void> => {
  const { db, stripe } = run;
  let cursor = await findCursor(db.manager, 'subscriptions');
  for (let page = 0; page < PAGES_A_RUN; page += 1) {
    const { data, next } = await listFrom(stripe, cursor);
    await compare(run, data);
    cursor = next;
    await setCursor(db.manager, 'subscriptions', cursor);
    if (cursor === null) return;
  }
};

/**
 * Compares the provider's lists with what we hold and repairs what differs: every event of the last time that never reached us,
 * then every subscription, some pages a run. Costs a call for each hundred, and more only for those that differ.
 */
export const reconcile = async (parts: ProcessParts): Promise<Reconciled> => {
  const result: Reconciled = { checked: 0, failed: 0, repaired: [] };
  const run = { ...parts, result };
  await reconcileEvents(run);
  await reconcileSubscriptions(run);
  await cancelDeleted(parts);
  if (result.repaired.length > 0 || result.failed > 0) parts.log.warn(result, 'reconciliation repaired');
  return result;
};
