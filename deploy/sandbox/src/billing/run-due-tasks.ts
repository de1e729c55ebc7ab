import { now, type Context } from '../context.ts';
import { HOUR } from '../model/billing-cycle.rules.ts';
import { isProcessing, openInvoicesOf } from '../model/invoice.ts';
import { dueAt } from '../model/subscription.ts';
import { runAt } from '../state.ts';
import { voidInvoice } from './close-invoice.ts';
import { expireCheckout } from './pay-checkout.ts';
import { renewSubscription, resumeCollection, retryInvoice } from './renew-subscription.ts';
import { settleCharge } from './record-payment.ts';

const FIRST_PAYMENT_LIMIT = 23 * HOUR;

type DueTask = {
  at: number;
  run: () => void;
};

const checkoutTasks = (context: Context): DueTask[] =>
  [...context.state.checkoutSessions.values()]
    .filter(({ status }) => status === 'open')
    .map((session) => ({ at: session.expires_at, run: () => expireCheckout(context, session) }));

const invoiceTasks = (context: Context): DueTask[] =>
  [...context.state.invoices.values()].flatMap((invoice) => {
    const at = invoice.next_payment_attempt;
    if (invoice.status !== 'open' || at === null) return [];
    return [{ at, run: () => retryInvoice(context, invoice) }];
  });

const subscriptionTasks = (context: Context): DueTask[] =>
  [...context.state.subscriptions.values()]
    .filter(({ status }) => status === 'active' || status === 'past_due')
    .map((subscription) => ({
      at: dueAt(subscription),
      run: () => renewSubscription(context, subscription),
    }));

const resumptionTasks = (context: Context): DueTask[] =>
  [...context.state.subscriptions.values()].flatMap((subscription) => {
    const at = subscription.pause_collection?.resumes_at;
    return at ? [{ at, run: () => resumeCollection(context, subscription) }] : [];
  });

// A subscription whose first invoice stays unpaid expires, but not while a debit of it is being processed.
const expiryTasks = (context: Context): DueTask[] =>
  [...context.state.subscriptions.values()]
    .filter(({ status }) => status === 'incomplete')
    .flatMap((subscription) => {
      const [invoice] = openInvoicesOf(subscription.id, context.state.invoices.values());
      if (!invoice || isProcessing(context, invoice)) return [];
      return [
        { at: subscription.created + FIRST_PAYMENT_LIMIT, run: () => void voidInvoice(context, invoice) },
      ];
    });

const captureTasks = (context: Context): DueTask[] =>
  [...context.state.pendingCaptures].map(([charge, at]) => ({
    at,
    run: () => settleCharge(context, charge),
  }));

// A collection that resumes when a period ends charges for the next.
const TASKS = [checkoutTasks, invoiceTasks, resumptionTasks, subscriptionTasks, expiryTasks, captureTasks];

const findNextTask = (context: Context): DueTask | null => {
  let next: DueTask | null = null;
  for (const task of TASKS.flatMap((list) => list(context))) {
    if (next === null || task.at < next.at) next = task;
  }
  return next;
};

/** Runs every due task in order, with the clock set to the time it was due. Returns the number of tasks run. */
export const runDueTasks = (context: Context): number => {
  let count = 0;
  for (
    let task = findNextTask(context);
    task !== null && task.at <= now(context);
    task = findNextTask(context)
  ) {
    runAt(context.clock, task.at, task.run);
    count += 1;
  }
  if (count > 0) context.persistence.scheduleSave();
  return count;
};
