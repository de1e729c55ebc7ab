import type { Tx } from '@shortlist/kit/data/db';
import { propertiesExcept, upsert } from '@shortlist/kit/data/insert';
import { EntitySchema, In, IsNull, LessThan, MoreThan, type ValueTransformer } from 'typeorm';

/** An invoice as last read from Stripe. Amounts are minor units of `currency`; settlement and fee have their own currency. */
export type InvoiceRow = {
  invoiceId: string;
  userId: string;
  number: string | null;
  subscriptionId: string | null;
  billingReason: string | null;
  /** The credits of the invoiced pack; null for an invoice of the plan. */
  credits: number | null;
  status: 'open' | 'paid' | 'void' | 'uncollectible';
  amount: number;
  currency: string;
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
  /** Null while unknown, which is different from a fee of 0. */
  fee: number | null;
  settlementCurrency: string | null;
  settlementAmount: number | null;
  exchangeRate: number | null;
  refunded: number;
  attempts: number;
  /** Whether a payment attempt was in progress. */
  isProcessing: boolean;
  periodStart: Date | null;
  periodEnd: Date | null;
  paidAt: Date | null;
  /** When the payment reached Stripe's balance; `paidAt` without a payment, and while unknown. */
  bookedAt: Date | null;
  /** The charge that paid the invoice; null if there is none or several. */
  chargeId: string | null;
  /** The last payment that was begun for the invoice. */
  paymentIntentId: string | null;
  hostedUrl: string | null;
};

/** The driver returns a DECIMAL as text. A number is exact enough for a rate. */
const decimal: ValueTransformer = {
  to: (value: unknown) => value,
  from: (text: string | null) => (text === null ? null : Number(text)),
};

export const invoiceEntity = new EntitySchema<InvoiceRow>({
  name: 'invoice',
  tableName: 'invoices',
  columns: {
    invoiceId: { name: 'invoice_id', type: 'varchar', length: 64, primary: true },
    userId: { name: 'user_id', type: 'char', length: 36 },
    number: { type: 'varchar', length: 64, nullable: true },
    subscriptionId: { name: 'subscription_id', type: 'varchar', length: 64, nullable: true },
    billingReason: { name: 'billing_reason', type: 'varchar', length: 40, nullable: true },
    credits: { type: 'int', nullable: true },
    status: { type: 'enum', enum: ['open', 'paid', 'void', 'uncollectible'] },
    amount: { type: 'int' },
    currency: { type: 'char', length: 3 },
    subtotal: { type: 'int', default: 0 },
    discount: { type: 'int', default: 0 },
    tax: { type: 'int', default: 0 },
    total: { type: 'int', default: 0 },
    fee: { type: 'int', nullable: true },
    settlementCurrency: { name: 'settlement_currency', type: 'char', length: 3, nullable: true },
    settlementAmount: { name: 'settlement_amount', type: 'int', nullable: true },
    exchangeRate: {
      name: 'exchange_rate',
      type: 'decimal',
      precision: 20,
      scale: 10,
      nullable: true,
      transformer: decimal,
    },
    refunded: { type: 'int', default: 0 },
    attempts: { type: 'int', default: 0 },
    isProcessing: { name: 'is_processing', type: 'boolean', default: false },
    periodStart: { name: 'period_start', type: 'datetime', precision: 3, nullable: true },
    periodEnd: { name: 'period_end', type: 'datetime', precision: 3, nullable: true },
    paidAt: { name: 'paid_at', type: 'datetime', precision: 3, nullable: true },
    bookedAt: { name: 'booked_at', type: 'datetime', precision: 3, nullable: true },
    chargeId: { name: 'charge_id', type: 'varchar', length: 64, nullable: true },
    paymentIntentId: { name: 'payment_intent_id', type: 'varchar', length: 64, nullable: true },
    hostedUrl: { name: 'hosted_url', type: 'varchar', length: 2_000, nullable: true },
  },
});

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

const CHANGING = propertiesExcept(invoiceEntity, 'invoiceId', 'userId', 'currency');

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

/** Whether an invoice of a subscription can still be paid on its page. */
export const hasPayableInvoice = (
  tx: Tx,
  { userId, subscriptionId }: { userId: string; subscriptionId: string },
): Promise<boolean> =>
  tx.getRepository(invoiceEntity).existsBy({ userId, subscriptionId, status: In(PAYABLE) });

/** The last payment for the plan. */
export const findLastPayment = (
  tx: Tx,
  userId: string,
): Promise<Pick<InvoiceRow, 'amount' | 'currency' | 'paidAt'> | null> =>
  tx.getRepository(invoiceEntity).findOne({
    select: { invoiceId: true, amount: true, currency: true, paidAt: true },
    where: { userId, status: 'paid', credits: IsNull() },
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
