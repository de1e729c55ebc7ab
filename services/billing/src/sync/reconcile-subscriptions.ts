import { planAt } from '@shortlist/contracts/plan';
import { inTransaction } from '@shortlist/kit/data/db';
import type { ListedSubscription } from '../stripe/lists.ts';
import { isRecorded } from '../history/history.rules.ts';
import { findRecorded, type OwnedSubscription, recordSubscriptions } from '../history/queries.ts';
import { listByCustomers } from '../subscriptions/queries.ts';
import { stateOf } from '../subscriptions/write-plan.ts';
import { differsFrom } from './reconcile.rules.ts';
import { repairSubscriber, type Run } from './repair-subscriber.ts';
import { walkList } from './walk-list.ts';

const PAGES_PER_RUN = 20;

const compare = async (run: Run, listed: ListedSubscription[]): Promise<void> => {
  const { db, clock, result } = run;
  const rows = await listByCustomers(db.manager, [...new Set(listed.map(({ customerId }) => customerId))]);
  const byCustomer = new Map(rows.map((row) => [row.customerId, row]));
  const recorded = await findRecorded(
    db.manager,
    listed.map(({ id }) => id),
  );
  const missing: OwnedSubscription[] = [];
  result.checked += listed.length;
  for (const subscription of listed) {
    const row = byCustomer.get(subscription.customerId);
    if (row === undefined) continue;
    const isPaid = planAt({ ...stateOf(row), granted: null }, clock()).plan === 'premium';
    if (differsFrom(subscription, row, isPaid)) await repairSubscriber(run, row);
    else if (!isRecorded(subscription, recorded.get(subscription.id)))
      missing.push({ userId: row.userId, subscription });
  }
  // The list has all that the history needs, so that filling it in costs no call for each customer.
  await inTransaction(db, (tx) => recordSubscriptions(tx, missing));
};

/** Compares some pages of Stripe's subscriptions with the stored state and refreshes the subscribers that differ. */
export const reconcileSubscriptions = (run: Run): Promise<void> =>
  walkList(run, {
    list: 'subscriptions',
    pages: PAGES_PER_RUN,
    read: run.stripe.listSubscriptions,
    compare: (listed) => compare(run, listed),
  });
