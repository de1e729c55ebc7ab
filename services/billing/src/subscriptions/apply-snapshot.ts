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
import { lockSubscriber, type SubscriberRow, updateSubscriber } from './queries.ts';
import { currentSubscription, earlyEndReason, paidCoverage } from './subscription.rules.ts';
import { type EmitWithState, stateOf, withState, writePlan } from './write-plan.ts';

type Invoiced = {
  tx: Tx;
  userId: string;
  clock: Clock;
  snapshot: CustomerSnapshot;
  invoice: InvoiceSnapshot;
};

const failureOf = (invoice: InvoiceSnapshot): Omit<PaymentFailed, 'planState'> => ({
  invoiceId: invoice.id,
  attempt: invoice.attempts,
  nextAttemptAt: invoice.nextAttemptAt?.toISOString() ?? null,
  confirmUrl: invoice.needsAuthentication ? invoice.hostedUrl : null,
});

const eventsOfInvoice = (
  { tx, userId: subject, clock, snapshot, invoice }: Invoiced,
  change: InvoiceChange,
): EmitWithState[] => {
  const { id: invoiceId, amount, currency } = invoice;
  const events: EmitWithState[] = [];
  if (change.paid && isSold(invoice, snapshot)) {
    const paidAt = (invoice.paidAt ?? clock()).toISOString();
    const data = { invoiceId, amount, currency, paidAt };
    events.push(withState(tx, paymentSucceeded, { subject, data, clock }));
  }
  if (change.failedAttempt) {
    const data = failureOf(invoice);
    events.push(withState(tx, paymentFailed, { subject, data, clock }));
  }
  if (change.refunded) {
    const data = { invoiceId, amount: refundedAmount(invoice), currency };
    events.push(withState(tx, paymentRefunded, { subject, data, clock }));
  }
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

/** Records one invoice and returns its events. */
const recordInvoiceOf = async (
  { deletedAt }: SubscriberRow,
  { log, ...invoiced }: Invoiced & { log: Log },
): Promise<EmitWithState[]> => {
  const { tx, userId, clock, invoice } = invoiced;
  const change = await recordInvoice(tx, userId, invoice);
  // The deletion itself may arrive after a payment that followed it.
  if (deletedAt !== null && (change.paid || isPaidAfter(invoice, deletedAt)))
    await recordLatePayment(tx, userId, { invoice, clock, log });
  return eventsOfInvoice(invoiced, change);
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
  const events: EmitWithState[] = [];
  for (const invoice of snapshot.invoices)
    events.push(...(await recordInvoiceOf(current, { tx, userId, clock, log, snapshot, invoice })));
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
  return writePlan(tx, { current, columns, by, reason, events, earlyEnd, clock });
};
