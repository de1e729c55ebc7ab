import {
  PAYMENT_STATES,
  type PaymentFilters,
  type PaymentRow,
  type PaymentState,
  type PaymentTotal,
} from '@shortlist/contracts/api/payments';
import type { Tx } from '@shortlist/kit/data/db';
import { cursorOf, positionOf } from '@shortlist/kit/data/newest-first';
import {
  instant,
  integer,
  isOlder,
  joined,
  nullable,
  oneOf,
  type RowOf,
  selectRows,
  sql,
  text,
} from '@shortlist/kit/data/sql';
import { In } from 'typeorm';
import { disputeEntity } from '../records/dispute-queries.ts';
import { ofPrefix, spellingsOf } from '../records/references.ts';

// Raw SQL: the state and the sums are expressions that the builder cannot express.

type Condition = ReturnType<typeof sql>;

const IS_PAID = sql`i.status = 'paid'`;
const IS_DISPUTE = sql`d.status NOT IN ('won', 'warning_closed', 'prevented')`;
const HAS_DISPUTE = sql`EXISTS (SELECT 1 FROM disputes d WHERE d.invoice_id = i.invoice_id AND ${IS_DISPUTE})`;

/** What became of a payment, as PAYMENT_STATES describes it, for an invoice `i`. */
const STATE = sql`CASE WHEN ${IS_PAID} AND ${HAS_DISPUTE} THEN 'disputed' ELSE i.outcome END`;

/** Reads an index of the few that were disputed, or of the outcome. */
const isInState = (state: PaymentState): Condition =>
  state === 'disputed'
    ? sql`${IS_PAID} AND i.invoice_id IN (SELECT d.invoice_id FROM disputes d WHERE ${IS_DISPUTE})`
    : sql`i.outcome = ${state} AND NOT (${IS_PAID} AND ${HAS_DISPUTE})`;

const byUserOf = (subscriptionId: string): Condition =>
  sql`i.user_id IN (SELECT user_id FROM subscriptions WHERE subscription_id = ${subscriptionId})
      AND i.subscription_id = ${subscriptionId}`;

/** The invoices of Stripe's ids, by their prefix, each by an index. */
const BY_PREFIX: Record<string, (id: string) => Condition> = {
  cus: (id) => sql`i.user_id IN (SELECT user_id FROM subscribers WHERE customer_id = ${id})`,
  sub: byUserOf,
  in: (id) => sql`i.invoice_id = ${id}`,
  pi: (id) => sql`i.payment_intent_id = ${id}`,
  ch: (id) => sql`i.charge_id = ${id}`,
  py: (id) => sql`i.charge_id = ${id}`,
};

const byReference = (reference: string): Condition => {
  const find = ofPrefix(BY_PREFIX, reference);
  return find?.(reference) ?? sql`i.number IN (${spellingsOf(reference)})`;
};

/** What a filter finds among the invoices `i`. */
const conditionOf = ({ search, users, state, for: subject, from, to }: PaymentFilters): Condition => {
  const conditions: Condition[] = [];
  if (search !== undefined) conditions.push(byReference(search));
  if (users !== undefined) conditions.push(sql`i.user_id IN (${users.split(',')})`);
  if (state !== undefined) conditions.push(isInState(state));
  if (subject !== undefined)
    conditions.push(subject === 'pack' ? sql`i.credits > 0` : sql`i.credits IS NULL`);
  if (from !== undefined) conditions.push(sql`i.dated_at >= ${new Date(from)}`);
  if (to !== undefined) conditions.push(sql`i.dated_at < ${new Date(to)}`);
  return joined([sql`TRUE`, ...conditions], ' AND ');
};

const ROW = {
  invoiceId: text,
  userId: text,
  number: nullable(text),
  name: text,
  email: text,
  credits: nullable(integer),
  state: oneOf(...PAYMENT_STATES),
  datedAt: instant,
  amount: integer,
  currency: text,
  tax: integer,
  discount: integer,
  fee: nullable(integer),
  feeCurrency: text,
  refunded: integer,
  attempts: integer,
  chargeId: nullable(text),
};

type Dispute = NonNullable<PaymentRow['dispute']>;

/** The newest dispute of each of these invoices. */
const findNewestDisputes = async (tx: Tx, invoiceIds: string[]): Promise<Map<string, Dispute>> => {
  if (invoiceIds.length === 0) return new Map();
  const rows = await tx
    .getRepository(disputeEntity)
    .find({ where: { invoiceId: In(invoiceIds) }, order: { openedAt: 'ASC', disputeId: 'ASC' } });
  return new Map(
    rows.map(({ invoiceId, status, evidenceDueAt }) => [
      invoiceId,
      { status, evidenceDueAt: evidenceDueAt?.toISOString() ?? null },
    ]),
  );
};

type PageQuery = PaymentFilters & { cursor?: string | undefined };
/** `chargeId`: of the charge that paid it; null if there is none or several. */
export type ListedPayment = PaymentRow & { chargeId: string | null };

const afterCursor = (cursor: string): Condition => {
  const { at, id } = positionOf(cursor);
  return isOlder(sql`i.dated_at`, sql`i.invoice_id`, { at: new Date(at), id });
};

/**
 * The index to read a page from. Where it need not be the user's, MariaDB is told: of the payments with one outcome it would read those that are
 * newer than the page too.
 */
const indexFor = ({ state, search, users }: PaymentFilters): Condition => {
  if (search !== undefined || users !== undefined || state === 'disputed') return sql``;
  return state === undefined ? sql`FORCE INDEX (invoices_dated)` : sql`FORCE INDEX (invoices_outcome)`;
};

/** A page of the payments that the filters find, newest first, in two statements. */
export const listPayments = async (
  tx: Tx,
  { cursor, ...filters }: PageQuery,
  limit: number,
): Promise<{ data: ListedPayment[]; next: string | null }> => {
  const after = cursor === undefined ? sql`TRUE` : afterCursor(cursor);
  const rows = await selectRows(
    tx,
    ROW,
    sql`SELECT i.invoice_id AS invoiceId, i.user_id AS userId, i.number, COALESCE(s.name, '') AS name,
          COALESCE(s.email, '') AS email, i.credits, ${STATE} AS state, i.dated_at AS datedAt, i.amount,
          i.currency, i.tax, i.discount, i.fee, COALESCE(i.settlement_currency, i.currency) AS feeCurrency,
          i.refunded, i.attempts, i.charge_id AS chargeId
        FROM invoices i ${indexFor(filters)} LEFT JOIN subscribers s ON s.user_id = i.user_id
        WHERE ${conditionOf(filters)} AND ${after}
        ORDER BY i.dated_at DESC, i.invoice_id DESC LIMIT ${limit + 1}`,
  );
  const page = rows.slice(0, limit);
  const disputes = await findNewestDisputes(
    tx,
    page.map(({ invoiceId }) => invoiceId),
  );
  const data = page.map(({ userId, name, email, datedAt, fee, feeCurrency, ...row }) => ({
    ...row,
    user: { id: userId, name, email },
    date: datedAt.toISOString(),
    fee: fee === null ? null : { amount: fee, currency: feeCurrency },
    dispute: disputes.get(row.invoiceId) ?? null,
  }));
  const last = rows.length > limit ? data.at(-1) : undefined;
  return { data, next: last === undefined ? null : cursorOf({ at: last.date, id: last.invoiceId }) };
};

const SUMS = {
  currency: text,
  feeCurrency: text,
  count: integer,
  collected: integer,
  returned: integer,
  fees: integer,
  unknownFees: integer,
};
type Sums = RowOf<typeof SUMS>;

const sumOf = (rows: readonly Sums[], name: Exclude<keyof Sums, 'currency' | 'feeCurrency'>): number =>
  rows.reduce((total, row) => total + row[name], 0);

const addUp = (currency: string, rows: readonly Sums[]): PaymentTotal => {
  const paid = rows.filter((row) => row.currency === currency);
  // A fee may be in another currency than its payment.
  const charged = rows.filter((row) => row.feeCurrency === currency);
  const [collected, returned, fees] = [
    sumOf(paid, 'collected'),
    sumOf(paid, 'returned'),
    sumOf(charged, 'fees'),
  ];
  return {
    ...{ currency, count: sumOf(paid, 'count'), collected, returned, fees },
    ...{ net: collected - returned - fees, unknownFees: sumOf(paid, 'unknownFees') },
  };
};

/** The sums of what the filters find, by currency: of invoices with their fees, and of what their disputes moved. */
export const sumPayments = async (tx: Tx, filters: PaymentFilters): Promise<PaymentTotal[]> => {
  const condition = conditionOf(filters);
  const rows = await selectRows(
    tx,
    SUMS,
    sql`SELECT i.currency AS currency, COALESCE(i.settlement_currency, i.currency) AS feeCurrency, COUNT(*) AS count,
          CAST(SUM(CASE WHEN ${IS_PAID} THEN i.amount ELSE 0 END) AS SIGNED) AS collected,
          CAST(SUM(i.refunded) AS SIGNED) AS returned, CAST(SUM(COALESCE(i.fee, 0)) AS SIGNED) AS fees,
          CAST(SUM(CASE WHEN ${IS_PAID} AND i.fee IS NULL THEN 1 ELSE 0 END) AS SIGNED) AS unknownFees
        FROM invoices i WHERE ${condition} GROUP BY 1, 2
        UNION ALL
        SELECT t.currency, t.currency, 0, 0, CAST(SUM(t.amount) AS SIGNED), CAST(SUM(t.fee) AS SIGNED), 0
        FROM dispute_transactions t JOIN disputes x ON x.dispute_id = t.dispute_id
          JOIN invoices i ON i.invoice_id = x.invoice_id
        WHERE ${condition} GROUP BY 1, 2`,
  );
  const currencies = new Set(rows.flatMap(({ currency, feeCurrency }) => [currency, feeCurrency]));
  return [...currencies].toSorted().map((currency) => addUp(currency, rows));
};
