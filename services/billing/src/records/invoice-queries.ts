import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { propertiesExcept, upsert } from '@shortlist/kit/data/insert';
import { In, IsNull, LessThan, MoreThan, MoreThanOrEqual, Not } from 'typeorm';

/** The database computes it, for lists alone. */
const COMPUTED = { select: false, insert: false, update: false } as const;

/** An invoice as last read from Stripe. Amounts are minor units of `currency`; settlement and fee have their own currency. */
export const invoiceEntity = defineEntity('invoice', 'invoices', {
  invoiceId: { ...column.varchar(64), primary: true },
  userId: column.uuid,
  number: column.nullable(column.varchar(64)),
  subscriptionId: column.nullable(column.varchar(64)),
  billingReason: column.nullable(column.varchar(40)),
  /** The credits of the invoiced pack; null for an invoice of the plan. */
  credits: column.nullable(column.int),
  status: column.enumOf(['open', 'paid', 'void', 'uncollectible']),
  amount: column.int,
  currency: column.char(3),
  subtotal: { ...column.int, default: 0 },
  discount: { ...column.int, default: 0 },
  tax: { ...column.int, default: 0 },
  total: { ...column.int, default: 0 },
  /** What its periods of the plan come to in one month, without tax; null without such a period, and if stored before this was. */
  monthlyAmount: column.nullable(column.int),
  /** Null while unknown, which is different from a fee of 0. */
  fee: column.nullable(column.int),
  settlementCurrency: column.nullable(column.char(3)),
  settlementAmount: column.nullable(column.int),
  exchangeRate: column.nullable(column.decimal(20, 10)),
  refunded: { ...column.int, default: 0 },
  attempts: { ...column.int, default: 0 },
  /** Whether a payment attempt was in progress. */
  isProcessing: { ...column.boolean, default: false },
  periodStart: column.nullable(column.dateTime),
  periodEnd: column.nullable(column.dateTime),
  paidAt: column.nullable(column.dateTime),
  /** When an attempt to collect it first failed. */
  failedAt: column.nullable(column.dateTime),
  /** When Stripe tries again to collect it; null if it will not, and if stored before this was. */
  nextAttemptAt: column.nullable(column.dateTime),
  /** When the payment reached Stripe's balance; `paidAt` without a payment, and while unknown. */
  bookedAt: column.nullable(column.dateTime),
  /** The charge that paid the invoice; null if there is none or several. */
  chargeId: column.nullable(column.varchar(64)),
  /** The last payment that was begun for the invoice. */
  paymentIntentId: column.nullable(column.varchar(64)),
  hostedUrl: column.nullable(column.varchar(2_000)),
  /** When it was paid, or the start of its period. */
  datedAt: { ...column.dateTime, ...COMPUTED },
  /** What became of it, but for disputes. */
  outcome: { ...column.varchar(20), ...COMPUTED },
});
export type InvoiceRow = Omit<RowOf<typeof invoiceEntity>, 'datedAt' | 'outcome'>;

export const findInvoice = (tx: Tx, invoiceId: string): Promise<InvoiceRow | null> =>
  tx.getRepository(invoiceEntity).findOneBy({ invoiceId });

/** The users of invoices that have one of these values, of a few. */
export const listUserIdsOfInvoices = async (
  tx: Tx,
  column: 'invoiceId' | 'chargeId' | 'paymentIntentId' | 'number',
  values: string[],
): Promise<string[]> => {
  const where = { [column]: In(values) };
  const rows = await tx
    .getRepository(invoiceEntity)
    .find({ select: { invoiceId: true, userId: true }, where, take: 5 });
  return rows.map(({ userId }) => userId);
};

const PAYABLE = ['open', 'uncollectible'] as const;

/** The ids among these whose invoices are recorded as paid. */
export const listPaidIds = async (tx: Tx, invoiceIds: string[]): Promise<Set<string>> => {
  const rows = await tx
    .getRepository(invoiceEntity)
    .find({ select: { invoiceId: true }, where: { invoiceId: In(invoiceIds), status: 'paid' } });
  return new Set(rows.map(({ invoiceId }) => invoiceId));
};

const CHANGING = propertiesExcept(invoiceEntity, 'invoiceId', 'userId', 'currency', 'datedAt', 'outcome');

/** The stored ones among these invoices, by id. */
export const findInvoices = async (tx: Tx, invoiceIds: string[]): Promise<Map<string, InvoiceRow>> => {
  const rows = await tx.getRepository(invoiceEntity).findBy({ invoiceId: In(invoiceIds) });
  return new Map(rows.map((row) => [row.invoiceId, row]));
};

/** The invoices that were paid by a single one of these charges, by charge. */
export const findInvoicesByCharge = async (tx: Tx, chargeIds: string[]): Promise<Map<string, InvoiceRow>> => {
  const rows = await tx.getRepository(invoiceEntity).findBy({ chargeId: In(chargeIds) });
  return new Map(rows.map((row) => [row.chargeId ?? '', row]));
};

/** Stores the fee of a payment whose fee is unknown, and how it reached the balance. */
export const fillInFee = async (
  tx: Tx,
  {
    chargeId,
    ...columns
  }: { chargeId: string } & Pick<
    InvoiceRow,
    'fee' | 'settlementCurrency' | 'settlementAmount' | 'exchangeRate' | 'bookedAt'
  >,
): Promise<void> => {
  await tx.getRepository(invoiceEntity).update({ chargeId, fee: IsNull() }, columns);
};

/** Inserts an invoice, or updates what can change of a stored one. */
export const upsertInvoice = async (tx: Tx, invoice: InvoiceRow): Promise<void> => {
  await upsert(tx, invoiceEntity, { rows: [invoice], update: CHANGING });
};

/** Paid invoices whose fee is not known yet, by id from `after` on. */
export const listUnknownFees = (
  tx: Tx,
  { paidBefore, after, limit }: { paidBefore: Date; after: string; limit: number },
): Promise<Pick<InvoiceRow, 'invoiceId' | 'userId'>[]> =>
  tx.getRepository(invoiceEntity).find({
    select: { invoiceId: true, userId: true },
    where: { status: 'paid', fee: IsNull(), paidAt: LessThan(paidBefore), invoiceId: MoreThan(after) },
    order: { invoiceId: 'ASC' },
    take: limit,
  });

/** When the oldest payment since `paidAfter` was made whose fee is not known yet; null if every fee is known. */
export const findOldestUnknownFee = async (tx: Tx, paidAfter: Date): Promise<Date | null> => {
  const invoice = await tx.getRepository(invoiceEntity).findOne({
    select: { invoiceId: true, paidAt: true },
    where: { status: 'paid', fee: IsNull(), chargeId: Not(IsNull()), paidAt: MoreThan(paidAfter) },
    order: { paidAt: 'ASC' },
  });
  return invoice?.paidAt ?? null;
};

/** The newest invoice of a subscription by its period. */
export const findNewestInvoice = (
  tx: Tx,
  { userId, subscriptionId }: { userId: string; subscriptionId: string },
): Promise<Pick<InvoiceRow, 'status' | 'periodEnd'> | null> =>
  tx.getRepository(invoiceEntity).findOne({
    select: { invoiceId: true, status: true, periodEnd: true },
    where: { userId, subscriptionId },
    order: { periodEnd: 'DESC' },
  });

/** Whether an invoice of a user, or of one subscription, can still be paid on its page. */
export const hasPayableInvoice = (
  tx: Tx,
  owner: { userId: string; subscriptionId?: string },
): Promise<boolean> => tx.getRepository(invoiceEntity).existsBy({ ...owner, status: In(PAYABLE) });

/** Whether a payment for the plan is recorded in the second of `since` or later: Stripe's times are in whole seconds. */
export const hasPaidSince = (tx: Tx, userId: string, since: Date): Promise<boolean> => {
  const paidAt = MoreThanOrEqual(new Date(Math.floor(since.getTime() / 1_000) * 1_000));
  return tx.getRepository(invoiceEntity).existsBy({ userId, status: 'paid', credits: IsNull(), paidAt });
};

/** Whether a user has ever paid for the plan. */
export const hasPaidPlan = (tx: Tx, userId: string): Promise<boolean> =>
  tx.getRepository(invoiceEntity).existsBy({ userId, status: 'paid', credits: IsNull() });

/** The last payment for the plan, which a trial is not. */
export const findLastPayment = (
  tx: Tx,
  userId: string,
): Promise<Pick<InvoiceRow, 'amount' | 'currency' | 'paidAt'> | null> =>
  tx.getRepository(invoiceEntity).findOne({
    select: { invoiceId: true, amount: true, currency: true, paidAt: true },
    where: [{ subtotal: MoreThan(0) }, { amount: MoreThan(0) }].map((sold) => ({
      ...sold,
      userId,
      status: 'paid' as const,
      credits: IsNull(),
    })),
    order: { paidAt: 'DESC' },
  });

/** An invoice of this user. */
export const findInvoiceOf = (
  tx: Tx,
  { userId, invoiceId }: { userId: string; invoiceId: string },
): Promise<InvoiceRow | null> => tx.getRepository(invoiceEntity).findOneBy({ userId, invoiceId });

/** The invoices of a user, the newest first. */
export const listNewestInvoices = (tx: Tx, userId: string): Promise<InvoiceRow[]> =>
  tx
    .getRepository(invoiceEntity)
    .find({ where: { userId }, order: { periodStart: 'DESC', invoiceId: 'DESC' } });

/** The invoices of a user by id, after the id `after`. */
export const listInvoicesOf = (
  tx: Tx,
  userId: string,
  { after, limit }: { after: string; limit: number },
): Promise<InvoiceRow[]> =>
  tx.getRepository(invoiceEntity).find({
    where: { userId, invoiceId: MoreThan(after) },
    order: { invoiceId: 'ASC' },
    take: limit,
  });
