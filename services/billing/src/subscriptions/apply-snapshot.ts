// Writes a snapshot from Stripe and computes the next state of the plan.
import {
  type InvoiceDetails,
  type PaymentFailed,
  paymentFailed,
  paymentRefunded,
  paymentSucceeded,
  type PlanEndReason,
  type WithPlanState,
} from '@shortlist/contracts/events/billing';
import type { Tx } from '@shortlist/kit/data/db';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import type { Policies } from '../config.ts';
import { setResolved } from '../alerts/queries.ts';
import { alertIdOf, raiseAlerts } from '../alerts/raise-alert.ts';
import { findDispute, insertTransactions, upsertDispute } from '../records/dispute-queries.ts';
import { recordSubscriptions } from '../records/subscription-queries.ts';
import type { CustomerSnapshot, DisputeSnapshot, InvoiceSnapshot } from '../stripe/snapshot.ts';
import { nextPlan, planEvent, stateOf } from './plan.rules.ts';
import { alertsOf, problemOf, withSince } from './problem.rules.ts';
import { lockSubscriber, type NextPlan, type PlanEvent, type SubscriberRow } from './queries.ts';
import {
  type InvoiceChange,
  recordInvoice,
  recordLatePayment,
  recordPaymentAfterDeletion,
} from './record-invoice.ts';
import { cardWarning, renewalEvents, trialNotice } from './renewal.rules.ts';
import {
  currentSubscription,
  earlyEndReason,
  isClosed,
  isOngoing,
  isLate,
  isRefusedTrial,
  paidCoverage,
  refundedAmount,
  renewsAgain,
  trialEndOf,
  unwantedPayments,
} from './subscription.rules.ts';

const failureOf = (invoice: InvoiceSnapshot): Omit<PaymentFailed, keyof WithPlanState> => ({
  invoiceId: invoice.id,
  attempt: invoice.attempts,
  nextAttemptAt: invoice.nextAttemptAt?.toISOString() ?? null,
  confirmUrl: invoice.needsAuthentication ? invoice.hostedUrl : null,
});

const detailsOf = ({ number, tax, period, pdfUrl }: InvoiceSnapshot): InvoiceDetails => ({
  number,
  tax,
  periodStart: period.start.toISOString(),
  periodEnd: period.end.toISOString(),
  pdfUrl,
});

const eventsOfInvoice = (invoice: InvoiceSnapshot, change: InvoiceChange, now: Date): PlanEvent[] => {
  const { id: invoiceId, amount, currency, isTrial: trial } = invoice;
  const events: PlanEvent[] = [];
  if (change.paid) {
    const paidAt = (invoice.paidAt ?? now).toISOString();
    const details = detailsOf(invoice);
    events.push(
      planEvent(paymentSucceeded, { invoiceId, amount, currency, paidAt, invoice: details, trial }),
    );
  }
  if (change.failedAttempt) events.push(planEvent(paymentFailed, failureOf(invoice)));
  if (change.refunded)
    events.push(planEvent(paymentRefunded, { invoiceId, amount: refundedAmount(invoice), currency }));
  return events;
};

type Input = {
  snapshot: CustomerSnapshot;
  by: string;
  reason: string;
  /** The reason in PlanRevoked if the plan ends before its time; by default a refund or a cancellation, as in the snapshot. */
  earlyEnd?: PlanEndReason;
  policies: Policies;
  clock: Clock;
  log: Log;
};

type Recording = Pick<Input, 'snapshot' | 'policies' | 'clock' | 'log'>;

/**
 * Records a late payment: of a deleted user, or for a past period if it was or should be refunded. The event of the deletion may arrive after a
 * payment that followed it.
 */
const recordTooLate = async (
  tx: Tx,
  { userId, deletedAt, granted, revokedAt }: SubscriberRow,
  {
    invoice,
    isNew,
    snapshot,
    policies,
    clock,
    log,
  }: Recording & { invoice: InvoiceSnapshot; isNew: boolean },
): Promise<void> => {
  const details = { invoice, clock, log };
  if (deletedAt !== null) return recordPaymentAfterDeletion(tx, { userId, deletedAt }, details);
  if (!isNew || !isLate(invoice, snapshot)) return;
  const unwanted = unwantedPayments(snapshot, { granted, revokedAt, policies, now: clock() });
  if (refundedAmount(invoice) > 0 || unwanted.includes(invoice))
    await recordLatePayment(tx, userId, { kind: 'late_payment', ...details });
};

/** Records the invoices and returns their events. */
const recordInvoices = async (
  tx: Tx,
  subscriber: SubscriberRow,
  recording: Recording,
): Promise<PlanEvent[]> => {
  const events: PlanEvent[] = [];
  for (const invoice of recording.snapshot.invoices) {
    const change = await recordInvoice(tx, subscriber.userId, { invoice, clock: recording.clock });
    await recordTooLate(tx, subscriber, { ...recording, invoice, isNew: change.paid });
    if (isRefusedTrial(invoice, recording.snapshot)) continue;
    events.push(...eventsOfInvoice(invoice, change, recording.clock()));
  }
  return events;
};

/**
 * Stores a dispute as last read from Stripe, with the money that it moved. Resolves the alert about its opening when it closes. The caller has
 * locked the subscriber's row.
 */
const recordDispute = async (
  tx: Tx,
  { userId, dispute, clock }: { userId: string; dispute: DisputeSnapshot; clock: Clock },
): Promise<void> => {
  const { id: disputeId, transactions, ...columns } = dispute;
  const stored = await findDispute(tx, disputeId);
  const closedAt = isClosed(dispute) ? (stored?.closedAt ?? clock()) : null;
  await upsertDispute(tx, { disputeId, userId, ...columns, closedAt });
  await insertTransactions(
    tx,
    transactions.map(({ id: transactionId, ...transaction }) => ({
      transactionId,
      disputeId,
      ...transaction,
    })),
  );
  const isClosedNow = closedAt !== null && (stored?.closedAt ?? null) === null;
  if (isClosedNow) await setResolved(tx, alertIdOf('dispute_opened', disputeId), clock());
};

const NO_SUBSCRIPTION = {
  subscriptionId: null,
  subscriptionStatus: null,
  renews: false,
  renewsUntil: null,
  priceAmount: null,
  priceCurrency: null,
  priceInterval: null,
  nextInterval: null,
  discount: null,
  card: null,
  trialEndsAt: null,
  isTrialRefused: false,
};

const subscriptionColumns = (snapshot: CustomerSnapshot) => {
  const subscription = currentSubscription(snapshot);
  if (subscription === null) return NO_SUBSCRIPTION;
  const { id, status, price, interval, nextInterval, discount, endsAt, card } = subscription;
  const renews = renewsAgain(snapshot, subscription);
  return {
    subscriptionId: id,
    subscriptionStatus: status,
    renews,
    renewsUntil: renews ? endsAt : null,
    priceAmount: price?.amount ?? null,
    priceCurrency: price?.currency ?? null,
    priceInterval: interval,
    nextInterval: renews ? nextInterval : null,
    discount: isOngoing(status) ? discount : null,
    card,
    trialEndsAt: trialEndOf(snapshot, subscription),
    isTrialRefused: subscription.isTrialRefused,
  };
};

type RenewalInput = Pick<Input, 'snapshot' | 'by' | 'clock'> & {
  before: SubscriberRow;
  after: ReturnType<typeof subscriptionColumns>;
};

/** Adds the notifications about the next renewal, which do not change the plan or its version. */
const withRenewal = (next: NextPlan, { snapshot, before, after, by, clock }: RenewalInput): NextPlan => {
  const now = { planState: next.planState, now: clock() };
  const warning = cardWarning(snapshot, before, now);
  const notice = trialNotice(snapshot, before, now);
  return {
    ...next,
    columns: { ...next.columns, ...warning.columns, ...notice.columns },
    events: [
      ...next.events,
      ...renewalEvents(before, after, { by, ...now }),
      ...warning.events,
      ...notice.events,
    ],
  };
};

/**
 * Records a snapshot from Stripe: invoices, subscriptions and disputes, with their alerts. Returns the next state of the plan, which the caller
 * writes in the same transaction. The caller owns the user's lease, so the snapshot is the newest. Idempotent.
 */
export const applySnapshot = async (
  tx: Tx,
  userId: string,
  { snapshot, by, reason, policies, clock, log, ...input }: Input,
): Promise<NextPlan> => {
  const current = await lockSubscriber(tx, userId);
  if (current === null) throw new Error(`no subscriber ${userId}`);
  const events = await recordInvoices(tx, current, { snapshot, policies, clock, log });
  await recordSubscriptions(
    tx,
    snapshot.subscriptions.map((subscription) => ({ userId, subscription })),
  );
  for (const dispute of snapshot.disputes) await recordDispute(tx, { userId, dispute, clock });
  await raiseAlerts(tx, alertsOf(snapshot, userId), { clock, log });
  const subscription = subscriptionColumns(snapshot);
  // A deleted user's payments are still recorded for accounting, but emit no events.
  if (current.deletedAt !== null)
    return {
      userId,
      planState: stateOf(current),
      problem: null,
      columns: { ...subscription, card: null, discount: null, problem: null },
      events: [],
    };
  const { granted, revokedAt } = current;
  const columns = {
    paid: paidCoverage(snapshot, { granted, revokedAt, policies, now: clock() }),
    granted,
    problem: withSince(problemOf(snapshot, clock()), current.problem, clock()),
    ...subscription,
  };
  const earlyEnd = input.earlyEnd ?? earlyEndReason(snapshot, current.paid);
  const next = nextPlan(current, { columns, by, reason, events, earlyEnd }, clock());
  return withRenewal(next, { snapshot, before: current, after: subscription, by, clock });
};
