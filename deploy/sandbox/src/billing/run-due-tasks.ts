import type Stripe from 'stripe';
import { now, type Context } from '../context.ts';
import { HOUR } from '../model/billing-cycle.rules.ts';
import { isProcessing, openInvoicesOf } from '../model/invoice.ts';
import { emit } from '../model/emit-event.ts';
import { dueAt, trialNoticeAt } from '../model/subscription.ts';
import { refId, runAt } from '../state.ts';
import { voidInvoice } from './close-invoice.ts';
import { expireCheckout } from './pay-checkout.ts';
import { renewSubscription, resumeCollection, retryInvoice } from './renew-subscription.ts';
import { settleCharge } from './record-payment.ts';

const FIRST_PAYMENT_LIMIT = 23 * HOUR;

/** `order`: of tasks that are due at the same time. */
type DueTask = { at: number; order: number; customer: string | null; run: () => void };
type Task = Omit<DueTask, 'order'>;
/** Lists the tasks of one customer, or of all. */
type ListTasks = (context: Context, customer?: string | null) => Task[];

const checkoutTasks: ListTasks = (context, owner) =>
  [...context.state.checkoutSessions.values()].flatMap((session) => {
    const customer = refId(session.customer);
    if (session.status !== 'open' || (owner !== undefined && owner !== customer)) return [];
    return [{ at: session.expires_at, customer, run: () => expireCheckout(context, session) }];
  });

const invoiceTasks: ListTasks = (context, customer) =>
  [...context.state.invoices.of(customer)].flatMap((invoice) => {
    const at = invoice.next_payment_attempt;
    if (invoice.status !== 'open' || at === null) return [];
    return [{ at, customer: refId(invoice.customer), run: () => retryInvoice(context, invoice) }];
  });

type SubscriptionTask = {
  dueAt: (context: Context, subscription: Stripe.Subscription) => number | null;
  run: (context: Context, subscription: Stripe.Subscription) => void;
};

const subscriptionTasks =
  ({ dueAt: dueAtOf, run }: SubscriptionTask): ListTasks =>
  (context, owner) =>
    [...context.state.subscriptions.of(owner)].flatMap((subscription) => {
      const at = dueAtOf(context, subscription);
      const customer = refId(subscription.customer);
      return at === null ? [] : [{ at, customer, run: () => run(context, subscription) }];
    });

const resumption: SubscriptionTask = {
  dueAt: (_context, { pause_collection }) => pause_collection?.resumes_at ?? null,
  run: resumeCollection,
};

const renewal: SubscriptionTask = {
  dueAt: (_context, subscription) =>
    ['active', 'past_due', 'trialing'].includes(subscription.status) ? dueAt(subscription) : null,
  run: renewSubscription,
};

const trialNotice: SubscriptionTask = {
  dueAt: ({ state }, subscription) =>
    state.trialsAnnounced.has(subscription.id) ? null : trialNoticeAt(subscription),
  run: (context, subscription) => {
    context.state.trialsAnnounced.set(subscription.id, now(context));
    emit(context, 'customer.subscription.trial_will_end', subscription);
  },
};

/** A subscription whose first invoice stays unpaid expires, but not while a debit of it is being processed. */
const expiry: SubscriptionTask = {
  dueAt: (context, subscription) => {
    if (subscription.status !== 'incomplete') return null;
    const [invoice] = openInvoicesOf(context, subscription);
    return invoice && !isProcessing(context, invoice) ? subscription.created + FIRST_PAYMENT_LIMIT : null;
  },
  run: (context, subscription) => {
    const [invoice] = openInvoicesOf(context, subscription);
    if (invoice) voidInvoice(context, invoice);
  },
};

const captureTasks: ListTasks = (context, owner) =>
  [...context.state.pendingCaptures].flatMap(([charge, at]) => {
    const customer = refId(context.state.charges.get(charge)?.customer);
    if (owner !== undefined && owner !== customer) return [];
    return [{ at, customer, run: () => settleCharge(context, charge) }];
  });

// A collection that resumes when a period ends charges for the next.
const TASKS: ListTasks[] = [
  checkoutTasks,
  invoiceTasks,
  ...[resumption, trialNotice, renewal, expiry].map(subscriptionTasks),
  captureTasks,
];

const listDue = (context: Context, customer?: string | null): DueTask[] =>
  TASKS.flatMap((list, order) =>
    list(context, customer)
      .filter(({ at }) => at <= now(context))
      .map((task) => ({ ...task, order })),
  );

const byTime = (one: DueTask, other: DueTask): number => one.at - other.at || one.order - other.order;

/**
 * Runs every due task in order, with the clock set to the time it was due. A task changes when others of its customer are due, and no others.
 * Returns the number of tasks run.
 */
export const runDueTasks = (context: Context): number => {
  let count = 0;
  let due = listDue(context).toSorted(byTime);
  for (let task = due[0]; task !== undefined; task = due[0]) {
    const { at, customer, run } = task;
    runAt(context.clock, at, run);
    count += 1;
    const others = due.filter((other) => other.customer !== customer);
    due = [...others, ...listDue(context, customer)].toSorted(byTime);
  }
  if (count > 0) context.persistence.scheduleSave();
  return count;
};
