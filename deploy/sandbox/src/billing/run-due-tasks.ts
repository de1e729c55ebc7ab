import { atMoment } from '../clock.ts';
import { now, type World } from '../context.ts';
import { expireCheckout } from './expire-checkout.ts';
import { renewSubscription, retryInvoice } from './renew-subscription.ts';
import { isLive, periodEndOf } from './subscription-status.ts';

type Due = {
  at: number;
  run: () => void;
};

const allDue = (world: World): Due[] => {
  const { checkoutSessions, invoices, subscriptions } = world.state;
  const due: Due[] = [];
  for (const session of checkoutSessions.values()) {
    if (session.status === 'open') {
      due.push({ at: session.expires_at, run: () => expireCheckout(world, session) });
    }
  }
  for (const invoice of invoices.values()) {
    const at = invoice.next_payment_attempt;
    if (invoice.status === 'open' && at !== null) due.push({ at, run: () => retryInvoice(world, invoice) });
  }
  for (const subscription of subscriptions.values()) {
    if (isLive(subscription)) {
      due.push({ at: periodEndOf(subscription), run: () => renewSubscription(world, subscription) });
    }
  }
  return due;
};

const nextDue = (world: World): Due | null => {
  let next: Due | null = null;
  for (const due of allDue(world)) {
    if (next === null || due.at < next.at) next = due;
  }
  return next;
};

/** Carries out, each at its own moment and in order, all that has fallen due; says how much that was. */
export const runDue = (world: World): number => {
  let count = 0;
  for (let due = nextDue(world); due !== null && due.at <= now(world); due = nextDue(world)) {
    atMoment(world.clock, due.at, due.run);
    count += 1;
  }
  if (count > 0) world.persistence.changed();
  return count;
};
