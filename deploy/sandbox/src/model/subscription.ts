import type Stripe from 'stripe';
import { type Context, now } from '../context.ts';
import { newId, refId } from '../state.ts';
import { type Cycle, DAY, type Interval, periodEndAfter } from './billing-cycle.rules.ts';

/** Returns the price in its legacy form, which subscription items still include. */
const planOf = (price: Stripe.Price): Stripe.Plan => ({
  id: price.id,
  object: 'plan',
  active: price.active,
  amount: price.unit_amount,
  amount_decimal: price.unit_amount_decimal,
  billing_scheme: 'per_unit',
  created: price.created,
  currency: price.currency,
  interval: price.recurring?.interval ?? 'month',
  interval_count: price.recurring?.interval_count ?? 1,
  livemode: false,
  metadata: price.metadata,
  meter: null,
  nickname: price.nickname,
  product: refId(price.product),
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: 'licensed',
});

type SubscriptionParts = {
  customer: string;
  paymentMethod: string | null;
  metadata: Stripe.Metadata;
  description: string | null;
  lineItems: Pick<Stripe.LineItem, 'price' | 'quantity'>[];
  /** How long the first period is, for which nothing is charged; 0 without a trial. */
  trialDays?: number;
};

const CONSTANT_FIELDS = {
  object: 'subscription',
  application: null,
  application_fee_percent: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null },
  billing_cycle_anchor_config: null,
  billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
  billing_schedules: [],
  billing_thresholds: null,
  cancel_at: null,
  cancel_at_period_end: false,
  canceled_at: null,
  cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
  collection_method: 'charge_automatically',
  customer_account: null,
  days_until_due: null,
  default_source: null,
  default_tax_rates: [],
  discounts: [],
  ended_at: null,
  invoice_settings: {
    account_tax_ids: null,
    custom_fields: null,
    description: null,
    footer: null,
    issuer: { type: 'self' },
  },
  latest_invoice: null,
  livemode: false,
  managed_payments: null,
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pause_collection: null,
  payment_settings: {
    payment_method_options: null,
    payment_method_types: ['card'],
    save_default_payment_method: 'off',
  },
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  schedule: null,
  status: 'active',
  test_clock: null,
  transfer_data: null,
  trial_end: null,
  trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
  trial_start: null,
} satisfies Partial<Stripe.Subscription>;

export const buildItem = (
  subscription: string,
  price: Stripe.Price,
  { quantity }: { quantity: number | null },
): Stripe.SubscriptionItem => ({
  id: newId('si', 14),
  object: 'subscription_item',
  billing_thresholds: null,
  created: 0,
  current_period_end: 0,
  current_period_start: 0,
  current_trial: null,
  discounts: [],
  metadata: {},
  plan: planOf(price),
  price,
  quantity: quantity ?? 1,
  subscription,
  tax_rates: [],
});

/** The item sells another price from its next period on. */
export const movePrice = (item: Stripe.SubscriptionItem, price: Stripe.Price): void => {
  Object.assign(item, { price, plan: planOf(price) });
};

export const cycleOf = (price: Stripe.Price, anchor: number): Cycle => ({
  anchor,
  // The price endpoint accepts only these four intervals; Stripe's type also allows future ones.
  interval: (price.recurring?.interval ?? 'month') as Interval,
  intervalCount: price.recurring?.interval_count ?? 1,
});

export const buildSubscription = (context: Context, parts: SubscriptionParts): Stripe.Subscription => {
  const id = newId('sub');
  const created = now(context);
  const items = parts.lineItems.flatMap((item) => (item.price ? [buildItem(id, item.price, item)] : []));
  for (const item of items) {
    item.created = item.current_period_start = created;
    item.current_period_end = periodEndAfter(cycleOf(item.price, created), created);
  }
  const { trialDays = 0 } = parts;
  const trialEnd = created + trialDays * DAY;
  if (trialDays > 0) for (const item of items) item.current_period_end = trialEnd;
  return {
    ...structuredClone(CONSTANT_FIELDS),
    ...(trialDays > 0 && { status: 'trialing', trial_start: created, trial_end: trialEnd }),
    id,
    // The first period that is charged begins with the end of the trial.
    billing_cycle_anchor: trialEnd,
    created,
    currency: items[0]?.price.currency ?? 'usd',
    customer: parts.customer,
    default_payment_method: parts.paymentMethod,
    description: parts.description,
    items: {
      object: 'list',
      data: items,
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    metadata: parts.metadata,
    start_date: created,
  };
};

/** The price and the quantity of one item in a phase of a schedule. */
export const itemOfPhase = (price: string, quantity: number): Stripe.SubscriptionSchedule.Phase.Item => ({
  billing_thresholds: null,
  discounts: [],
  metadata: {},
  plan: price,
  price,
  quantity,
  tax_rates: [],
});

/** A schedule of what the subscription is now, to which phases are added: https://docs.stripe.com/billing/subscriptions/subscription-schedules */
export const buildSchedule = (
  context: Context,
  subscription: Stripe.Subscription,
): Stripe.SubscriptionSchedule => {
  const { data } = subscription.items;
  const start = Math.min(...data.map((item) => item.current_period_start));
  const end = periodEndOf(subscription);
  return {
    id: newId('sub_sched'),
    object: 'subscription_schedule',
    application: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    canceled_at: null,
    completed_at: null,
    created: now(context),
    current_phase: { start_date: start, end_date: end },
    customer: subscription.customer,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      automatic_tax: { disabled_reason: null, enabled: false, liability: null },
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: 'charge_automatically',
      default_payment_method: null,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: 'release',
    livemode: false,
    metadata: {},
    pause_schedules: [],
    phases: [
      {
        add_invoice_items: [],
        application_fee_percent: null,
        billing_cycle_anchor: null,
        billing_thresholds: null,
        collection_method: null,
        currency: subscription.currency,
        default_payment_method: null,
        default_tax_rates: [],
        description: null,
        discounts: [],
        end_date: end,
        invoice_settings: null,
        items: data.map(({ price, quantity = 1 }) => itemOfPhase(price.id, quantity)),
        metadata: {},
        on_behalf_of: null,
        proration_behavior: 'none',
        start_date: start,
        transfer_data: null,
        trial_end: null,
      },
    ],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: subscription.id,
    test_clock: null,
  };
};

const scheduleOf = (
  { state }: Context,
  { schedule }: Stripe.Subscription,
): Stripe.SubscriptionSchedule | undefined => state.subscriptionSchedules.get(refId(schedule) ?? '');

/** Takes the schedule away; the subscription goes on as it is. */
export const releaseSchedule = (context: Context, subscription: Stripe.Subscription): void => {
  const schedule = scheduleOf(context, subscription);
  subscription.schedule = null;
  if (!schedule) return;
  Object.assign(schedule, {
    status: 'released',
    released_at: now(context),
    released_subscription: subscription.id,
    subscription: null,
    current_phase: null,
  });
};

/** Begins the phase that is due with the next period, or releases a schedule after its last. */
export const beginPhase = (context: Context, subscription: Stripe.Subscription): void => {
  const schedule = scheduleOf(context, subscription);
  const start = periodEndOf(subscription);
  const next = schedule?.phases.find((phase) => phase.start_date === start);
  if (schedule === undefined) return;
  const { end_date: end = start } = schedule.phases.at(-1) ?? {};
  if (next === undefined && end <= start) return releaseSchedule(context, subscription);
  if (next === undefined) return;
  schedule.current_phase = { start_date: next.start_date, end_date: next.end_date };
  subscription.items.data.forEach((item, index) => {
    const price = context.state.prices.get(refId(next.items[index]?.price) ?? '');
    if (!price || price.id === item.price.id) return;
    // Another interval begins a cycle of its own.
    if (price.recurring?.interval !== item.price.recurring?.interval)
      subscription.billing_cycle_anchor = start;
    movePrice(item, price);
  });
};

export const isOngoing = ({ status }: Stripe.Subscription): boolean =>
  status !== 'canceled' && status !== 'incomplete_expired';

/** Stripe announces the end of a trial three days before it, or at its start: https://docs.stripe.com/billing/subscriptions/trials */
export const trialNoticeAt = ({ status, trial_end: end }: Stripe.Subscription): number | null =>
  status === 'trialing' && end !== null ? end - 3 * DAY : null;

/** Stripe keeps the period on the subscription item. The first to end is invoiced next. */
export const periodEndOf = ({ items }: Stripe.Subscription): number =>
  Math.min(...items.data.map((item) => item.current_period_end));

/** When Stripe next acts by itself: at the end of a period, or of the subscription if that is before. */
export const dueAt = (subscription: Stripe.Subscription): number =>
  Math.min(periodEndOf(subscription), subscription.cancel_at ?? Infinity);
