// The filters of the lists whose objects belong to a charge: refunds, disputes, fraud warnings.
import Joi from 'joi';
import { refId } from '../ids.ts';
import { matches, pageParams, type PageParams } from './pagination.ts';
import { matchesTime, timeFilterParam, type TimeFilter } from './params.ts';

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
