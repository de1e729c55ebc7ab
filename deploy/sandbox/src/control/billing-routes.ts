import type { Router } from 'express';
import Joi from 'joi';
import { markUncollectible, voidInvoice } from '../billing/close-invoice.ts';
import { pauseSubscription, resumeSubscription } from '../billing/pause-subscription.ts';
import { settleInvoice } from '../billing/renew-subscription.ts';
import { runDueTasks } from '../billing/run-due-tasks.ts';
import type { Context } from '../context.ts';
import { paymentIntentOf } from '../model/invoice-payment.ts';
import { getInvoice } from '../stripe/invoices.ts';
import { createRefund } from '../stripe/refunds.ts';
import { cancelSubscription, getSubscription, setCancelAtPeriodEnd } from '../stripe/subscriptions.ts';
import { readBody } from './read-body.ts';

const amountSchema = Joi.object<{ amount?: number }>({ amount: Joi.number().integer().min(1) });

const settleSchema = Joi.object<{ outcome: 'succeeded' | 'failed' }>({
  outcome: Joi.string().valid('succeeded', 'failed').required(),
});

const cancelSchema = Joi.object<{ atPeriodEnd: boolean }>({ atPeriodEnd: Joi.boolean().default(false) });

/** Adds what an operator does in the dashboard with invoices and subscriptions, and the end of a bank debit. */
export const addBillingRoutes = (router: Router, context: Context): void => {
  router.post('/invoices/:id/refund', ({ params, body }, response) => {
    const { id } = getInvoice(context, params.id);
    const payment_intent = paymentIntentOf(context, id) ?? '';
    response.json(createRefund(context, { ...readBody(amountSchema, body), payment_intent }));
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
