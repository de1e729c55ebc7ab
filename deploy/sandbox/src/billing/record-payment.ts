import type Stripe from 'stripe';
import type { Context } from '../context.ts';
import type { Decline } from '../model/card.rules.ts';
import { emit } from '../model/emit-event.ts';
import { markPaid, setDelinquent } from './mark-paid.ts';
import { settleOrSchedule } from './settle-charge.ts';

export type PaymentObjects = {
  invoice: Stripe.Invoice;
  intent: Stripe.PaymentIntent;
  charge: Stripe.Charge;
};

type Failure = {
  decline: Decline;
  paymentMethod: Stripe.PaymentMethod;
};

export const recordFailure = (
  context: Context,
  { invoice, intent, charge }: PaymentObjects,
  { decline, paymentMethod }: Failure,
): void => {
  intent.status = 'requires_payment_method';
  intent.last_payment_error = {
    type: 'card_error',
    charge: charge.id,
    payment_method: structuredClone(paymentMethod),
    ...decline,
  };
  setDelinquent(context, invoice, true);
  emit(context, 'charge.failed', charge);
  emit(context, 'payment_intent.payment_failed', intent);
  emit(context, 'invoice.payment_failed', invoice);
};

export const recordSuccess = (context: Context, { invoice, intent, charge }: PaymentObjects): void => {
  settleOrSchedule(context, charge);
  Object.assign(intent, {
    status: 'succeeded',
    amount_received: charge.amount,
    last_payment_error: null,
    next_action: null,
  });
  emit(context, 'charge.succeeded', charge);
  emit(context, 'payment_intent.succeeded', intent);
  markPaid(context, invoice);
};

/**
 * Records that the bank requires the customer to authenticate a payment made without them. There is no charge yet; the hosted
 * invoice page is where the customer confirms: https://docs.stripe.com/billing/subscriptions/overview#requires-action
 */
export const requireAction = (
  context: Context,
  { invoice, intent }: Omit<PaymentObjects, 'charge'>,
): void => {
  intent.status = 'requires_action';
  intent.last_payment_error = null;
  intent.next_action = { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } };
  setDelinquent(context, invoice, true);
  emit(context, 'payment_intent.requires_action', intent);
  emit(context, 'invoice.payment_action_required', invoice);
  emit(context, 'invoice.payment_failed', invoice);
};
