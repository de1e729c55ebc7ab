import { recordAdminChange } from '@shortlist/audit/audit-log';
import { listAudit } from '@shortlist/audit/queries';
import type { PaymentRefund, RefundInput } from '@shortlist/contracts/api/payments';
import { AUDIT_PAGE_MAX } from '@shortlist/contracts/limits';
import { formatMoney } from '@shortlist/contracts/messages';
import type { Tx } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError, createFieldError } from '@shortlist/kit/process/errors';
import { findInvoice } from '../records/invoice-queries.ts';
import { findRefunds } from '../records/refund-queries.ts';
import {
  applyWithLease,
  LEASE_WAIT_MS,
  type Reading,
  readWithLease,
  type RefreshParts,
  withLease,
} from '../refresh/refresh-subscriber.ts';
import type { InvoiceSnapshot, RefundSnapshot } from '../stripe/snapshot.ts';
import { presentRefund } from './read-payment.ts';
import type { Lease } from '../subscriptions/queries.ts';
import { refundedAmount } from '../subscriptions/subscription.rules.ts';

/** `order`: the key of the request. */
type Order = RefundInput & { order: string };

const findPaid = ({ snapshot }: Reading, invoiceId: string): InvoiceSnapshot | undefined =>
  [...snapshot.invoices, ...snapshot.packs].find(({ id, status }) => id === invoiceId && status === 'paid');

/** The refund that an earlier request with this key made, whatever became of it. Throws `billing.key_reused`. */
const findOrdered = (
  { refunds, failedRefunds, returnedRefunds }: InvoiceSnapshot,
  { order, amount, takesCredits = false }: Order,
): RefundSnapshot | undefined => {
  const ordered = [...refunds, ...failedRefunds, ...returnedRefunds].find((refund) => refund.order === order);
  const isSame = ordered?.amount === amount && ordered.takesCredits === takesCredits;
  if (ordered !== undefined && !isSame) throw createError('billing.key_reused');
  return ordered;
};

const assertLeft = (left: number, order: Order, currency: string): void => {
  if (order.amount > left) {
    const message =
      left === 0
        ? 'Nothing is left of this payment'
        : `At most ${formatMoney({ amount: left, currency })} is left of this payment`;
    throw createFieldError('billing.refund_too_high', 'amount', { message });
  }
  if (order.left !== left) throw createError('billing.payment_changed');
};

/** Makes the refund unless it is made, and returns its id. */
const refundOnce = async (
  { stripe, log }: RefreshParts,
  paid: InvoiceSnapshot | undefined,
  order: Order,
): Promise<string> => {
  if (paid === undefined || paid.chargeId === null) throw createError('billing.payment_not_refundable');
  const ordered = findOrdered(paid, order);
  if (ordered !== undefined) return ordered.id;
  assertLeft(paid.amount - refundedAmount(paid), order, paid.currency);
  const { invoiceId, amount, order: key, takesCredits = false } = order;
  const refund = { invoiceId, chargeId: paid.chargeId, amount, order: key, takesCredits };
  const result = await stripe.refundCharge(refund);
  if ('refundId' in result) return result.refundId;
  log.warn({ invoiceId, amount, refusal: result.refusal }, 'refund of an admin refused');
  throw createError('billing.refund_refused');
};

type Refunded = { refundId: string; userId: string; before: InvoiceSnapshot | undefined };

/** Whether the audit log has the refund: a repeated request must not add it again. */
const isRecorded = async (tx: Tx, { refundId, userId: targetId }: Refunded): Promise<boolean> => {
  const entries = await listAudit(tx, { targetId, action: 'payment.refund', limit: AUDIT_PAGE_MAX });
  return entries.some(({ after }) => after !== null && 'refund' in after && after.refund === refundId);
};

/** Of a user who was deleted meanwhile the reason is left out: the entries about the user are redacted already. */
const recordRefund = async (
  tx: Tx,
  refunded: Refunded,
  {
    order: { invoiceId: invoice, amount, reason, takesCredits },
    isDeleted,
    ...by
  }: { order: Order; isDeleted: boolean; caller: Caller; clock: RefreshParts['clock'] },
): Promise<void> => {
  if (await isRecorded(tx, refunded)) return;
  const { refundId: refund, userId: targetId, before } = refunded;
  await recordAdminChange(tx, {
    action: 'payment.refund',
    targetId,
    before: { invoice, refunded: before === undefined ? 0 : refundedAmount(before) },
    after: {
      ...{ invoice, refund, amount, currency: before?.currency },
      ...(takesCredits === true && { takesCredits }),
      ...(!isDeleted && { reason }),
    },
    ...by,
  });
};

/** The refund as it is recorded now. */
const getRefund = async (tx: Tx, refundId: string): Promise<PaymentRefund> => {
  const row = (await findRefunds(tx, [refundId])).get(refundId);
  if (row === undefined) throw createError('billing.refund_refused'); // canceled before any money moved
  return presentRefund(row);
};

const refundWithLease = async (
  parts: RefreshParts,
  lease: Lease,
  { order, caller }: { order: Order; caller: Caller },
): Promise<PaymentRefund> => {
  const { userId } = lease;
  const origin = { by: caller.userId ?? 'admin', reason: 'refunded by an admin' };
  // What is left is what Stripe says now: it may have been refunded there, or disputed.
  const reading = await readWithLease(parts, lease);
  const before = findPaid(reading, order.invoiceId);
  const refundId = await refundOnce(parts, before, order).catch(async (error: unknown) => {
    // The page may have shown what is no longer left.
    await applyWithLease(parts, lease, { ...origin, reading });
    throw error;
  });
  await applyWithLease(parts, lease, {
    ...origin,
    reading: await readWithLease(parts, lease),
    record: (tx, isDeleted) =>
      recordRefund(tx, { refundId, userId, before }, { order, isDeleted, caller, clock: parts.clock }),
  });
  return getRefund(parts.db.manager, refundId);
};

/**
 * Refunds a part of a payment, or all that is left of it, and brings plan, pack and records in line before it returns. A repeated request finds
 * the refund by its key at Stripe, even if the first one ended before anything was recorded. The lease keeps two admins, and a refund and a
 * refresh, apart. A deleted user's payments can be refunded, too.
 */
export const refundPayment = async (
  parts: RefreshParts,
  order: Order,
  caller: Caller,
): Promise<PaymentRefund> => {
  const invoice = await findInvoice(parts.db.manager, order.invoiceId);
  if (invoice === null) throw createError('billing.invoice_not_found');
  return withLease(parts, { userId: invoice.userId, waitMs: LEASE_WAIT_MS.interactive }, (lease) =>
    refundWithLease(parts, lease, { order, caller }),
  );
};
