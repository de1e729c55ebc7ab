import type { Tx } from '@shortlist/kit/db';
import { cancelDeleted } from '../subscriptions/cancel-deleted.ts';
import { refreshSubscriber } from '../subscriptions/refresh-subscriber.ts';
import type { ProcessParts } from './process-event.ts';

const PAGE = 200;

type Candidate = { user_id: string; version: number };

const listCustomers = (tx: Tx, after: string): Promise<Candidate[]> =>
  tx.query(
    `SELECT user_id, version FROM subscribers
     WHERE user_id > ? AND customer_id IS NOT NULL AND deleted_at IS NULL ORDER BY user_id LIMIT ?`,
    [after, PAGE],
  );

/** Reads every customer anew and repairs what differs: payments, cancellations and refunds that no webhook told us of. */
export const reconcile = async (
  parts: ProcessParts,
): Promise<{ checked: number; repaired: { userId: string; what: string }[] }> => {
  const repaired: { userId: string; what: string }[] = [];
  let checked = 0;
  for (let page = await listCustomers(parts.db.manager, ''); page.length > 0;) {
    for (const { user_id: userId, version } of page) {
      const state = await refreshSubscriber(parts, userId, {
        by: 'reconciliation',
        reason: 'reconciliation',
        waitMs: 2_000,
      });
      checked += 1;
      if (state.version !== version)
        repaired.push({ userId, what: `version ${version} to ${state.version}` });
    }
    page = await listCustomers(parts.db.manager, page.at(-1)?.user_id ?? '');
  }
  await cancelDeleted(parts);
  if (repaired.length > 0) parts.log.warn({ repaired }, 'reconciliation repaired');
  return { checked, repaired };
};
