import type Stripe from 'stripe';
import { closeDispute } from '../billing/dispute-charge.ts';
import type { Context } from '../context.ts';
import { chargeListParams, type ChargeListParams, filterByCharge } from './charge-filter.ts';
import { NO_PARAMS, defineEndpoint, retrieveEndpoint, type Endpoint } from './endpoint.ts';
import { getById } from './lookup.ts';
import { paginate } from './pagination.ts';

const path = '/v1/disputes';

const listDisputes = (context: Context, params: ChargeListParams): Stripe.ApiList<Stripe.Dispute> =>
  paginate(params, { rows: context.state.disputes.values(), url: path, filter: filterByCharge(params) });

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
  defineEndpoint({ method: 'get', path, params: chargeListParams, handle: listDisputes }),
  retrieveEndpoint(`${path}/:id`, getDispute),
  defineEndpoint({ method: 'post', path: `${path}/:id/close`, params: NO_PARAMS, handle: accept }),
  defineEndpoint({ method: 'get', path: warningPath, params: chargeListParams, handle: listWarnings }),
  retrieveEndpoint(`${warningPath}/:id`, (context, id) =>
    getById(context.state.earlyFraudWarnings, 'early_fraud_warning', id),
  ),
];
