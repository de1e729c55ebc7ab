// Which listed invoice, dispute or payout shows that a stored record is missing or wrong. Each is compared field by field. The link
// to an invoice's page is left out: Stripe may state another one for the same invoice each time.
import type { DisputeRow } from '../disputes/dispute.entity.ts';
import type { InvoiceRow } from '../invoices/invoice.entity.ts';
import type { PayoutRow } from '../payouts/payout.entity.ts';
import type { ListedDispute, ListedInvoice } from '../stripe/record-lists.ts';
import type { PayoutSnapshot } from '../stripe/snapshot.ts';

type Value = string | number | Date | null;

const plain = (value: Value): string | number | null => (value instanceof Date ? value.getTime() : value);

const INVOICE_FIELDS = [
  ...(['number', 'subscriptionId', 'billingReason', 'status', 'amount', 'currency', 'attempts'] as const),
  ...(['subtotal', 'discount', 'tax', 'total', 'paidAt'] as const),
];

const isSame = (one: Value, other: Value): boolean => plain(one) === plain(other);

export const isInvoiceStored = (listed: ListedInvoice, row: InvoiceRow | undefined): boolean =>
  row !== undefined &&
  INVOICE_FIELDS.every((field) => isSame(listed[field], row[field])) &&
  isSame(listed.period.start, row.periodStart) &&
  isSame(listed.period.end, row.periodEnd);

const DISPUTE_FIELDS = ['amount', 'currency', 'reason', 'status', 'openedAt', 'evidenceDueAt'] as const;

/** `transactionIds` are those that are stored for this dispute. */
export const isDisputeStored = (
  listed: ListedDispute,
  row: DisputeRow | undefined,
  transactionIds: ReadonlySet<string>,
): boolean =>
  row !== undefined &&
  DISPUTE_FIELDS.every((field) => isSame(listed[field], row[field])) &&
  listed.transactions.every(({ id }) => transactionIds.has(id));

const PAYOUT_FIELDS = ['amount', 'currency', 'status', 'arrivalAt', 'createdAt'] as const;

export const isPayoutStored = (listed: PayoutSnapshot, row: PayoutRow | undefined): boolean =>
  row !== undefined && PAYOUT_FIELDS.every((field) => isSame(listed[field], row[field]));
