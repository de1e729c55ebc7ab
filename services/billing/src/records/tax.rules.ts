// Tax is not earned: it is held for the state. If a balance paid part of an invoice, the rest contains tax in the same proportion. A refund
// gives back its share, computed from the sum of all valid refunds, so that no cent is lost by rounding each separately.
type Invoiced = { amount: number; tax: number; total: number };

/** The share `part`/`whole` of an amount, in whole minor units. Uses integers, like the database. */
const share = (amount: number, part: number, whole: number): number =>
  whole > 0 ? Math.floor((2 * amount * part + whole) / (2 * whole)) : 0;

/** The tax in the paid amount of an invoice. `earnings/queries.ts` states the same in SQL. */
export const paidTax = ({ amount, tax, total }: Invoiced): number => share(tax, amount, total);

type Refunded = { refundId: string; amount: number; createdAt: Date; failedAt: Date | null };

const inOrder = (one: Refunded, other: Refunded): number =>
  one.createdAt.getTime() - other.createdAt.getTime() || (one.refundId < other.refundId ? -1 : 1);

/**
 * The refunds of an invoice with the tax in each. After each refund, the taxes of the valid refunds add up to the tax in their sum, which after
 * a full refund is all of it; a refund that fails later gives its own tax back.
 */
export const withTax = <Refund extends Refunded>(
  refunds: Refund[],
  invoice: Invoiced,
): (Refund & { tax: number })[] => {
  const all = paidTax(invoice);
  const taxed: (Refund & { tax: number })[] = [];
  for (const refund of refunds.toSorted(inOrder)) {
    const notFailed = taxed.filter(({ failedAt }) => failedAt === null || failedAt > refund.createdAt);
    const refunded = notFailed.reduce((sum, { amount }) => sum + amount, refund.amount);
    const before = notFailed.reduce((sum, { tax }) => sum + tax, 0);
    taxed.push({ ...refund, tax: share(all, refunded, invoice.amount) - before });
  }
  return taxed;
};
