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
  const due: DueTask[] = [];
  for (const session of checkoutSessions.values()) {
    if (session.status === 'open') {
      due.push({ at: session.expires_at, run: () => expireCheckout(context, session) });
    }
  }
  for (const invoice of invoices.values()) {
    const at = invoice.next_payment_attempt;
    if (invoice.status === 'open' && at !== null) due.push({ at, run: () => retryInvoice(context, invoice) });
  }
  for (const subscription of subscriptions.values()) {
    if (isOngoing(subscription)) {
      due.push({ at: periodEndOf(subscription), run: () => renewSubscription(context, subscription) });
    }
  }
  return due;
};

const findNextTask = (context: Context): DueTask | null => {
  let next: DueTask | null = null;
  for (const due of listDueTasks(context)) {
    if (next === null || due.at < next.at) next = due;
  }
  return next;
};

/** Carries out, each at its own moment and in order, all that has fallen due; says how much that was. */
export const runDueTasks = (context: Context): number => {
  let count = 0;
  for (let due = findNextTask(context); due !== null && due.at <= now(context); due = findNextTask(context)) {
    runAt(context.clock, due.at, due.run);
    count += 1;
  }
  if (count > 0) context.persistence.changed();
  return count;
};
