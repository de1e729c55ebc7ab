import { planAt } from '@shortlist/contracts/plan';
import { isMissing } from '../stripe/errors.ts';
import type { ListedSubscription } from '../stripe/lists.ts';
import { listByCustomers } from '../subscriptions/queries.ts';
import { stateOf } from '../subscriptions/write-plan.ts';
import { findCursor, setCursor } from './queries.ts';
import { differsFrom } from './reconcile.rules.ts';
import { repairSubscriber, type Run } from './repair-subscriber.ts';

/** A run reads this many pages of a hundred subscriptions; the next run continues at the cursor. */
const PAGES_PER_RUN = 20;

const compare = async (run: Run, listed: ListedSubscription[]): Promise<void> => {
  const { db, clock, result } = run;
  const rows = await listByCustomers(db.manager, [...new Set(listed.map(({ customerId }) => customerId))]);
  const byCustomer = new Map(rows.map((row) => [row.customerId, row]));
  result.checked += listed.length;
  for (const subscription of listed) {
    const row = byCustomer.get(subscription.customerId);
    if (row === undefined) continue;
    const isPaid = planAt({ ...stateOf(row), granted: null }, clock()).plan === 'premium';
    if (differsFrom(subscription, row, isPaid)) await repairSubscriber(run, row);
  }
};

/** The page after the cursor; the first page when the subscription that the cursor names no longer exists. */
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

/** Compares some pages of Stripe's subscriptions with the stored state and refreshes the subscribers that differ. */
export const reconcileSubscriptions = async (run: Run): Promise<void> => {
  const { db, stripe } = run;
  let cursor = await findCursor(db.manager, 'subscriptions');
  for (let page = 0; page < PAGES_PER_RUN; page += 1) {
    const { data, next } = await listFrom(stripe, cursor);
    await compare(run, data);
    cursor = next;
    await setCursor(db.manager, { list: 'subscriptions', position: cursor });
    if (cursor === null) return;
  }
};
