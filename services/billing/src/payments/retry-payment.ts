import { recordAdminChange } from '@shortlist/audit/audit-log';
import type { PaymentState } from '@shortlist/contracts/api/payments';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import { withSubscriber } from '../plans/grant-plan.ts';
import { findInvoice } from '../records/invoice-queries.ts';
import { applyWithLease, readWithLease, type RefreshParts } from '../refresh/refresh-subscriber.ts';
import { isPayable } from '../subscriptions/subscription.rules.ts';
import { listPayments } from './payment-queries.ts';

/**
 * Charges an open invoice to the method on file, and brings plan and records in line before it returns. The lease keeps two admins apart, and
 * Stripe takes no second payment of an invoice: a repeated request finds it paid. A deleted user is never charged.
 */
export const retryPayment = async (
  parts: RefreshParts,
  invoiceId: string,
  caller: Caller,
): Promise<PaymentState> => {
  const { db, clock, stripe } = parts;
  const invoice = await findInvoice(db.manager, invoiceId);
  if (invoice === null) throw createError('billing.invoice_not_found');
  const { userId } = invoice;
  const origin = { by: caller.userId ?? 'admin', reason: 'payment tried again by an admin' };
  return withSubscriber(parts, userId, async (_stored, lease) => {
    // Reading also voids the invoices of ended subscriptions, which must not be paid.
    const reading = await readWithLease(parts, lease);
    const { invoices, packs } = reading.snapshot;
    const open = [...invoices, ...packs].find(({ id }) => id === invoiceId);
    if (open === undefined || open.status !== 'open' || !isPayable(open)) {
      await applyWithLease(parts, lease, { ...origin, reading });
      throw createError('billing.invoice_not_payable');
    }
    const isAccepted = await stripe.payInvoice(invoiceId);
    await applyWithLease(parts, lease, {
      ...origin,
      reading: await readWithLease(parts, lease),
      record: (tx) =>
        recordAdminChange(tx, {
          action: 'payment.try_again',
          targetId: userId,
          after: { invoice: invoiceId, result: isAccepted ? 'paid' : 'declined' },
          caller,
          clock,
        }),
    });
    if (!isAccepted) throw createError('billing.payment_declined');
    const [payment] = (await listPayments(db.manager, { search: invoiceId }, 1)).data;
    if (payment === undefined) throw createError('billing.invoice_not_found');
    return payment.state;
  });
};
