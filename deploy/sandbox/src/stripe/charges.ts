// The filters of the lists whose objects belong to a charge: refunds, disputes, fraud warnings.
import Joi from 'joi';
import type Stripe from 'stripe';
import { closeDispute } from '../billing/dispute-charge.ts';
import type { Context } from '../context.ts';
import { refId } from '../state.ts';
import { defineEndpoint, type Endpoint, NO_PARAMS, retrieveEndpoint } from './endpoint.ts';
import { getById, matches, pageParams, type PageParams, paginate } from './pagination.ts';
import { matchesTime, type TimeFilter, timeFilterParam } from './params.ts';

export type ChargeListParams = PageParams & {
  charge?: string;
  payment_intent?: string;
  created?: TimeFilter;
};

export const chargeListParams = Joi.object<ChargeListParams>({
  ...pageParams,
  charge: Joi.string(),
  payment_intent: Joi.string(),
  created: timeFilterParam,
});

type ChargeRow = {
  charge: string | { id: string } | null;
  payment_intent?: string | { id: string } | null;
  created: number;
};

export const filterByCharge =
  ({ charge, payment_intent, created }: ChargeListParams) =>
  (row: ChargeRow): boolean =>
    matches(charge, refId(row.charge)) &&
    matches(payment_intent, refId(row.payment_intent)) &&
    matchesTime(row.created, created);

type ListParams = PageParams & {
  customer?: string;
  payment_intent?: string;
  created?: TimeFilter;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  customer: Joi.string(),
  payment_intent: Joi.string(),
  created: timeFilterParam,
});

const path = '/v1/charges';

const list = (context: Context, params: ListParams): Stripe.ApiList<Stripe.Charge> => {
  const { customer, payment_intent, created } = params;
  const filter = (row: Stripe.Charge) =>
    matches(payment_intent, refId(row.payment_intent)) && matchesTime(row.created, created);
  return paginate(params, { rows: context.state.charges.of(customer), url: path, filter });
};

export const chargeEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path, params: listParams, handle: list }),
  retrieveEndpoint(`${path}/:id`, (context, id) => getById(context.state.charges, 'charge', id)),
];

const disputePath = '/v1/disputes';

const listDisputes = (context: Context, params: ChargeListParams): Stripe.ApiList<Stripe.Dispute> =>
  paginate(params, {
    rows: context.state.disputes.values(),
    url: disputePath,
    filter: filterByCharge(params),
  });

export const getDispute = (context: Context, id: string): Stripe.Dispute =>
  getById(context.state.disputes, 'dispute', id);

const accept = (context: Context, _params: unknown, id: string): Stripe.Dispute =>
  closeDispute(context, getDispute(context, id), 'lost');

const warningPath = '/v1/radar/early_fraud_warnings';

const listWarnings = (
  context: Context,
  params: ChargeListParams,
): Stripe.ApiList<Stripe.Radar.EarlyFraudWarning> => {
  const rows = context.state.earlyFraudWarnings.values();
  return paginate(params, { rows, url: warningPath, filter: filterByCharge(params) });
};

export const disputeEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path: disputePath, params: chargeListParams, handle: listDisputes }),
  retrieveEndpoint(`${disputePath}/:id`, getDispute),
  defineEndpoint({ method: 'post', path: `${disputePath}/:id/close`, params: NO_PARAMS, handle: accept }),
  defineEndpoint({ method: 'get', path: warningPath, params: chargeListParams, handle: listWarnings }),
  retrieveEndpoint(`${warningPath}/:id`, (context, id) =>
    getById(context.state.earlyFraudWarnings, 'early_fraud_warning', id),
  ),
];

type IntentListParams = PageParams & {
  customer?: string;
  created?: TimeFilter;
};

const intentListParams = Joi.object<IntentListParams>({
  ...pageParams,
  customer: Joi.string(),
  created: timeFilterParam,
});

const intentPath = '/v1/payment_intents';

const listIntents = (context: Context, params: IntentListParams): Stripe.ApiList<Stripe.PaymentIntent> => {
  const { customer, created } = params;
  const filter = (row: Stripe.PaymentIntent) =>
    matches(customer, refId(row.customer)) && matchesTime(row.created, created);
  return paginate(params, { rows: context.state.paymentIntents.values(), url: intentPath, filter });
};

export const paymentIntentEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path: intentPath, params: intentListParams, handle: listIntents }),
  retrieveEndpoint(`${intentPath}/:id`, (context, id) =>
    getById(context.state.paymentIntents, 'payment_intent', id),
  ),
];
