import {
  PAYMENT_STATES,
  type PaymentFilters,
  type PaymentRow,
  type PaymentTotal,
} from '@shortlist/contracts/api/payments';
import type { Tx } from '@shortlist/kit/data/db';
import { instant, integer, nullable, oneOf, selectRows, sql, text } from '@shortlist/kit/data/sql';
import { In } from 'typeorm';
import { disputeEntity } from '../records/dispute-queries.ts';

// Raw SQL: the state and the sums are expressions that the builder cannot express.

type Condition = ReturnType<typeof sql>;

/** What became of a payment, as PAYMENT_STATES describes it, for an invoice `i`. */
const STATE = sql`CASE
  WHEN i.status = 'open' AND i.is_processing THEN 'processing'
  WHEN i.status = 'open' AND i.attempts > 0 THEN 'past_due'
  WHEN i.status = 'open' THEN 'open'
  WHEN i.status = 'uncollectible' THEN 'failed'
  WHEN i.status = 'void' THEN 'void'
  WHEN EXISTS (SELECT 1 FROM disputes d WHERE d.invoice_id = i.invoice_id
               AND d.status NOT IN ('won', 'warning_closed', 'prevented')) THEN 'disputed'
  WHEN i.amount > 0 AND i.refunded >= i.amount THEN 'refunded'
  WHEN i.refunded > 0 THEN 'partly_refunded'
  ELSE 'paid' END`;

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
  const prefix = /^[a-z]+(?=_)/.exec(reference)?.[0] ?? '';
  const find = Object.hasOwn(BY_PREFIX, prefix) ? BY_PREFIX[prefix] : undefined;
  return find?.(reference) ?? sql`i.number IN (${reference}, ${reference.toUpperCase()})`;
};

const isIn = (ids: readonly string[]): Condition => {
  const [first, ...others] = ids;
  return others.reduce((list, id) => sql`${list}, ${id}`, sql`${first}`);
};

/** What a filter finds among the invoices `i`. */
const conditionOf = ({ search, users, state, for: subject, from, to }: PaymentFilters): Condition => {
  const conditions: Condition[] = [];
  if (search !== undefined) conditions.push(byReference(search));
  if (users !== undefined) conditions.push(sql`i.user_id IN (${isIn(users.split(','))})`);
  if (state !== undefined) conditions.push(sql`${STATE} = ${state}`);
  if (subject !== undefined)
    conditions.push(subject === 'pack' ? sql`i.credits > 0` : sql`i.credits IS NULL`);
  if (from !== undefined) conditions.push(sql`i.dated_at >= ${new Date(from)}`);
  if (to !== undefined) conditions.push(sql`i.dated_at < ${new Date(to)}`);
  return conditions.reduce((all, one) => sql`${all} AND ${one}`, sql`TRUE`);
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
  const [time = '', invoiceId = ''] = cursor.split('.');
  const date = new Date(Number(time));
  // The first comparison alone is the range of the index.
  return sql`i.dated_at <= ${date} AND (i.dated_at < ${date} OR i.invoice_id < ${invoiceId})`;
};

const cursorOf = ({ date, invoiceId }: PaymentRow): string => `${new Date(date).getTime()}.${invoiceId}`;

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
        FROM invoices i LEFT JOIN subscribers s ON s.user_id = i.user_id
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
  return { data, next: last === undefined ? null : cursorOf(last) };
};

const SUMS = {
  currency: text,
  count: integer,
  collected: integer,
  returned: integer,
  fees: integer,
  unknownFees: integer,
};

const addUp = (currency: string, rows: Omit<PaymentTotal, 'net'>[]): PaymentTotal => {
  const sum = (name: keyof Omit<PaymentTotal, 'net' | 'currency'>): number =>
    rows.reduce((total, row) => total + row[name], 0);
  const [collected, returned, fees] = [sum('collected'), sum('returned'), sum('fees')];
  const net = collected - returned - fees;
  return { currency, count: sum('count'), collected, returned, fees, net, unknownFees: sum('unknownFees') };
};

/** The sums of what the filters find, by currency: of invoices, of their fees, and of what their disputes moved. */
export const sumPayments = async (tx: Tx, filters: PaymentFilters): Promise<PaymentTotal[]> => {
  const condition = conditionOf(filters);
  const rows = await selectRows(
    tx,
    SUMS,
    // Each with a group of its own, because a fee may be in another currency than its payment.
    sql`SELECT i.currency AS currency, COUNT(*) AS count,
          CAST(SUM(CASE WHEN i.status = 'paid' THEN i.amount ELSE 0 END) AS SIGNED) AS collected,
          CAST(SUM(i.refunded) AS SIGNED) AS returned, 0 AS fees,
          CAST(SUM(CASE WHEN i.status = 'paid' AND i.fee IS NULL THEN 1 ELSE 0 END) AS SIGNED) AS unknownFees
        FROM invoices i WHERE ${condition} GROUP BY 1
        UNION ALL
        SELECT COALESCE(i.settlement_currency, i.currency), 0, 0, 0, CAST(SUM(i.fee) AS SIGNED), 0
        FROM invoices i WHERE ${condition} AND i.fee IS NOT NULL GROUP BY 1
        UNION ALL
        SELECT t.currency, 0, 0, CAST(SUM(t.amount) AS SIGNED), CAST(SUM(t.fee) AS SIGNED), 0
        FROM invoices i JOIN disputes x ON x.invoice_id = i.invoice_id
          JOIN dispute_transactions t ON t.dispute_id = x.dispute_id
        WHERE ${condition} GROUP BY 1`,
  );
  const currencies = [...new Set(rows.map(({ currency }) => currency))].toSorted();
  return currencies.map((currency) =>
    addUp(
      currency,
      rows.filter((row) => row.currency === currency),
    ),
  );
};
