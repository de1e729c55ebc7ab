import type { Router } from 'express';
import Joi from 'joi';
import type Stripe from 'stripe';
import { closeDispute, disputeCharge, warnOfFraud } from '../billing/dispute-charge.ts';
import { failRefund } from '../billing/fail-refund.ts';
import { payOut } from '../billing/pay-out.ts';
import type { Context } from '../context.ts';
import { refId } from '../ids.ts';
import { invalidRequest } from '../model/errors.ts';
import { paymentIntentOf } from '../model/invoice-payment.ts';
import { getDispute } from '../stripe/disputes.ts';
import { getInvoice } from '../stripe/invoices.ts';
import { getById } from '../stripe/lookup.ts';
import { readBody } from './read-body.ts';

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
