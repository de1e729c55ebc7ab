import type { Tx } from '@shortlist/kit/data/db';
import { MoreThan } from 'typeorm';
import { disputeEntity, type DisputeRow } from './records/dispute-queries.ts';
import { invoiceEntity, type InvoiceRow } from './records/invoice-queries.ts';
import { subscriptionEntity, type SubscriptionRow } from './records/subscription-queries.ts';

export const listSubscriptionsOf = (tx: Tx, userId: string): Promise<SubscriptionRow[]> =>
  tx.getRepository(subscriptionEntity).find({ where: { userId }, order: { startedAt: 'ASC' } });

export const listDisputesOf = (tx: Tx, userId: string): Promise<DisputeRow[]> =>
  tx.getRepository(disputeEntity).find({ where: { userId }, order: { openedAt: 'ASC' } });

/** The invoices of a user by id, after the one with the id `after`. */
export const listInvoicesOf = (
  tx: Tx,
  userId: string,
  { after, limit }: { after: string; limit: number },
): Promise<InvoiceRow[]> =>
  tx.getRepository(invoiceEntity).find({
    where: { userId, invoiceId: MoreThan(after) },
    order: { invoiceId: 'ASC' },
    take: limit,
  });
