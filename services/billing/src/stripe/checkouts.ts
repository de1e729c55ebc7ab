import { minutes } from '@shortlist/contracts/durations';
import { PACK_LOOKUP_KEY, PRICE_LOOKUP_KEY, YEARLY_LOOKUP_KEY } from '@shortlist/contracts/limits';
import type { Interval } from '@shortlist/contracts/plan';
import { createError } from '@shortlist/kit/process/errors';
import type { Stripe } from 'stripe';
import { isInvalidRequest, isMissing } from './client.ts';
import { ALL, PAGE } from './embedded-lists.ts';
import {
  creditsOf,
  intervalOf,
  packMetadata,
  PLAN_METADATA_KEY,
  TRIAL_KEY,
  trialDaysOf,
} from './from-stripe.ts';
import type { PackPriceSnapshot, PriceSnapshot } from './snapshot.ts';

/** A lookup key that moves to another price takes effect within this time. */
const CACHE_MS = minutes(1);

export type PlanPrice = PriceSnapshot & { id: string };

export type PriceFinder = (interval?: Interval) => Promise<PlanPrice>;

export const LOOKUP_KEYS: Record<Interval, string> = { month: PRICE_LOOKUP_KEY, year: YEARLY_LOOKUP_KEY };

export type PackPriceFinder = () => Promise<(PackPriceSnapshot & { id: string }) | null>;

/** The active price with a lookup key, or null. */
export const readPrice = async (stripe: Stripe, lookupKey: string): Promise<Stripe.Price | null> => {
  const { data } = await stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 });
  return data[0] ?? null;
};

/** Finds the plan's price for an interval by its lookup key. Throws `billing.price_missing` if there is none that is charged so. */
export const createPriceFinder = (stripe: Stripe): PriceFinder => {
  const cache = new Map<Interval, { price: PlanPrice; until: number }>();
  return async (interval = 'month') => {
    const cached = cache.get(interval);
    if (cached !== undefined && performance.now() < cached.until) return cached.price;
    const found = await readPrice(stripe, LOOKUP_KEYS[interval]);
    // Users are told how often they pay, so a year's key on another price sells nothing.
    if (found === null || (interval === 'year' && intervalOf(found) !== 'year'))
      throw createError('billing.price_missing');
    const price = { id: found.id, amount: found.unit_amount ?? 0, currency: found.currency };
    cache.set(interval, { price, until: performance.now() + CACHE_MS });
    return price;
  };
};

/** The pack that a price sells; null if it is recurring or does not state the credits. */
const toPackPrice = (price: Stripe.Price): (PackPriceSnapshot & { id: string }) | null => {
  const { id, unit_amount: amount, currency, metadata, recurring } = price;
  const credits = creditsOf(metadata);
  return credits === null || recurring !== null || amount === null ? null : { id, amount, currency, credits };
};

/** Finds the price of the pack by its lookup key, or null. */
export const createPackPriceFinder = (stripe: Stripe): PackPriceFinder => {
  let cached: { price: Awaited<ReturnType<PackPriceFinder>>; until: number } | null = null;
  return async () => {
    if (cached !== null && performance.now() < cached.until) return cached.price;
    const found = await readPrice(stripe, PACK_LOOKUP_KEY);
    const price = found && toPackPrice(found);
    cached = { price, until: performance.now() + CACHE_MS };
    return price;
  };
};

/** The configuration of the billing portal; requests do not name the default one. */
type PortalConfiguration = { id: string; isDefault: boolean };

/** Returns the account's default configuration, otherwise ours, otherwise null. Only the dashboard can create a default one. */
export const findPortalConfiguration = async (stripe: Stripe): Promise<PortalConfiguration | null> => {
  const configurations = stripe.billingPortal.configurations.list({ active: true, limit: PAGE });
  const data = await configurations.autoPagingToArray(ALL);
  const found =
    data.find(({ is_default: isDefault }) => isDefault) ??
    data.find(({ metadata }) => metadata?.[PLAN_METADATA_KEY] === PRICE_LOOKUP_KEY);
  return found ? { id: found.id, isDefault: found.is_default } : null;
};

/** `page`: the portal opens on the page on which another card is entered, and returns from there; else on its first page. */
export type PortalOrder = { customerId: string; returnUrl: string; page?: 'card' | undefined };

const changeOfCard = (returnUrl: string): Stripe.BillingPortal.SessionCreateParams.FlowData => ({
  type: 'payment_method_update',
  after_completion: { type: 'redirect', redirect: { return_url: returnUrl } },
});

/** Returns a function that opens the portal and throws `billing.portal_not_configured` if there is no configuration. */
export const createPortalOpener = (stripe: Stripe): ((order: PortalOrder) => Promise<string>) => {
  let cached: { configuration: PortalConfiguration; until: number } | null = null;
  const find = async (): Promise<PortalConfiguration> => {
    if (cached !== null && performance.now() < cached.until) return cached.configuration;
    const configuration = await findPortalConfiguration(stripe);
    if (configuration === null) throw createError('billing.portal_not_configured');
    cached = { configuration, until: performance.now() + CACHE_MS };
    return configuration;
  };
  return async ({ customerId: customer, returnUrl, page }) => {
    const { id, isDefault } = await find();
    const session = await stripe.billingPortal.sessions.create({
      customer,
      return_url: returnUrl,
      ...(page === 'card' && { flow_data: changeOfCard(returnUrl) }),
      ...(!isDefault && { configuration: id }),
    });
    return session.url;
  };
};

/** Optional features of Checkout. */
export type CheckoutOptions = { automaticTax: boolean; taxIds: boolean; promotionCodes: boolean };

/** For processes that open no checkout. */
export const NO_OPTIONS: CheckoutOptions = { automaticTax: false, taxIds: false, promotionCodes: false };

export type CheckoutKind = 'plan' | 'pack';

/** `credits`: those of the ordered pack; null for the plan. `trialDays`: 0 for no trial of the plan. */
export type Order = {
  userId: string;
  customerId: string;
  priceId: string;
  amount: number;
  credits: number | null;
  trialDays: number;
  successUrl: string;
  cancelUrl: string;
};

// For an existing customer, Stripe computes tax and collects a tax id only if it may save the entered address and name.
const optionParams = (options: CheckoutOptions): Partial<Stripe.Checkout.SessionCreateParams> => ({
  ...(options.automaticTax && { automatic_tax: { enabled: true } }),
  ...(options.taxIds && { tax_id_collection: { enabled: true } }),
  ...(options.promotionCodes && { allow_promotion_codes: true }),
  ...((options.automaticTax || options.taxIds) && { customer_update: { address: 'auto', name: 'auto' } }),
});

/**
 * A pack is a one-time payment. Checkout creates its invoice afterwards, for the records, the earnings and the customer's portal. Promotion
 * codes are only for the plan: one of 100 % would give away any number of packs.
 */
const packParams = (
  { userId, credits }: { userId: string; credits: number },
  options: CheckoutOptions,
): Partial<Stripe.Checkout.SessionCreateParams> => {
  const metadata = { userId, ...packMetadata(credits) };
  return {
    mode: 'payment',
    metadata,
    payment_intent_data: { metadata },
    invoice_creation: { enabled: true, invoice_data: { metadata } },
    ...optionParams({ ...options, promotionCodes: false }),
  };
};

/** The metadata key of a checkout with a trial, with what is charged after it: Stripe states what is due today, which is nothing. */
const AMOUNT_KEY = 'amount';

/** Only cards show whether somebody else has used them for a trial. */
const trialParams = ({
  userId,
  trialDays,
  amount,
}: PlanOrder): Partial<Stripe.Checkout.SessionCreateParams> => {
  const mark = { [TRIAL_KEY]: String(trialDays) };
  return {
    metadata: { ...mark, [AMOUNT_KEY]: String(amount) },
    subscription_data: { metadata: { userId, ...mark }, trial_period_days: trialDays },
    allowed_payment_method_types: ['card'],
    payment_method_collection: 'always',
  };
};

type PlanOrder = Pick<Order, 'userId' | 'trialDays' | 'amount'>;

const planParams = (
  order: PlanOrder,
  options: CheckoutOptions,
): Partial<Stripe.Checkout.SessionCreateParams> => ({
  mode: 'subscription',
  ...(order.trialDays > 0
    ? trialParams(order)
    : { subscription_data: { metadata: { userId: order.userId } } }),
  ...optionParams(options),
});

/** What a session charges before discounts, at once or after its trial. */
export const amountOf = ({ metadata, amount_subtotal: due }: Stripe.Checkout.Session): number =>
  trialDaysOf(metadata) > 0 ? Number(metadata?.[AMOUNT_KEY]) : (due ?? 0);

export const toSessionParams = (
  { userId, customerId, priceId, amount, credits, trialDays, successUrl, cancelUrl }: Order,
  options: CheckoutOptions,
): Stripe.Checkout.SessionCreateParams => ({
  customer: customerId,
  client_reference_id: userId,
  line_items: [{ price: priceId, quantity: 1 }],
  success_url: successUrl,
  cancel_url: cancelUrl,
  ...(credits === null
    ? planParams({ userId, trialDays, amount }, options)
    : packParams({ userId, credits }, options)),
});

export const kindOf = ({ mode }: Pick<Stripe.Checkout.Session, 'mode'>): CheckoutKind =>
  mode === 'payment' ? 'pack' : 'plan';

export type OpenSession = { sessionId: string; kind: CheckoutKind };

/** The sessions of this customer that can still be paid. A customer that was deleted at Stripe has none. */
export const listOpenSessions = async (stripe: Stripe, customer: string): Promise<OpenSession[]> => {
  try {
    const sessions = stripe.checkout.sessions.list({ customer, status: 'open', limit: PAGE });
    const open = await sessions.autoPagingToArray(ALL);
    return open.map(({ id, mode }) => ({ sessionId: id, kind: kindOf({ mode }) }));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

/** Closes a session. Returns false if it is already complete. Throws `billing.busy` while Stripe processes its payment. */
export const expireSession = async (stripe: Stripe, sessionId: string): Promise<boolean> => {
  try {
    await stripe.checkout.sessions.expire(sessionId);
    return true;
  } catch (error) {
    if (isMissing(error)) return true;
    if (!isInvalidRequest(error)) throw error;
    // Stripe refuses to expire a session that has expired, is complete, or is being paid.
    const { status } = await stripe.checkout.sessions.retrieve(sessionId);
    if (status === 'open') throw createError('billing.busy', { cause: error, retryAfterSeconds: 5 });
    return status === 'expired';
  }
};
