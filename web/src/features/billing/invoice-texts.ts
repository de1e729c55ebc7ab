import type { InvoiceView } from '@shortlist/contracts/api/billing';
import { money } from '../../lib/money.ts';
import { billingText } from '../../messages/billing.ts';

/** When it was paid, or made. */
export const invoiceDate = ({ paidAt, periodStart }: InvoiceView): string | null => paidAt ?? periodStart;

/** The year of an invoice in the viewer's time zone; null without a date. */
const yearOf = (invoice: InvoiceView): string | null => {
  const date = invoiceDate(invoice);
  return date === null ? null : String(new Date(date).getFullYear());
};

/** The years of the invoices, the latest first. */
export const yearsOf = (invoices: readonly InvoiceView[]): string[] =>
  [...new Set(invoices.map(yearOf))]
    .filter((year) => year !== null)
    .toSorted()
    .toReversed();

/** Those of a year. An invoice without a date is not paid, so it stands with the latest ones. */
export const invoicesOf = (invoices: readonly InvoiceView[], year: string): InvoiceView[] => {
  const latest = yearsOf(invoices)[0] ?? year;
  return invoices.filter((invoice) => (yearOf(invoice) ?? latest) === year);
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
