import type Stripe from 'stripe';
import { now, type Context } from '../context.ts';
import { captureChanges, emit, emitUpdate } from '../model/emit-event.ts';
import { invalidRequest } from '../model/errors.ts';
import { periodEndOf } from '../model/subscription.ts';

/** Pauses the subscription: it keeps its period and is not billed until it resumes. */
export const pauseSubscription = (
  context: Context,
  subscription: Stripe.Subscription,
): Stripe.Subscription => {
  if (subscription.status !== 'active') {
    throw invalidRequest({
      message: `Only an active subscription can be paused; this one is ${subscription.status}.`,
    });
  }
  const previous = captureChanges(subscription, () => {
    subscription.status = 'paused';
  });
  emit(context, 'customer.subscription.paused', subscription);
  emitUpdate(context, 'customer.subscription.updated', { object: subscription, previous });
  return subscription;
};

/** Resumes the subscription. When its period ended meanwhile, the next one begins now and is billed at once. */
export const resumeSubscription = (
  context: Context,
  subscription: Stripe.Subscription,
): Stripe.Subscription => {
  if (subscription.status !== 'paused') throw invalidRequest({ message: 'The subscription is not paused.' });
  const previous = captureChanges(subscription, () => {
    subscription.status = 'active';
    if (periodEndOf(subscription) > now(context)) return;
    subscription.billing_cycle_anchor = now(context);
    for (const item of subscription.items.data) item.current_period_end = now(context);
  });
  emit(context, 'customer.subscription.resumed', subscription);
  emitUpdate(context, 'customer.subscription.updated', { object: subscription, previous });
  return subscription;
};
