import type { InvoiceView } from '@shortlist/contracts/api/billing';
import { money } from '../../lib/money.ts';
import { billingText } from '../../messages/billing.ts';

/** When it was paid, or made. */
export const invoiceDate = ({ paidAt, periodStart }: InvoiceView): string | null => paidAt ?? periodStart;

/** The years of the invoices in the viewer's time zone, the latest first. One without a date is of none. */
export const yearsOf = (invoices: readonly InvoiceView[]): string[] => {
  const dates = invoices.map(invoiceDate).filter((date) => date !== null);
  return [...new Set(dates.map((date) => String(new Date(date).getFullYear())))].toSorted().toReversed();
};

export const statusOf = ({ status, isProcessing, amount, refunded, currency }: InvoiceView): string => {
  if (status === 'open') return billingText(isProcessing ? 'beingConfirmed' : 'open');
  if (status !== 'paid') return billingText(status === 'void' ? 'voided' : 'unpaid');
  if (refunded === 0) return billingText('paid');
  if (refunded >= amount) return billingText('refunded');
  return billingText('partlyRefunded', { amount: money(refunded, currency) });
};

export type InvoiceTotal = { currency: string; count: number; amount: number };

/** What was paid less what was refunded, for each currency: those are never added. */
export const totalsOf = (invoices: readonly InvoiceView[]): InvoiceTotal[] => {
  const paid = invoices.filter(({ status }) => status === 'paid');
  const currencies = [...new Set(paid.map(({ currency }) => currency))];
  return currencies.map((currency) => {
    const ofCurrency = paid.filter((one) => one.currency === currency);
    const amount = ofCurrency.reduce((sum, one) => sum + one.amount - one.refunded, 0);
    return { currency, count: ofCurrency.length, amount };
  });
};
