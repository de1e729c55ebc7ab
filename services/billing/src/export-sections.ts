import { auditSection } from '@shortlist/audit/audit-log';
import { EXPORT_SECTIONS, type ExportSection } from '@shortlist/contracts/api/privacy';
import { planAt } from '@shortlist/contracts/plan';
import type { Db, Tx } from '@shortlist/kit/data/db';
import { pagedSection, type ReadSection, wholeSection } from '@shortlist/kit/http/section-endpoint';
import type { Clock } from '@shortlist/kit/process/clock';
import { listPacks } from './packs/queries.ts';
import { listDisputesOf } from './records/dispute-queries.ts';
import { listInvoicesOf } from './records/invoice-queries.ts';
import { listSubscriptionsOf } from './records/subscription-queries.ts';
import { findSubscriber } from './subscriptions/queries.ts';
import { stateOf } from './subscriptions/plan.rules.ts';

const { plan, subscriptions, invoices, packs, disputes } = EXPORT_SECTIONS.billing;

const readPlan = async (tx: Tx, userId: string, now: Date) => {
  const subscriber = await findSubscriber(tx, userId);
  if (subscriber === null) return [];
  const { plan: name, coverage, endsAt } = planAt(stateOf(subscriber), now);
  const { kind: paymentProblem = null, since: paymentProblemSince = null } = subscriber.problem ?? {};
  return [
    {
      ...subscriber,
      periodStart: coverage?.start ?? null,
      periodEnd: endsAt,
      plan: name,
      renews: Boolean(subscriber.renews),
      paymentProblem,
      paymentProblemSince,
    },
  ];
};

/** The data that billing stores about a user, without fees and settlements of invoices, which are the product's accounting. */
export const exportSections = ({
  db,
  clock,
}: {
  db: Db;
  clock: Clock;
}): Record<ExportSection<'billing'>, ReadSection> => ({
  plan: wholeSection(plan, (userId) => readPlan(db.manager, userId, clock())),
  subscriptions: wholeSection(subscriptions, (userId) => listSubscriptionsOf(db.manager, userId)),
  invoices: pagedSection(invoices, async (userId, after, limit) => {
    const rows = await listInvoicesOf(db.manager, userId, { after: after ?? '', limit });
    return rows.map((invoice) => ({ ...invoice, id: invoice.invoiceId }));
  }),
  packs: wholeSection(packs, (userId) => listPacks(db.manager, userId)),
  disputes: wholeSection(disputes, (userId) => listDisputesOf(db.manager, userId)),
  changes: auditSection(db),
});
