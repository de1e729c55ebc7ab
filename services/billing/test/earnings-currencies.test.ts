import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { hours } from '@shortlist/contracts/durations';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Billing, openBilling, START } from './support.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await openBilling();
});
afterAll(() => billing.close());

const CURRENCIES = ['usd', 'eur', 'jpy'];

type Payment = {
  currency: string;
  amount: number;
  /** Of what the invoice was paid with, the part that was no money, and the tax in both. */
  balance: number;
  tax: number;
  settled: string | null;
  fee: number | null;
  hour: number;
};

/** A payment settles in any currency; one whose fee is not known has none, and one that a coupon covered cost nothing. */
const payment: fc.Arbitrary<Payment> = fc
  .record({
    currency: fc.constantFrom(...CURRENCIES),
    amount: fc.integer({ min: 0, max: 10_000 }),
    balance: fc.integer({ min: 0, max: 3_000 }),
    tax: fc.integer({ min: 0, max: 900 }),
    settled: fc.constantFrom(...CURRENCIES, null),
    fee: fc.integer({ min: 0, max: 500 }),
    hour: fc.integer({ min: 0, max: 200 }),
  })
  .map((drawn) => ({ ...drawn, fee: drawn.settled === null ? null : drawn.fee }));

const store = async (payments: Payment[]): Promise<void> => {
  await billing.db.query('DELETE FROM invoices');
  for (const [index, payment] of payments.entries()) {
    const { currency, amount, balance, tax, settled, fee, hour } = payment;
    await billing.db.query(
      `INSERT INTO invoices (invoice_id, user_id, status, amount, tax, total, currency, settlement_currency, fee, booked_at)
       VALUES (?, 'u', 'paid', ?, ?, ?, ?, ?, ?, ?)`,
      [
        `in_${index}`,
        amount,
        tax,
        amount + balance,
        currency,
        settled,
        fee,
        new Date(START.getTime() + hours(hour)),
      ],
    );
  }
};

const sumOf = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

const taxIn = ({ amount, balance, tax }: Payment): number =>
  amount === 0 ? 0 : Math.round((tax * amount) / (amount + balance));

/** What a currency earned and cost, added one payment after the other. */
const totalsOf = (payments: Payment[], code: string) => {
  const paid = payments.filter(({ currency }) => currency === code);
  const tax = sumOf(paid.map(taxIn));
  return {
    currency: code,
    earnings: sumOf(paid.map(({ amount }) => amount)) - tax,
    expenses: sumOf(payments.filter(({ settled }) => settled === code).map(({ fee }) => fee ?? 0)),
    tax,
  };
};

describe('earnings of payments that settle in any currency', () => {
  it('are the sums of each currency alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(payment, { minLength: 1, maxLength: 12 }), async (payments) => {
        await store(payments);
        const { data } = await billing.call(
          billingEndpoints.earnings,
          { period: 'month', timeZone: 'UTC' },
          billing.asAdmin,
        );
        const { currency, earnings, expenses, tax } = data;
        const shown = [{ currency, earnings, expenses, tax }];
        const expected = CURRENCIES.map((code) => totalsOf(payments, code));
        expect([...shown, ...data.others]).toEqual(
          expected
            .filter(
              (sums) =>
                sums.currency === currency || sums.earnings !== 0 || sums.expenses !== 0 || sums.tax !== 0,
            )
            .toSorted((one, other) => {
              if (one.currency === data.currency) return -1;
              return other.currency === data.currency ? 1 : one.currency.localeCompare(other.currency);
            }),
        );
      }),
      { numRuns: 60 },
    );
  });
});
