import type { Db } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import { listPaidIds } from '../records/invoice-queries.ts';
import { isLatePaymentRecorded } from '../subscriptions/record-invoice.ts';
import {
  isPaidAfter,
  isPayable,
  liveSubscriptions,
  refundedAmount,
} from '../subscriptions/subscription.rules.ts';
import type { StripeGateway } from '../stripe/gateway.ts';
import type { CustomerSnapshot, InvoiceSnapshot } from '../stripe/snapshot.ts';
import { expireCheckouts } from '../subscriptions/expire-checkouts.ts';
import { readSettled } from './settle-customer.ts';

type Parts = { db: Db; clock: Clock; stripe: StripeGateway; log: Log };

type Deleted = { userId: string; deletedAt: Date };

/** `isClosed`: Stripe can take no more money of this user. */
export type CustomerRead = { snapshot: CustomerSnapshot; isClosed: boolean };

const isRetained = (invoice: InvoiceSnapshot): boolean =>
  invoice.status === 'paid' && refundedAmount(invoice) < invoice.amount;

/** The payments that arrived after the deletion, as far as they have neither been refunded nor tried before. */
const listLatePayments = async (
  { db }: Parts,
  { invoices, packs }: CustomerSnapshot,
  deletedAt: Date,
): Promise<InvoiceSnapshot[]> => {
  const retained = [...invoices, ...packs].filter(isRetained);
  const known = await listPaidIds(
    db.manager,
    retained.map(({ id }) => id),
  );
  const isLater = (one: InvoiceSnapshot): boolean =>
    isPaidAfter(one, deletedAt, { isKnown: known.has(one.id) });
  const found: InvoiceSnapshot[] = [];
  for (const invoice of retained.filter(isLater))
    if (!(await isLatePaymentRecorded(db.manager, 'payment_of_deleted_user', invoice.id)))
      found.push(invoice);
  return found;
};

/** Closes everything by which Stripe could still take money of a deleted user, and refunds what it took since the deletion. */
export const readDeletedCustomer = async (
  parts: Parts,
  { userId, deletedAt, customerId }: Deleted & { customerId: string },
): Promise<CustomerRead> => {
  // The sessions first: a payment on an open page would start another subscription.
  const isClosed = await expireCheckouts(parts, { userId, customerId });
  const customer = { userId, customerId, refusalText: 'payment of a deleted user not refunded' };
  const snapshot = await readSettled(parts, customer, (found) => ({
    toCancel: liveSubscriptions(found).map((id) => ({ id, reason: 'deleted' })),
    toVoid: [...found.invoices, ...found.packs].filter(isPayable),
    findToRefund: () => listLatePayments(parts, found, deletedAt),
  }));
  return { snapshot, isClosed };
};
