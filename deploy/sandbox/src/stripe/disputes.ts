import Joi from 'joi';
import type Stripe from 'stripe';
import { closeDispute } from '../billing/dispute-charge.ts';
import type { Context } from '../context.ts';
import { refId } from '../ids.ts';
import { NO_PARAMS, defineEndpoint, retrieveEndpoint, type Endpoint } from './endpoint.ts';
import { getById } from './lookup.ts';
import { matches, pageParams, paginate, type PageParams } from './pagination.ts';
import { matchesTime, timeFilterParam, type TimeFilter } from './params.ts';

type ListParams = PageParams & {
  charge?: string;
  payment_intent?: string;
  created?: TimeFilter;
};

const listParams = Joi.object<ListParams>({
  ...pageParams,
  charge: Joi.string(),
  payment_intent: Joi.string(),
  created: timeFilterParam,
});

type ChargeRow = {
  charge: string | { id: string };
  payment_intent?: string | { id: string } | null;
  created: number;
};

const filterOf =
  ({ charge, payment_intent, created }: ListParams) =>
  (row: ChargeRow): boolean =>
    matches(charge, refId(row.charge)) &&
    matches(payment_intent, refId(row.payment_intent)) &&
    matchesTime(row.created, created);

const path = '/v1/disputes';

const listDisputes = (context: Context, params: ListParams): Stripe.ApiList<Stripe.Dispute> =>
  paginate(params, { rows: context.state.disputes.values(), url: path, filter: filterOf(params) });

export const getDispute = (context: Context, id: string): Stripe.Dispute =>
  getById(context.state.disputes, 'dispute', id);

const accept = (context: Context, _params: unknown, id: string): Stripe.Dispute =>
  closeDispute(context, getDispute(context, id), 'lost');

const warningPath = '/v1/radar/early_fraud_warnings';

const listWarnings = (
  context: Context,
  params: ListParams,
): Stripe.ApiList<Stripe.Radar.EarlyFraudWarning> => {
  const rows = context.state.earlyFraudWarnings.values();
  return paginate(params, { rows, url: warningPath, filter: filterOf(params) });
};

export const disputeEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'get', path, params: listParams, handle: listDisputes }),
  retrieveEndpoint(`${path}/:id`, getDispute),
  defineEndpoint({ method: 'post', path: `${path}/:id/close`, params: NO_PARAMS, handle: accept }),
  defineEndpoint({ method: 'get', path: warningPath, params: listParams, handle: listWarnings }),
  retrieveEndpoint(`${warningPath}/:id`, (context, id) =>
    getById(context.state.earlyFraudWarnings, 'early_fraud_warning', id),
  ),
];
