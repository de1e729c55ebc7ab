import { auditSection } from '@shortlist/audit/data-export';
import type { ExportRow, ExportSection } from '@shortlist/contracts/data-export';
import { planAt } from '@shortlist/contracts/plan';
import type { Db, Tx } from '@shortlist/kit/data/db';
import { pagedSection, type ReadSection, wholeSection } from '@shortlist/kit/http/section-endpoint';
import type { Clock } from '@shortlist/kit/process/clock';
import { listDisputesOf, listInvoicesOf, listSubscriptionsOf } from './export-queries.ts';
import type { InvoiceRow } from './records/invoice-queries.ts';
import { findSubscriber } from './subscriptions/queries.ts';
import { stateOf } from './subscriptions/plan.rules.ts';

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

const planRows = async (tx: Tx, userId: string, now: Date): Promise<ExportRow[]> => {
  const subscriber = await findSubscriber(tx, userId);
  if (subscriber === null) return [];
  const { plan, coverage, endsAt } = planAt(stateOf(subscriber), now);
  const { renews, customerId, email, name } = subscriber;
  const period = { periodStart: coverage?.start ?? null, periodEnd: endsAt };
  return [{ plan, ...period, renews: Boolean(renews), customerId, email, name }];
};

const subscriptionRows = async (tx: Tx, userId: string): Promise<ExportRow[]> =>
  (await listSubscriptionsOf(tx, userId)).map(({ userId: _, ...subscription }) => ({
    ...subscription,
    startedAt: iso(subscription.startedAt),
    canceledAt: iso(subscription.canceledAt),
    endedAt: iso(subscription.endedAt),
  }));

const disputeRows = async (tx: Tx, userId: string): Promise<ExportRow[]> =>
  (await listDisputesOf(tx, userId)).map((dispute) => ({
    disputeId: dispute.disputeId,
    invoiceId: dispute.invoiceId,
    amount: dispute.amount,
    currency: dispute.currency,
    reason: dispute.reason,
    status: dispute.status,
    openedAt: iso(dispute.openedAt),
    closedAt: iso(dispute.closedAt),
  }));

/** What was paid and where the invoice is. The fee and the settlement are the product's own accounting. */
const presentInvoice = (invoice: InvoiceRow) => ({
  id: invoice.invoiceId,
  invoiceId: invoice.invoiceId,
  number: invoice.number,
  status: invoice.status,
  amount: invoice.amount,
  currency: invoice.currency,
  tax: invoice.tax,
  discount: invoice.discount,
  refunded: invoice.refunded,
  periodStart: iso(invoice.periodStart),
  periodEnd: iso(invoice.periodEnd),
  paidAt: iso(invoice.paidAt),
  hostedUrl: invoice.hostedUrl,
});

/** What billing stores about a user. */
export const exportSections = ({
  db,
  clock,
}: {
  db: Db;
  clock: Clock;
}): Record<ExportSection<'billing'>, ReadSection> => ({
  plan: wholeSection((userId) => planRows(db.manager, userId, clock())),
  subscriptions: wholeSection((userId) => subscriptionRows(db.manager, userId)),
  invoices: pagedSection(async (userId, after, limit) =>
    (await listInvoicesOf(db.manager, userId, { after: after ?? '', limit })).map(presentInvoice),
  ),
  disputes: wholeSection((userId) => disputeRows(db.manager, userId)),
  changes: auditSection(db),
});
