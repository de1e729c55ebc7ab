// An invoice counts as sold when it is paid, by money, discount or balance, in the currency of the plan. It counts as refunded when all
// of its amount went back; an invoice of amount 0 cannot be refunded.
import { CURRENCY } from '@shortlist/contracts/limits';
import type { InvoiceSnapshot } from '../stripe/snapshot.ts';

export const refundedAmount = ({ refunds }: InvoiceSnapshot): number =>
  refunds.reduce((sum, { amount }) => sum + amount, 0);

export const isSold = ({ status, currency }: InvoiceSnapshot): boolean =>
  status === 'paid' && currency === CURRENCY;

export const isRefunded = (invoice: InvoiceSnapshot): boolean =>
  invoice.amount > 0 && refundedAmount(invoice) >= invoice.amount;
