import type Stripe from 'stripe';
import { refId } from '../ids.ts';
import { emit, emitChange, previousOf } from '../model/emit-event.ts';
import { buildInvoice } from '../model/invoice.ts';
import { cycleOf } from '../model/subscription.ts';
import type { World } from '../context.ts';
import { periodEndAfter } from '../model/billing-cycle.rules.ts';
import { collectInvoice } from './collect-invoice.ts';
import { endSubscription } from './end-subscription.ts';
import { openInvoice } from './open-invoice.ts';
import { subscriptionIdOf } from './subscription-status.ts';

const passedPeriod = (subscription: Stripe.Subscription): { start: number; end: number } => {
  const item = subscription.items.data[0];
  return { start: item?.current_period_start ?? 0, end: item?.current_period_end ?? 0 };
};

const beginNextPeriod = (subscription: Stripe.Subscription): void => {
  for (const item of subscription.items.data) {
    item.current_period_start = item.current_period_end;
    item.current_period_end = periodEndAfter(
      cycleOf(item.price, subscription.billing_cycle_anchor),
      item.current_period_start,
    );
  }
};

const fallPastDue = (world: World, subscription: Stripe.Subscription): void => {
  if (subscription.status === 'past_due') return;
  const previous = previousOf(subscription, () => {
    subscription.status = 'past_due';
  });
  emitChange(world, 'customer.subscription.updated', { object: subscription, previous });
};

/** A period has ended: the next one begins and is charged, whether or not the charge succeeds. */
export const renewSubscription = (world: World, subscription: Stripe.Subscription): void => {
  const customer = world.state.customers.get(refId(subscription.customer) ?? '');
  if (!customer || subscription.cancel_at_period_end) {
    endSubscription(world, subscription, 'cancellation_requested');
    return;
  }
  const passed = passedPeriod(subscription);
  const previous = previousOf(subscription, () => beginNextPeriod(subscription));
  const invoice = buildInvoice(world, {
    subscription,
    customer,
    billingReason: 'subscription_cycle',
    passed,
  });
  world.state.invoices.set(invoice.id, invoice);
  previous.latest_invoice = subscription.latest_invoice;
  subscription.latest_invoice = invoice.id;
  emitChange(world, 'customer.subscription.updated', { object: subscription, previous });
  emit(world, 'invoice.created', invoice);
  openInvoice(world, invoice, customer);
  const decline = collectInvoice(world, invoice, { by: 'schedule', isConfirmed: false });
  if (decline) fallPastDue(world, subscription);
};

/** A further attempt on the schedule; after the last one the subscription ends. */
export const retryInvoice = (world: World, invoice: Stripe.Invoice): void => {
  const decline = collectInvoice(world, invoice, { by: 'schedule', isConfirmed: false });
  if (!decline || invoice.next_payment_attempt !== null) return;
  const id = subscriptionIdOf(invoice) ?? '';
  const subscription = world.state.subscriptions.get(id);
  if (subscription) endSubscription(world, subscription, 'payment_failed');
};
