// The admins' reports, with the revenue of a million users in three years: every quarter hour has movements of every kind.
import { listCohorts, listEntries, listSubscribers } from '@shortlist/billing/revenue/report-queries';
import { readRevenue, readSeries } from '@shortlist/billing/revenue/read-revenue';
import { schema } from '@shortlist/billing/db';
import { REVENUE_KINDS } from '@shortlist/contracts/api/revenue';
import { dayOf, days, minutes } from '@shortlist/contracts/durations';
import { REVENUE_COHORTS, REVENUE_PAGE } from '@shortlist/contracts/limits';
import { connect, createDb, type Db } from '@shortlist/kit/data/db';
import { describeTimes, type Print, timed } from './measure.ts';
import { clock, log, userIdAt, withDatabase } from './surroundings.ts';

const USERS = Number(process.env.USERS ?? 1_000_000);
const YEARS_DAYS = 3 * 365;
const QUARTERS = YEARS_DAYS * 96;
/** New, churned, reactivated, and a year of payments with their fees. */
const MOVEMENTS = { new: 1, churned: 1, reactivated: 1, payment: 12, fee: 12 } as const;
const CHUNK = 1_000_000;
const ROUNDS = Number(process.env.ROUNDS ?? 21);

const fillMovements = async (db: Db): Promise<void> => {
  for (const [kind, times] of Object.entries(MOVEMENTS))
    for (let first = 1; first <= USERS * times; first += CHUNK)
      await db.query(
        `INSERT INTO revenue_movements (user_id, kind, currency, amount, count, moved_at, source, invoice_id, recorded_at)
         SELECT ${userIdAt(`seq % ${USERS}`)}, '${kind}', 'usd', ${kind === 'churned' ? -5_900 : 5_900}, 1,
           NOW(3) - INTERVAL ${days(YEARS_DAYS) / 1_000} * (1 - seq / ${USERS * times}) SECOND, '', NULL, NOW(3)
         FROM seq_${first}_to_${Math.min(USERS * times, first + CHUNK - 1)}`,
      );
};

const fillSums = async (db: Db): Promise<void> => {
  const today = `TIMESTAMP(CURRENT_DATE)`;
  for (const kind of REVENUE_KINDS) {
    const amount = `'usd', '${kind}', IF('${kind}' = 'churned', -5900, 5900)`;
    await db.query(
      `INSERT INTO revenue_sums (unit, currency, kind, amount, count, starts_at)
       SELECT 'quarter', ${amount}, 1, ${today} - INTERVAL seq * 15 MINUTE FROM seq_1_to_${QUARTERS}`,
    );
    await db.query(
      `INSERT INTO revenue_sums (unit, currency, kind, amount, count, starts_at)
       SELECT 'three_hours', ${amount} * 12, 12, ${today} - INTERVAL seq * 3 HOUR FROM seq_1_to_${QUARTERS / 12}`,
    );
    await db.query(
      `INSERT INTO revenue_sums (unit, currency, kind, amount, count, starts_at)
       SELECT 'day', ${amount} * 96, 96, ${today} - INTERVAL seq DAY FROM seq_1_to_${YEARS_DAYS}`,
    );
  }
  await db.query(
    `INSERT INTO revenue_cohorts (currency, cohort, month, people, active)
     SELECT 'usd', DATE_FORMAT(NOW() - INTERVAL c.seq MONTH, '%Y-%m'), DATE_FORMAT(NOW() - INTERVAL m.seq MONTH, '%Y-%m'),
       IF(c.seq = m.seq, 27000, 0), IF(c.seq = m.seq, 26000, -500) FROM seq_0_to_35 c JOIN seq_0_to_35 m ON m.seq <= c.seq`,
  );
  await db.query(
    `INSERT INTO subscribers (user_id, email, name) SELECT ${userIdAt('seq')}, CONCAT('user', seq, '@people.test'), 'A Person' FROM seq_0_to_${USERS - 1}`,
  );
  await db.query('ANALYZE TABLE revenue_movements, revenue_sums, revenue_cohorts, subscribers');
};

/** Times of each part of a report. USERS and ROUNDS can be set. */
export const benchRevenue = (print: Print): Promise<void> =>
  withDatabase({ name: 'billing', schema }, async ({ url }) => {
    const limits = { acquireMs: minutes(1), statementMs: minutes(10) };
    const db = createDb({ url, ...schema, poolSize: 4, limits });
    await connect(db, log);
    const tx = db.manager;
    await fillMovements(db);
    await fillSums(db);
    print(
      `${USERS} users, three years, ${USERS * Object.values<number>(MOVEMENTS).reduce((sum, times) => sum + times)} movements`,
    );
    const now = clock();
    const daysAgo = (count: number): string => dayOf(new Date(now.getTime() - days(count)));
    const range = (count: number, timeZone: string) =>
      ({ from: daysAgo(count), to: daysAgo(0), timeZone, currency: 'usd' }) as const;
    const entries = { kind: 'payment', currency: 'usd', from: new Date(0), to: now } as const;
    const middle = `${now.getTime() - days(500)}.1`;
    const subjects: Record<string, () => Promise<unknown>> = {
      'figures of a month, with the one before': () =>
        readRevenue(tx, { ...range(30, 'Europe/Berlin'), compare: 'previous' }),
      'figures of a year, with the one before': () =>
        readRevenue(tx, { ...range(365, 'Asia/Kathmandu'), compare: 'year' }),
      'figures of three years': () => readRevenue(tx, { ...range(YEARS_DAYS, 'UTC'), compare: 'none' }),
      'a month by day': () => readSeries(tx, { ...range(30, 'Europe/Berlin'), step: 'day' }),
      'a year by week': () => readSeries(tx, { ...range(365, 'America/New_York'), step: 'week' }),
      'a year by day': () => readSeries(tx, { ...range(365, 'Asia/Kathmandu'), step: 'day' }),
      'three years by month': () => readSeries(tx, { ...range(YEARS_DAYS, 'Europe/Berlin'), step: 'month' }),
      retention: () => listCohorts(tx, { currency: 'usd', months: REVENUE_COHORTS, now }),
      'newest payments': () => listEntries(tx, { ...entries, cursor: undefined }, REVENUE_PAGE),
      'payments of long ago': () => listEntries(tx, { ...entries, cursor: middle }, REVENUE_PAGE),
      subscribers: () => listSubscribers(tx, { currency: 'usd', cursor: undefined }, REVENUE_PAGE),
    };
    for (const [name, subject] of Object.entries(subjects)) {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) times.push(await timed(subject));
      print(`  ${name.padEnd(42)} ${describeTimes(times)}`);
    }
    await db.destroy();
  });
