// Compares the stored movements of revenue with the records that they follow from, and their money with the balance at Stripe.
import type { Db, Tx } from '@shortlist/kit/data/db';
import { integer, selectRows, sql, text } from '@shortlist/kit/data/sql';
import { findInvoicesByCharge } from '../records/invoice-queries.ts';
import { monthOf } from './movement.rules.ts';
import type { ListedTransaction } from '../stripe/lists.ts';
import type { StripeGateway } from '../stripe/gateway.ts';

const MONEY = { month: text, currency: text, net: integer };

/** What Shortlist has moved in each month (YYYY-MM, UTC), after fees, without payments that Stripe converted. */
const sumMoney = (tx: Tx, since: Date): Promise<{ month: string; currency: string; net: number }[]> =>
  selectRows(
    tx,
    MONEY,
    sql`SELECT DATE_FORMAT(m.moved_at, '%Y-%m') AS month, m.currency, CAST(SUM(m.amount) AS SIGNED) AS net
        FROM revenue_movements m JOIN invoices i ON i.invoice_id = m.invoice_id
        WHERE m.moved_at >= ${since} AND m.kind IN ('payment', 'pack', 'tax', 'refund', 'dispute', 'fee')
          AND COALESCE(i.settlement_currency, i.currency) = i.currency
        GROUP BY 1, 2`,
  );

export type MonthOfMoney = { month: string; currency: string; here: number; atStripe: number };

type Balance = { months: MonthOfMoney[]; converted: number; foreign: number };

/**
 * The money of each month since `since` here and at Stripe, in minor units after fees. Charges of other products on the account are `foreign`, and
 * with those that Stripe `converted` they are counted, but in no sum.
 */
export const compareBalance = async (
  { db, stripe }: { db: Db; stripe: Pick<StripeGateway, 'listTransactions'> },
  since: Date,
): Promise<Balance> => {
  const sums = new Map<string, MonthOfMoney>();
  const add = (month: string, currency: string, money: { here?: number; atStripe?: number }): void => {
    const sum = sums.get(`${month} ${currency}`) ?? { month, currency, here: 0, atStripe: 0 };
    const { here = 0, atStripe = 0 } = money;
    sums.set(`${month} ${currency}`, { ...sum, here: sum.here + here, atStripe: sum.atStripe + atStripe });
  };
  let [converted, foreign] = [0, 0];
  const addPage = async (transactions: ListedTransaction[]): Promise<void> => {
    const ours = await findInvoicesByCharge(
      db.manager,
      transactions.map(({ chargeId }) => chargeId),
    );
    for (const { chargeId, net, currency, createdAt, isConverted } of transactions) {
      if (!ours.has(chargeId)) foreign += 1;
      else if (isConverted) converted += 1;
      else add(monthOf(createdAt), currency, { atStripe: net });
    }
  };
  for (let cursor: string | null = null; ;) {
    const page = await stripe.listTransactions({ since, cursor });
    await addPage(page.data);
    cursor = page.next;
    if (cursor === null) break;
  }
  for (const { month, currency, net } of await sumMoney(db.manager, since))
    add(month, currency, { here: net });
  const months = [...sums.values()].toSorted((one, other) => (one.month < other.month ? -1 : 1));
  return { months, converted, foreign };
};
