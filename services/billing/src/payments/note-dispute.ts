import { recordAdminChange } from '@shortlist/audit/audit-log';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { findDispute } from '../records/dispute-queries.ts';
import { lockSubscriber } from '../subscriptions/queries.ts';

type Note = { invoiceId: string; disputeId: string; note: string };

/** Adds an admin's note on a dispute to the audit log. */
export const noteDispute = async (
  tx: Tx,
  { invoiceId, disputeId, note }: Note,
  by: { caller: Caller; clock: Clock },
): Promise<void> => {
  const dispute = await findDispute(tx, disputeId);
  if (dispute === null || dispute.invoiceId !== invoiceId) throw createError('billing.dispute_not_found');
  const { userId: targetId } = dispute;
  // The entries about a deleted user are redacted already, and a note may name the user.
  if ((await lockSubscriber(tx, targetId))?.deletedAt !== null) throw createError('billing.user_not_found');
  const after = { invoice: invoiceId, dispute: disputeId, note };
  await recordAdminChange(tx, { action: 'dispute.note', targetId, after, ...by });
};
