import { runAt } from '../clock.ts';
import { now, type Context } from '../context.ts';
import { isOngoing, periodEndOf } from '../model/subscription.ts';
import { expireCheckout } from './expire-checkout.ts';
import { renewSubscription, retryInvoice } from './renew-subscription.ts';

type DueTask = {
  at: number;
  run: () => void;
};

const listDueTasks = (context: Context): DueTask[] => {
  const { checkoutSessions, invoices, subscriptions } = context.state;
  const task: DueTask[] = [];
  for (const session of checkoutSessions.values()) {
    if (session.status === 'open') {
      task.push({ at: session.expires_at, run: () => expireCheckout(context, session) });
    }
  }
  for (const invoice of invoices.values()) {
    const at = invoice.next_payment_attempt;
    if (invoice.status === 'open' && at !== null)
      task.push({ at, run: () => retryInvoice(context, invoice) });
  }
  for (const subscription of subscriptions.values()) {
    if (isOngoing(subscription)) {
      task.push({ at: periodEndOf(subscription), run: () => renewSubscription(context, subscription) });
    }
  }
  return task;
};

const findNextTask = (context: Context): DueTask | null => {
  let next: DueTask | null = null;
  for (const task of listDueTasks(context)) {
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
