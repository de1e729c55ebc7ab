import type Stripe from 'stripe';
import { type Context, now } from '../context.ts';
import { newId, refId } from '../state.ts';
import { periodEndAfter } from './billing-cycle.rules.ts';
import { invalidRequest } from './errors.ts';

/** What a coupon takes off, for one invoice. */
export type Reduction = { id: string; percentOff: number | null; amountOff: number | null };

const couponOf = ({ state }: Context, { source }: Stripe.Discount): Stripe.Coupon | undefined =>
  state.coupons.get(refId(source.coupon) ?? '');

const endOf = (context: Context, { duration, duration_in_months: months }: Stripe.Coupon): number | null => {
  if (duration !== 'repeating') return null;
  const time = now(context);
  return periodEndAfter({ anchor: time, interval: 'month', intervalCount: months ?? 1 }, time);
};

/** Gives a subscription the discount of a coupon: https://docs.stripe.com/billing/subscriptions/coupons */
export const addDiscount = (
  context: Context,
  subscription: Stripe.Subscription,
  { coupon, promotionCode }: { coupon: Stripe.Coupon; promotionCode: string | null },
): void => {
  const discount: Stripe.Discount = {
    id: newId('di'),
    object: 'discount',
    checkout_session: null,
    customer: refId(subscription.customer),
    customer_account: null,
    end: endOf(context, coupon),
    invoice: null,
    invoice_item: null,
    promotion_code: promotionCode,
    source: { coupon: coupon.id, type: 'coupon' },
    start: now(context),
    subscription: subscription.id,
    subscription_item: null,
  };
  coupon.times_redeemed += 1;
  context.state.discounts.set(discount.id, discount);
  subscription.discounts = [discount.id];
};

const discountsOf = ({ state }: Context, { discounts }: Stripe.Subscription): Stripe.Discount[] =>
  discounts.flatMap((reference) => state.discounts.get(refId(reference) ?? '') ?? []);

/** The reduction of an invoice that is made now; null without one. A coupon for one invoice is used up by it. */
export const discountOf = (context: Context, subscription: Stripe.Subscription): Reduction | null => {
  const [discount] = discountsOf(context, subscription);
  const coupon = discount && couponOf(context, discount);
  if (!coupon || (discount.end !== null && discount.end <= now(context))) return null;
  return { id: discount.id, percentOff: coupon.percent_off, amountOff: coupon.amount_off };
};

/** Ends what does not apply to the next invoice. */
export const endDiscounts = (context: Context, subscription: Stripe.Subscription): void => {
  const goOn = discountsOf(context, subscription).filter((discount) => {
    const isOnce = couponOf(context, discount)?.duration === 'once';
    return !isOnce && (discount.end === null || discount.end > now(context));
  });
  subscription.discounts = goOn.map(({ id }) => id);
};

/** The coupon of a code that a customer enters. */
export const redeemCode = (
  { state }: Context,
  code: string,
  currency: string | null,
): { coupon: Stripe.Coupon; promotionCode: string } => {
  const found = [...state.promotionCodes.values()].find((one) => one.active && one.code === code);
  const coupon = state.coupons.get(refId(found?.promotion.coupon) ?? '');
  if (!found || !coupon || (coupon.currency !== null && coupon.currency !== currency))
    throw invalidRequest({ message: 'This code is invalid.', param: 'promotion_code' });
  found.times_redeemed += 1;
  return { coupon, promotionCode: found.id };
};
