import type { Tx } from '@shortlist/kit/data/db';
import { instant, integer, nullable, type RowOf, selectRows, sql, text } from '@shortlist/kit/data/sql';

// Raw SQL, because it joins on columns without a relation.

const INVOICE = { invoiceId: text, number: nullable(text), currency: text };

const REFUND = {
  refundId: text,
  amount: integer,
  createdAt: instant,
  failedAt: nullable(instant),
  ...INVOICE,
};

/** The refunds of a user's payments. */
export const listRefundsOf = (tx: Tx, userId: string): Promise<RowOf<typeof REFUND>[]> =>
  selectRows(
    tx,
    REFUND,
    sql`SELECT r.refund_id AS refundId, r.amount, r.created_at AS createdAt, r.failed_at AS failedAt,
          i.invoice_id AS invoiceId, i.number, i.currency
        FROM invoices i JOIN refunds r ON r.invoice_id = i.invoice_id WHERE i.user_id = ${userId}`,
  );

const DISPUTE = {
  disputeId: text,
  amount: integer,
  status: text,
  openedAt: instant,
  closedAt: nullable(instant),
  ...INVOICE,
};

/** A user's disputes, with the number of the invoice. */
export const listNumberedDisputes = (tx: Tx, userId: string): Promise<RowOf<typeof DISPUTE>[]> =>
  selectRows(
    tx,
    DISPUTE,
    sql`SELECT d.dispute_id AS disputeId, d.amount, d.status, d.opened_at AS openedAt, d.closed_at AS closedAt,
          d.invoice_id AS invoiceId, i.number, d.currency
        FROM disputes d LEFT JOIN invoices i ON i.invoice_id = d.invoice_id WHERE d.user_id = ${userId}`,
  );
