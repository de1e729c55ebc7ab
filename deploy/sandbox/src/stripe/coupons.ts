import Joi from 'joi';
import type Stripe from 'stripe';
import { type Context, now } from '../context.ts';
import { newId } from '../state.ts';
import { defineEndpoint, type Endpoint, retrieveEndpoint } from './endpoint.ts';
import { getById, getReferenced, matches, pageParams, type PageParams, paginate } from './pagination.ts';
import { mergeMetadata, metadataParam, type MetadataPatch, textParam } from './params.ts';

type CouponParams = {
  id?: string;
  name?: string;
  percent_off?: number;
  amount_off?: number;
  currency?: string;
  duration: 'once' | 'forever' | 'repeating';
  duration_in_months?: number;
  metadata?: MetadataPatch;
};

const couponParams = Joi.object<CouponParams>({
  id: Joi.string().max(255),
  name: textParam.max(40),
  percent_off: Joi.number().greater(0).max(100),
  amount_off: Joi.number().integer().min(1),
  currency: Joi.string().lowercase().length(3).when('amount_off', { is: Joi.exist(), then: Joi.required() }),
  duration: Joi.string().valid('once', 'forever', 'repeating').default('once'),
  duration_in_months: Joi.number()
    .integer()
    .min(1)
    .when('duration', { is: 'repeating', then: Joi.required(), otherwise: Joi.forbidden() }),
  metadata: metadataParam,
}).xor('percent_off', 'amount_off');

const addCoupon = (context: Context, params: CouponParams): Stripe.Coupon => {
  const coupon: Stripe.Coupon = {
    id: params.id ?? newId('coupon', 8),
    object: 'coupon',
    amount_off: params.amount_off ?? null,
    created: now(context),
    currency: params.currency ?? null,
    duration: params.duration,
    duration_in_months: params.duration_in_months ?? null,
    livemode: false,
    max_redemptions: null,
    metadata: mergeMetadata({}, params.metadata),
    name: params.name ?? null,
    percent_off: params.percent_off ?? null,
    redeem_by: null,
    times_redeemed: 0,
    valid: true,
  };
  context.state.coupons.set(coupon.id, coupon);
  return coupon;
};

type CodeParams = { promotion: { type: 'coupon'; coupon: string }; code?: string; active: boolean };

const codeParams = Joi.object<CodeParams>({
  promotion: Joi.object({
    type: Joi.string().valid('coupon').required(),
    coupon: Joi.string().required(),
  }).required(),
  code: Joi.string().pattern(/^[\w-]{1,500}$/),
  active: Joi.boolean().default(true),
});

const addCode = (context: Context, params: CodeParams): Stripe.PromotionCode => {
  const { coupons, promotionCodes } = context.state;
  const { id } = getReferenced(coupons, {
    kind: 'coupon',
    id: params.promotion.coupon,
    param: 'promotion[coupon]',
  });
  const promotionCode: Stripe.PromotionCode = {
    id: newId('promo'),
    object: 'promotion_code',
    active: params.active,
    code: params.code ?? newId('CODE', 8).toUpperCase(),
    created: now(context),
    customer: null,
    customer_account: null,
    expires_at: null,
    livemode: false,
    max_redemptions: null,
    metadata: {},
    promotion: { coupon: id, type: 'coupon' },
    restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
    times_redeemed: 0,
  };
  promotionCodes.set(promotionCode.id, promotionCode);
  return promotionCode;
};

type ListParams = PageParams & { code?: string };

const couponPath = '/v1/coupons';
const codePath = '/v1/promotion_codes';

export const couponEndpoints: Endpoint[] = [
  defineEndpoint({ method: 'post', path: couponPath, params: couponParams, handle: addCoupon }),
  retrieveEndpoint(`${couponPath}/:id`, (context, id) => getById(context.state.coupons, 'coupon', id)),
  defineEndpoint({ method: 'post', path: codePath, params: codeParams, handle: addCode }),
  defineEndpoint({
    method: 'get',
    path: codePath,
    params: Joi.object<ListParams>({ ...pageParams, code: Joi.string() }),
    handle: (context, params) =>
      paginate(params, {
        rows: context.state.promotionCodes.values(),
        url: codePath,
        filter: ({ code }: Stripe.PromotionCode) => matches(params.code, code),
      }),
  }),
];
