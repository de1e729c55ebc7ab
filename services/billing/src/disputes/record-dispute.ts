import { alertIdOf, resolveAlert } from '../alerts/raise-alert.ts';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import type { DisputeSnapshot } from '../stripe/snapshot.ts';
import { isClosed } from './dispute.rules.ts';
import { findDispute, insertTransactions, upsertDispute } from './queries.ts';

/**
 * Stores a dispute as last read from Stripe, with the money that it moved. The alert of its opening is resolved when it closes. The
 * caller has locked the subscriber's row.
 */
export const recordDispute = async (
  tx: Tx,
  { userId, dispute, clock }: { userId: string; dispute: DisputeSnapshot; clock: Clock },
): Promise<void> => {
  const { id: disputeId, transactions, ...columns } = dispute;
  const stored = await findDispute(tx, disputeId);
  const closedAt = isClosed(dispute) ? (stored?.closedAt ?? clock()) : null;
  await upsertDispute(tx, { disputeId, userId, ...columns, closedAt });
  await insertTransactions(
    tx,
    transactions.map(({ id: transactionId, ...transaction }) => ({
      transactionId,
      disputeId,
      ...transaction,
    })),
  );
  const isClosedNow = closedAt !== null && (stored?.closedAt ?? null) === null;
  if (isClosedNow) await resolveAlert(tx, alertIdOf('dispute_opened', disputeId), clock);
};
