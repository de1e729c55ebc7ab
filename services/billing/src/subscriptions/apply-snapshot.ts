import {
  type PaymentFailed,
  paymentFailed,
  paymentRefunded,
  paymentSucceeded,
  type PlanEndReason,
} from '@shortlist/contracts/events/billing';
import type { PlanState } from '@shortlist/contracts/plan';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import type { Tx } from '@shortlist/kit/data/db';
import { raiseAlerts } from '../alerts/raise-alert.ts';
import { alertsOf, problemOf } from './problem.rules.ts';
import {
  type InvoiceChange,
  recordDispute,
  recordInvoice,
  recordLatePayment,
} from '../records/record-invoice.ts';
import { recordSubscriptions } from '../records/subscription-queries.ts';
import { isPaidAfter, isSold, refundedAmount } from '../records/records.rules.ts';
import type { CustomerSnapshot, InvoiceSnapshot } from '../stripe/snapshot.ts';
import { nextPlan, type PlanEvent, planEvent, stateOf } from './plan.rules.ts';
import { lockSubscriber, type SubscriberRow, updateSubscriber } from './queries.ts';
import { currentSubscription, earlyEndReason, paidCoverage } from './subscription.rules.ts';
import { writePlan } from './write-plan.ts';

const failureOf = (invoice: InvoiceSnapshot): Omit<PaymentFailed, 'planState'> => ({
  invoiceId: invoice.id,
  attempt: invoice.attempts,
  nextAttemptAt: invoice.nextAttemptAt?.toISOString() ?? null,
  confirmUrl: invoice.needsAuthentication ? invoice.hostedUrl : null,
});

type Invoiced = { snapshot: CustomerSnapshot; invoice: InvoiceSnapshot; now: Date };

const eventsOfInvoice = ({ snapshot, invoice, now }: Invoiced, change: InvoiceChange): PlanEvent[] => {
  const { id: invoiceId, amount, currency } = invoice;
  const events: PlanEvent[] = [];
  if (change.paid && isSold(invoice, snapshot)) {
    const paidAt = (invoice.paidAt ?? now).toISOString();
    events.push(planEvent(paymentSucceeded, { invoiceId, amount, currency, paidAt }));
  }
  if (change.failedAttempt) events.push(planEvent(paymentFailed, failureOf(invoice)));
  if (change.refunded)
    events.push(planEvent(paymentRefunded, { invoiceId, amount: refundedAmount(invoice), currency }));
  return events;
};

const NO_SUBSCRIPTION = {
  subscriptionId: null,
  subscriptionStatus: null,
  renews: false,
  priceAmount: null,
  priceCurrency: null,
};

const subscriptionColumns = (snapshot: CustomerSnapshot) => {
  const subscription = currentSubscription(snapshot);
  if (subscription === null) return NO_SUBSCRIPTION;
  const { id, status, renews, price } = subscription;
  return {
    subscriptionId: id,
    subscriptionStatus: status,
    renews,
    priceAmount: price?.amount ?? null,
    priceCurrency: price?.currency ?? null,
  };
};

type Input = {
  snapshot: CustomerSnapshot;
  by: string;
  reason: string;
  /** The reason in PlanRevoked if the plan ends before its time; by default a refund or a cancellation, as in the snapshot. */
  earlyEnd?: PlanEndReason;
  clock: Clock;
  log: Log;
};

/** Records the invoices and returns their events. */
const recordInvoices = async (
  tx: Tx,
  { userId, deletedAt }: SubscriberRow,
  { snapshot, clock, log }: Pick<Input, 'snapshot' | 'clock' | 'log'>,
): Promise<PlanEvent[]> => {
  const events: PlanEvent[] = [];
  for (const invoice of snapshot.invoices) {
    const change = await recordInvoice(tx, userId, invoice);
    // The deletion itself may arrive after a payment that followed it.
    if (deletedAt !== null && (change.paid || isPaidAfter(invoice, deletedAt)))
      await recordLatePayment(tx, userId, { invoice, clock, log });
    events.push(...eventsOfInvoice({ snapshot, invoice, now: clock() }, change));
  }
  return events;
};

/**
 * Writes a snapshot read from Stripe in one transaction: invoices, the plan and the events. The caller owns the user's lease, so
 * the snapshot is the newest. Applying the same snapshot again writes and emits nothing.
 */
export const applySnapshot = async (
  tx: Tx,
  userId: string,
  { snapshot, by, reason, clock, log, ...input }: Input,
): Promise<PlanState> => {
  const current = await lockSubscriber(tx, userId);
  if (current === null) throw new Error(`no subscriber ${userId}`);
  const { deletedAt } = current;
  const events = await recordInvoices(tx, current, { snapshot, clock, log });
  await recordSubscriptions(
    tx,
    snapshot.subscriptions.map((subscription) => ({ userId, subscription })),
  );
  for (const dispute of snapshot.disputes) await recordDispute(tx, { userId, dispute, clock });
  await raiseAlerts(tx, alertsOf(snapshot, userId), { clock, log });
  if (deletedAt !== null) {
    // A deleted user's payments are still recorded for accounting, but emit no events.
    await updateSubscriber(tx, userId, { ...subscriptionColumns(snapshot), problem: null });
    return stateOf(current);
  }
  const columns = {
    paid: paidCoverage(snapshot, clock()),
    granted: current.granted,
    problem: problemOf(snapshot),
    ...subscriptionColumns(snapshot),
  };
  const earlyEnd = input.earlyEnd ?? earlyEndReason(snapshot, current.paid);
  const next = nextPlan(current, { columns, by, reason, events, earlyEnd }, clock());
  return writePlan(tx, next, clock);
};
