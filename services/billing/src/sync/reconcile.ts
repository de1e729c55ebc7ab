import { closeDeleted } from './close-deleted.ts';
import { pushDueEmails } from './push-email.ts';
import type { SyncParts } from './event-action.ts';
import { reconcileEvents } from './reconcile-events.ts';
import { reconcileFees } from './reconcile-fees.ts';
import { reconcileRecords } from './reconcile-records.ts';
import { reconcileSubscriptions } from './reconcile-subscriptions.ts';
import type { Reconciled } from './repair-subscriber.ts';

/**
 * Compares Stripe's lists with the stored state and repairs what differs: first the events that were never delivered, then the
 * subscriptions, invoices, disputes and payouts, some pages of each a run, and the fees that are not known yet. It costs one call for each hundred objects, and more only for subscribers that differ.
 */
export const reconcile = async (parts: SyncParts): Promise<Reconciled> => {
  const result: Reconciled = { checked: 0, failed: 0, repaired: [] };
  const run = { ...parts, result };
  await reconcileEvents(run);
  await reconcileSubscriptions(run);
  await reconcileRecords(run);
  await reconcileFees(run);
  await closeDeleted(parts);
  await pushDueEmails(parts);
  if (result.repaired.length > 0 || result.failed > 0) parts.log.warn(result, 'reconciliation repaired');
  return result;
};
