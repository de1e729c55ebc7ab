import type { Tx } from '@shortlist/kit/data/db';
import { In, IsNull, LessThan, MoreThan, Not } from 'typeorm';
import { invoiceEntity, type InvoiceRow } from './invoice.entity.ts';
import { refundEntity, type RefundRow } from './refund.entity.ts';

export const findInvoice = (tx: Tx, invoiceId: string): Promise<InvoiceRow | null> =>
  tx.getRepository(invoiceEntity).findOneBy({ invoiceId });

const PAYABLE = ['open', 'uncollectible'] as const;

/** The ids among these of invoices that are recorded as paid. */
export const listPaidIds = async (tx: Tx, invoiceIds: string[]): Promise<Set<string>> => {
  const rows = await tx
    .getRepository(invoiceEntity)
    .find({ select: { invoiceId: true }, where: { invoiceId: In(invoiceIds), status: 'paid' } });
  return new Set(rows.map(({ invoiceId }) => invoiceId));
};

const CHANGING = [
  ...[
    'number',
    'subscription_id',
    'billing_reason',
    'status',
    'amount',
    'subtotal',
    'discount',
    'tax',
    'total',
  ],
  ...[
    'fee',
    'settlement_currency',
    'settlement_amount',
    'exchange_rate',
    'refunded',
    'attempts',
    'is_processing',
  ],
  ...['period_start', 'period_end', 'paid_at', 'hosted_url'],
];

/** Those of these invoices that are stored, by id. */
export const findInvoices = async (tx: Tx, invoiceIds: string[]): Promise<Map<string, InvoiceRow>> => {
  const rows = await tx.getRepository(invoiceEntity).findBy({ invoiceId: In(invoiceIds) });
  return new Map(rows.map((row) => [row.invoiceId, row]));
};

/** Inserts an invoice, or updates what can change of one that is stored. */
export const upsertInvoice = async (tx: Tx, invoice: InvoiceRow): Promise<void> => {
  await tx
    .createQueryBuilder()
    .insert()
    .into(invoiceEntity)
    .values(invoice)
    .orUpdate(CHANGING)
    .updateEntity(false)
    .execute();
};

export const listRefundIds = async (tx: Tx, invoiceId: string): Promise<Set<string>> => {
  const rows = await tx
    .getRepository(refundEntity)
    .find({ select: { refundId: true }, where: { invoiceId } });
  return new Set(rows.map(({ refundId }) => refundId));
};

export const insertRefunds = async (tx: Tx, refunds: RefundRow[]): Promise<void> => {
  if (refunds.length === 0) return;
  await tx.createQueryBuilder().insert().into(refundEntity).values(refunds).updateEntity(false).execute();
};

export const deleteRefundsExcept = async (tx: Tx, invoiceId: string, refundIds: string[]): Promise<void> => {
  await tx.getRepository(refundEntity).delete({ invoiceId, refundId: Not(In(refundIds)) });
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
): Promise<Pick<InvoiceRow, 'status'> | null> =>
  tx.getRepository(invoiceEntity).findOne({
    select: { invoiceId: true, status: true },
    where: { userId, subscriptionId },
    order: { periodEnd: 'DESC' },
  });

/** Whether an invoice of a subscription can still be paid on its page. */
export const hasPayableInvoice = (
  tx: Tx,
  { userId, subscriptionId }: { userId: string; subscriptionId: string },
): Promise<boolean> =>
  tx.getRepository(invoiceEntity).existsBy({ userId, subscriptionId, status: In(PAYABLE) });

export const findLastPayment = (
  tx: Tx,
  userId: string,
): Promise<Pick<InvoiceRow, 'amount' | 'currency' | 'paidAt'> | null> =>
  tx.getRepository(invoiceEntity).findOne({
    select: { invoiceId: true, amount: true, currency: true, paidAt: true },
    where: { userId, status: 'paid' },
    order: { paidAt: 'DESC' },
  });
