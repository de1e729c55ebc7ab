import Joi from 'joi';
import type Stripe from 'stripe';
import { refundCharge } from '../billing/refund-charge.ts';
import type { Context } from '../context.ts';
import { refId } from '../state.ts';
import { invalidRequest } from '../model/errors.ts';
import { formatMoney } from '../model/balance-transaction.ts';
import { chargeListParams, type ChargeListParams, filterByCharge } from './charges.ts';
import { defineEndpoint, retrieveEndpoint, type Endpoint } from './endpoint.ts';
import { getById, getReferenced, paginate } from './pagination.ts';
import { mergeMetadata, metadataParam, type MetadataPatch } from './params.ts';

type CreateParams = {
  charge?: string;
  payment_intent?: string;
  amount?: number;
  reason?: Stripe.Refund.Reason;
  metadata?: MetadataPatch;
};

const createParams = Joi.object<CreateParams>({
  charge: Joi.string(),
  payment_intent: Joi.string(),
  amount: Joi.number().integer().min(1),
  reason: Joi.string().valid('duplicate', 'fraudulent', 'requested_by_customer'),
  metadata: metadataParam,
});

const requirePaid = (charge: Stripe.Charge): Stripe.Charge => {
  if (charge.paid) return charge;
  throw invalidRequest({ message: `Charge ${charge.id} has not been paid, so it cannot be refunded.` });
};

const chargeOf = (context: Context, { charge, payment_intent }: CreateParams): Stripe.Charge => {
  const { charges, paymentIntents } = context.state;
  if (charge !== undefined)
    return requirePaid(getReferenced(charges, { kind: 'charge', id: charge, param: 'charge' }));
  if (payment_intent === undefined) {
    const message =
      'One of the following params should be provided for this request: payment_intent or charge.';
    throw invalidRequest({ code: 'parameter_missing', message });
  }
  const reference = { kind: 'payment_intent', id: payment_intent, param: 'payment_intent' };
  const latest = charges.get(refId(getReferenced(paymentIntents, reference).latest_charge) ?? '');
  if (!latest) {
    throw invalidRequest({
      message: `This PaymentIntent (${payment_intent}) does not have a successful charge to refund.`,
    });
  }
  return requirePaid(latest);
};

const requireUndisputed = (context: Context, charge: Stripe.Charge): void => {
  const disputes = [...context.state.disputes.values()].filter((row) => refId(row.charge) === charge.id);
  if (disputes.every((dispute) => dispute.is_charge_refundable)) return;
  const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`;
  throw invalidRequest({ code: 'charge_disputed', message });
};

export const createRefund = (context: Context, params: CreateParams): Stripe.Refund => {
  const charge = chargeOf(context, params);
  requireUndisputed(context, charge);
  const refundable = charge.amount_captured - charge.amount_refunded;
  if (charge.refunded) {
    const message = `Charge ${charge.id} has already been refunded.`;
    throw invalidRequest({ code: 'charge_already_refunded', message });
  }
  const amount = params.amount ?? refundable;
  if (amount > refundable) {
    const [requestedText, refundableText] = [amount, refundable].map((value) =>
      formatMoney(value, charge.currency),
    );
    const message = `Refund amount (${requestedText}) is greater than unrefunded amount on charge (${refundableText})`;
    throw invalidRequest({ message, param: 'amount' });
  }
  const metadata = mergeMetadata({}, params.metadata);
  return refundCharge(context, charge, { amount, reason: params.reason ?? null, metadata });
};

const path = '/v1/refunds';

const list = (context: Context, params: ChargeListParams): Stripe.ApiList<Stripe.Refund> =>
  paginate(params, {
    rows: context.state.refunds.of(params.charge),
    url: path,
    filter: filterByCharge(params),
  });

export const refundEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'post', path, params: createParams, handle: createRefund }),
  defineEndpoint({ method: 'get', path, params: chargeListParams, handle: list }),
  retrieveEndpoint(`${path}/:id`, (context, id) => getById(context.state.refunds, 'refund', id)),
];
