import { recordAdminChange } from '@shortlist/audit/audit-log';
import { receiptRequested } from '@shortlist/contracts/events/billing';
import { inTransaction } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import { createError } from '@shortlist/kit/process/errors';
import { emit } from '@shortlist/kit/messaging/outbox';
import { findInvoice } from '../records/invoice-queries.ts';
import type { RefreshParts } from '../refresh/refresh-subscriber.ts';
import { lockSubscriber } from '../subscriptions/queries.ts';
import { hasReceipt } from './read-payment.ts';

type Parts = Pick<RefreshParts, 'db' | 'clock' | 'stripe'>;

const present = (date: Date | null): string => date?.toISOString() ?? '';

/** Has the receipt of a payment emailed again. Its file is read from Stripe, whose addresses work for a while. */
export const sendReceipt = async (
  { db, clock, stripe }: Parts,
  invoiceId: string,
  caller: Caller,
): Promise<void> => {
  const invoice = await findInvoice(db.manager, invoiceId);
  if (invoice === null) throw createError('billing.invoice_not_found');
  const { userId, amount, currency, number, tax, paidAt, periodStart, periodEnd } = invoice;
  const pdfUrl = await stripe.findInvoiceFile(invoiceId);
  await inTransaction(db, async (tx) => {
    if (!hasReceipt(invoice, await lockSubscriber(tx, userId))) throw createError('billing.no_receipt');
    const details = { number, tax, periodStart: present(periodStart), periodEnd: present(periodEnd), pdfUrl };
    const data = { invoiceId, amount, currency, paidAt: present(paidAt), invoice: details };
    await emit(tx, receiptRequested, { subject: userId, data, clock });
    const after = { invoice: invoiceId };
    await recordAdminChange(tx, { action: 'payment.send_receipt', targetId: userId, after, caller, clock });
  });
};
