// The admins' list of payments and its sums, with as many invoices as a large product has after years.
import { connect, createDb, type Db } from '@shortlist/kit/data/db';
import { schema } from '@shortlist/billing/db';
import { listPayments, sumPayments } from '@shortlist/billing/payments/payment-queries';
import type { PaymentFilters } from '@shortlist/contracts/api/payments';
import { days, minutes } from '@shortlist/contracts/durations';
import { PAYMENTS_PAGE } from '@shortlist/contracts/limits';
import { describeTimes, type Print, timed } from './measure.ts';
import { clock, log, userIdAt, withDatabase } from './surroundings.ts';

const ROWS = Number(process.env.ROWS ?? 3_000_000);
/** Each user has a year of invoices. */
const INVOICES_OF_USER = 12;
const SPREAD_DAYS = 3 * 365;
const CHUNK = 100_000;
const ROUNDS = Number(process.env.ROUNDS ?? 11);

const users = Math.ceil(ROWS / INVOICES_OF_USER);

/** Of a thousand invoices twenty are refunded in part, ten past due and one disputed. */
const fill = async (db: Db): Promise<void> => {
  for (let first = 1; first <= ROWS; first += CHUNK) {
    const rows = `FROM seq_${first}_to_${Math.min(ROWS, first + CHUNK - 1)}`;
    const at = `NOW(3) - INTERVAL ${days(SPREAD_DAYS) / 1_000} * (1 - seq / ${ROWS}) SECOND`;
    await db.query(
      `INSERT INTO invoices (invoice_id, user_id, status, amount, currency, fee, refunded, attempts, paid_at, booked_at, period_start, number, charge_id)
       SELECT CONCAT('in_', LPAD(seq, 12, '0')), ${userIdAt(`seq % ${users}`)}, IF(seq % 100 = 7, 'open', 'paid'), 5900, 'usd', 201,
         IF(seq % 50 = 3, 2950, 0), 1, IF(seq % 100 = 7, NULL, ${at}), ${at}, ${at}, CONCAT('SL-', seq), CONCAT('ch_', seq) ${rows}`,
    );
    await db.query(
      `INSERT INTO disputes (dispute_id, invoice_id, user_id, charge_id, amount, currency, reason, status, opened_at)
       SELECT CONCAT('dp_', seq), CONCAT('in_', LPAD(seq, 12, '0')), ${userIdAt(`seq % ${users}`)}, CONCAT('ch_', seq), 5900, 'usd', 'fraudulent',
         'needs_response', ${at} ${rows} WHERE seq % 1000 = 11`,
    );
  }
  await db.query(
    `INSERT INTO subscribers (user_id, email, name) SELECT ${userIdAt('seq')}, CONCAT('user', seq, '@people.test'), 'A Person' FROM seq_0_to_${users - 1}`,
  );
  await db.query('ANALYZE TABLE invoices, disputes, subscribers');
};

const daysAgo = (count: number): string => new Date(clock().getTime() - days(count)).toISOString();

/** Times of pages and sums by the number of invoices. ROWS and ROUNDS can be set. */
export const benchPayments = (print: Print): Promise<void> =>
  withDatabase({ name: 'billing', schema }, async ({ url }) => {
    const limits = { acquireMs: minutes(1), statementMs: minutes(1) };
    const db = createDb({ url, ...schema, poolSize: 4, limits });
    await connect(db, log);
    const tx = db.manager;
    await fill(db);
    print(`${ROWS} invoices of ${users} users in three years`);
    const user = (await db.query<[{ id: string }]>('SELECT user_id AS id FROM subscribers LIMIT 1'))[0].id;
    const filters: Record<string, PaymentFilters & { cursor?: string }> = {
      newest: {},
      'a page of two years ago': { cursor: `${clock().getTime() - days(730)}.in_x` },
      'past due': { state: 'past_due' },
      disputed: { state: 'disputed' },
      'refunded, of which there are none': { state: 'refunded' },
      'of one user': { users: user },
      'the last month': { from: daysAgo(30) },
      'the last year': { from: daysAgo(365) },
    };
    for (const [name, filter] of Object.entries(filters)) {
      const [pages, sums]: [number[], number[]] = [[], []];
      const { cursor: _, ...summed } = filter;
      for (let round = 0; round < ROUNDS; round += 1) {
        pages.push(await timed(() => listPayments(tx, filter, PAYMENTS_PAGE)));
        if (round < 3) sums.push(await timed(() => sumPayments(tx, summed)));
      }
      print(`  ${name.padEnd(34)} page ${describeTimes(pages)}   sums ${describeTimes(sums)}`);
    }
    await db.destroy();
  });
