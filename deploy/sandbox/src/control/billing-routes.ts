import type { Router } from 'express';
import Joi from 'joi';
import type Stripe from 'stripe';
import { markUncollectible, voidInvoice } from '../billing/close-invoice.ts';
import { closeDispute, disputeCharge, warnOfFraud } from '../billing/dispute-charge.ts';
import { payOut } from '../billing/pay-out.ts';
import { failRefund } from '../billing/refund-charge.ts';
import { pauseSubscription, resumeSubscription, settleInvoice } from '../billing/renew-subscription.ts';
import { runDueTasks } from '../billing/run-due-tasks.ts';
import type { Context } from '../context.ts';
import { invalidRequest } from '../model/errors.ts';
import { paymentIntentOf } from '../model/invoice.ts';
import { refId } from '../state.ts';
import { getDispute } from '../stripe/charges.ts';
import { getInvoice } from '../stripe/invoices.ts';
import { getById } from '../stripe/pagination.ts';
import { createRefund } from '../stripe/refunds.ts';
import { cancelSubscription, getSubscription, setCancelAtPeriodEnd } from '../stripe/subscriptions.ts';
import { readBody } from './input.ts';

const disputeSchema = Joi.object<{ reason?: string; amount?: number }>({
  reason: Joi.string(),
  amount: Joi.number().integer().min(1),
});

const closeSchema = Joi.object<{ status: 'won' | 'lost' }>({
  status: Joi.string().valid('won', 'lost').required(),
});

const chargeOfInvoice = (context: Context, id: string): Stripe.Charge => {
  const { charges, paymentIntents } = context.state;
  const intent = paymentIntents.get(paymentIntentOf(context, getInvoice(context, id).id) ?? '');
  const charge = charges.get(refId(intent?.latest_charge) ?? '');
  if (!charge) throw invalidRequest({ message: `Invoice ${id} has no charge.` });
  return charge;
};

/** Adds what the bank of a customer does after a payment: disputes, fraud warnings and rejected refunds. */
export const addChargeRoutes = (router: Router, context: Context): void => {
  const getCharge = (id: string) => getById(context.state.charges, 'charge', id);
  router.post('/charges/:id/dispute', ({ params, body }, response) => {
    response.json(disputeCharge(context, getCharge(params.id), readBody(disputeSchema, body)));
  });
  router.post('/invoices/:id/dispute', ({ params, body }, response) => {
    response.json(disputeCharge(context, chargeOfInvoice(context, params.id), readBody(disputeSchema, body)));
  });
  router.post('/disputes/:id/close', ({ params, body }, response) => {
    const dispute = getDispute(context, params.id);
    response.json(closeDispute(context, dispute, readBody(closeSchema, body).status));
  });
  router.post('/charges/:id/early_fraud_warning', ({ params }, response) => {
    response.json(warnOfFraud(context, getCharge(params.id)));
  });
  router.post('/payouts', (_request, response) => {
    response.json({ data: payOut(context) });
  });
  router.post('/refunds/:id/fail', ({ params }, response) => {
    response.json(failRefund(context, getById(context.state.refunds, 'refund', params.id)));
  });
};

const refundSchema = Joi.object<{ amount?: number; metadata?: Record<string, string> }>({
  amount: Joi.number().integer().min(1),
  metadata: Joi.object().pattern(Joi.string(), Joi.string()),
});

const settleSchema = Joi.object<{ outcome: 'succeeded' | 'failed' }>({
  outcome: Joi.string().valid('succeeded', 'failed').required(),
});

const cancelSchema = Joi.object<{ atPeriodEnd: boolean }>({ atPeriodEnd: Joi.boolean().default(false) });

/** Adds what an operator does in the dashboard with invoices and subscriptions, and the end of a bank debit. */
export const addBillingRoutes = (router: Router, context: Context): void => {
  router.post('/invoices/:id/refund', ({ params, body }, response) => {
    const { id } = getInvoice(context, params.id);
    const payment_intent = paymentIntentOf(context, id) ?? '';
    response.json(createRefund(context, { ...readBody(refundSchema, body), payment_intent }));
  });
  router.post('/invoices/:id/void', ({ params }, response) => {
    response.json(voidInvoice(context, getInvoice(context, params.id)));
  });
  router.post('/invoices/:id/uncollectible', ({ params }, response) => {
    response.json(markUncollectible(context, getInvoice(context, params.id)));
  });
  router.post('/invoices/:id/settle', ({ params, body }, response) => {
    const invoice = getInvoice(context, params.id);
    response.json(settleInvoice(context, invoice, readBody(settleSchema, body).outcome));
  });
  router.post('/subscriptions/:id/cancel', ({ params: { id }, body }, response) => {
    const { atPeriodEnd } = readBody(cancelSchema, body);
    response.json(
      atPeriodEnd ? setCancelAtPeriodEnd(context, id, true) : cancelSubscription(context, {}, id),
    );
  });
  router.post('/subscriptions/:id/pause', ({ params }, response) => {
    response.json(pauseSubscription(context, getSubscription(context, params.id)));
  });
  router.post('/subscriptions/:id/resume', ({ params }, response) => {
    const subscription = resumeSubscription(context, getSubscription(context, params.id));
    runDueTasks(context);
    response.json(subscription);
  });
};
