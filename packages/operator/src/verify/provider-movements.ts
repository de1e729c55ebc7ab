// Earnings, expenses and tax according to the provider's objects, by time and currency. Written independently of billing's code, to find
// mistakes there.
import { bookedAt, type Refund, settlementOf, taxOf } from './provider-fields.ts';
import type { Paid, Plan } from './provider-plan.ts';

export type Movement = { at: number; currency: string; earnings: number; expenses: number; tax: number };

const moved = (at: number, currency: string, sums: Partial<Movement>): Movement => ({
  earnings: 0,
  expenses: 0,
  tax: 0,
  ...sums,
  at,
  currency,
});

/** The tax in the money paid for an invoice, without a part that was paid by a balance. */
const taxInPayment = ({ invoice }: Paid): number =>
  invoice.total > 0 ? Math.round((taxOf(invoice) * invoice.amount_paid) / invoice.total) : 0;

type Step = { at: number; refund: Refund; isFailure: boolean };

/** In order of time. A refund that came back in the same second as another refund no longer counts for that one. */
const stepsOf = (refunds: Refund[]): Step[] =>
  refunds
    .flatMap((refund): Step[] => {
      const failedAt = refund.failure_balance_transaction?.created;
      const failure = failedAt === undefined ? [] : [{ at: failedAt, refund, isFailure: true }];
      return [{ at: refund.created, refund, isFailure: false }, ...failure];
    })
    .toSorted(
      (one, other) =>
        one.at - other.at ||
        Number(other.isFailure) - Number(one.isFailure) ||
        (one.refund.id < other.refund.id ? -1 : 1),
    );

/** The tax in each refund of an invoice: the tax returned by then must be the tax in all valid refunds. */
export const taxesOfRefunds = (paid: Paid): Map<string, number> => {
  const taxes = new Map<string, number>();
  const held = taxInPayment(paid);
  let refunded = 0;
  let givenBack = 0;
  for (const { refund, isFailure } of stepsOf(paid.refunds)) {
    refunded += isFailure ? -refund.amount : refund.amount;
    const due = isFailure
      ? givenBack - (taxes.get(refund.id) ?? 0)
      : Math.round((held * refunded) / Math.max(1, paid.invoice.amount_paid));
    if (!isFailure) taxes.set(refund.id, due - givenBack);
    givenBack = due;
  }
  return taxes;
};

const ofPayment = (paid: Paid): Movement[] => {
  const { invoice, charges } = paid;
  const at = bookedAt(invoice, charges);
  if (invoice.status !== 'paid' || at === null) return [];
  const tax = taxInPayment(paid);
  const fees = invoice.amount_paid === 0 ? [] : (settlementOf(invoice, charges) ?? []);
  return [
    moved(at, invoice.currency, { earnings: invoice.amount_paid - tax, tax }),
    ...fees.map(({ fee, currency }) => moved(at, currency, { expenses: fee })),
  ];
};

const ofRefunds = (paid: Paid): Movement[] => {
  const { currency } = paid.invoice;
  const taxes = taxesOfRefunds(paid);
  return stepsOf(paid.refunds).map(({ at, refund, isFailure }) => {
    const tax = taxes.get(refund.id) ?? 0;
    const sign = isFailure ? -1 : 1;
    return moved(at, currency, { expenses: sign * (refund.amount - tax), tax: -sign * tax });
  });
};

/** All money movements: payments with their fees, refunds and their failures, and disputes. */
export const movementsOf = ({ invoices, disputes }: Plan): Movement[] => [
  ...invoices.flatMap((paid) => [...ofPayment(paid), ...ofRefunds(paid)]),
  ...disputes
    .flatMap(({ balance_transactions: transactions }) => transactions)
    .map(({ created, currency, amount, fee }) => moved(created, currency, { expenses: fee - amount })),
];

export const SUMS = ['earnings', 'expenses', 'tax'] as const;

export const addUp = (movements: readonly Movement[]): Record<(typeof SUMS)[number], number> =>
  movements.reduce(
    (sums, { earnings, expenses, tax }) => ({
      earnings: sums.earnings + earnings,
      expenses: sums.expenses + expenses,
      tax: sums.tax + tax,
    }),
    { earnings: 0, expenses: 0, tax: 0 },
  );

/** The month of a movement in UTC, as YYYY-MM. */
export const monthOf = ({ at }: Movement): string => new Date(at * 1_000).toISOString().slice(0, 7);
