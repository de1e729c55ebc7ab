// How a subscription changes the interval at which it is charged: at once, with a credit for the unused time, or with its next period.
import { inSeconds, seconds } from '@shortlist/contracts/durations';
import type { Interval } from '@shortlist/contracts/plan';
import { createError } from '@shortlist/kit/process/errors';
import type { Stripe } from 'stripe';
import { callStripe, isDeclined, isInvalidRequest } from './client.ts';
import { date, idOf, isOurPrice, isProration, isScheduleBegun, NEXT_INTERVAL_KEY } from './from-stripe.ts';

/** A change of one subscription to this price. `prorationAt`: the time from which the unused time is credited, in whole seconds. */
export type IntervalOrder = { subscriptionId: string; priceId: string; prorationAt: Date };

/** Minor units of `currency`. `amount` is due at once, after `credit` and with `tax`; `price` is that of the new interval. */
export type IntervalPreview = {
  amount: number;
  credit: number;
  tax: number;
  currency: string;
  price: number;
  /** When the subscription is charged next, after this payment. */
  nextChargeAt: Date;
};

export type IntervalChanges = {
  previewInterval: (order: IntervalOrder) => Promise<IntervalPreview | null>;
  changeInterval: (order: IntervalOrder, idempotencyKey: string) => Promise<boolean>;
  scheduleInterval: (
    order: Omit<IntervalOrder, 'prorationAt'> & { interval: Interval },
    idempotencyKey: string,
  ) => Promise<void>;
  releaseSchedule: (scheduleId: string) => Promise<void>;
};

/** The item that sells the plan. A subscription that sells more is left to an operator. */
const itemOf = ({ items }: Stripe.Subscription): Stripe.SubscriptionItem => {
  const [item] = items.data;
  if (item === undefined || items.data.length > 1 || !isOurPrice(item.price) || item.quantity !== 1)
    throw createError('billing.change_refused');
  return item;
};

const sum = (amounts: { amount: number }[] | null): number =>
  (amounts ?? []).reduce((total, { amount }) => total + amount, 0);

const netOf = ({ amount, discount_amounts: discounts }: Stripe.InvoiceLineItem): number =>
  amount - sum(discounts);

const toPreview = ({ lines, ...invoice }: Stripe.Invoice): IntervalPreview | null => {
  const credits = lines.data.filter(isProration);
  const [charge] = lines.data.filter((line) => !isProration(line));
  if (charge === undefined || lines.has_more) return null;
  return {
    amount: invoice.amount_due,
    credit: -credits.reduce((total, line) => total + netOf(line), 0),
    tax: sum(invoice.total_taxes),
    currency: invoice.currency,
    price: netOf(charge),
    nextChargeAt: date(charge.period.end),
  };
};

const previewInterval = async (
  stripe: Stripe,
  { subscriptionId, priceId, prorationAt }: IntervalOrder,
): Promise<IntervalPreview | null> => {
  const item = itemOf(await stripe.subscriptions.retrieve(subscriptionId));
  try {
    const invoice = await stripe.invoices.createPreview({
      subscription: subscriptionId,
      subscription_details: {
        items: [{ id: item.id, price: priceId }],
        proration_behavior: 'always_invoice',
        proration_date: inSeconds(prorationAt.getTime()),
      },
    });
    return toPreview(invoice);
  } catch (error) {
    if (isInvalidRequest(error)) return null;
    throw error;
  }
};

/** `error_if_incomplete`: a payment that is declined, or waits for the payer, leaves the subscription as it was. */
const changeInterval = async (
  stripe: Stripe,
  { subscriptionId, priceId, prorationAt }: IntervalOrder,
  idempotencyKey: string,
): Promise<boolean> => {
  const item = itemOf(await stripe.subscriptions.retrieve(subscriptionId));
  const params: Stripe.SubscriptionUpdateParams = {
    items: [{ id: item.id, price: priceId }],
    proration_behavior: 'always_invoice',
    proration_date: inSeconds(prorationAt.getTime()),
    payment_behavior: 'error_if_incomplete',
  };
  try {
    await stripe.subscriptions.update(subscriptionId, params, { idempotencyKey });
    return true;
  } catch (error) {
    if (isDeclined(error)) return false;
    throw error;
  }
};

/** A schedule that an earlier call began, whose second step was lost. */
const findBegun = async (
  stripe: Stripe,
  subscription: Stripe.Subscription,
): Promise<Stripe.SubscriptionSchedule | null> => {
  const scheduleId = idOf(subscription.schedule);
  if (scheduleId === null) return null;
  const schedule = await stripe.subscriptionSchedules.retrieve(scheduleId);
  if (!isScheduleBegun(schedule)) throw createError('billing.change_refused');
  return schedule;
};

const scheduleInterval = async (
  stripe: Stripe,
  { subscriptionId, priceId, interval }: Omit<IntervalOrder, 'prorationAt'> & { interval: Interval },
  idempotencyKey: string,
): Promise<void> => {
  const subscription = await stripe.subscriptions.retrieve(subscriptionId);
  itemOf(subscription); // refuses another one
  const schedule =
    (await findBegun(stripe, subscription)) ??
    (await stripe.subscriptionSchedules.create({ from_subscription: subscriptionId }, { idempotencyKey }));
  const [current] = schedule.phases;
  if (current === undefined) throw createError('billing.change_refused');
  await stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: 'release',
    proration_behavior: 'none',
    metadata: { [NEXT_INTERVAL_KEY]: interval },
    phases: [
      {
        start_date: current.start_date,
        end_date: current.end_date,
        items: current.items.map(({ price, quantity }) => ({
          price: idOf(price) ?? '',
          quantity: quantity ?? 1,
        })),
        proration_behavior: 'none',
      },
      {
        items: [{ price: priceId, quantity: 1 }],
        duration: { interval, interval_count: 1 },
        proration_behavior: 'none',
      },
    ],
  });
};

/** Stripe refuses to release a schedule that was released, or has ended with its subscription. */
export const releaseSchedule = async (stripe: Stripe, scheduleId: string): Promise<void> => {
  try {
    await stripe.subscriptionSchedules.release(scheduleId);
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
  }
};

/** In whole seconds, as Stripe counts. */
export const wholeSeconds = (time: Date): Date => new Date(seconds(Math.floor(inSeconds(time.getTime()))));

export const intervalChangesOf = (stripe: Stripe): IntervalChanges => ({
  previewInterval: (order) => callStripe(previewInterval(stripe, order)),
  changeInterval: (order, key) => callStripe(changeInterval(stripe, order, key)),
  scheduleInterval: (order, key) => callStripe(scheduleInterval(stripe, order, key)),
  releaseSchedule: (scheduleId) => callStripe(releaseSchedule(stripe, scheduleId)),
});
