import { CURRENCY, PRICE_LOOKUP_KEY, PRICE_MINOR } from '@shortlist/contracts/limits';
import { coded } from '@shortlist/kit/errors';
import { Stripe } from 'stripe';
import type { ProviderState } from '../subscriptions/subscription.rules.ts';
import { byPaymentIntent, isOurSubscription, toInvoice, toSubscription } from './from-stripe.ts';

export type CheckoutState = {
  customerId: string | null;
  userId: string | null;
  status: string;
  paid: boolean;
  url: string | null;
};

/** All that we ask of the provider, in our words. Throws `billing.provider_unavailable` when it does not answer. */
export type StripeGateway = {
  createCustomer: (
    person: { userId: string; email: string; name: string },
    idempotencyKey: string,
  ) => Promise<string>;
  openCheckout: (
    order: { userId: string; customerId: string; successUrl: string; cancelUrl: string },
    idempotencyKey: string,
  ) => Promise<{ sessionId: string; url: string }>;
  /** Null for an id that the provider does not know. */
  findCheckout: (sessionId: string) => Promise<CheckoutState | null>;
  readCustomer: (customerId: string) => Promise<ProviderState>;
  cancelSubscription: (subscriptionId: string) => Promise<void>;
  openPortal: (customerId: string, returnUrl: string) => Promise<string>;
};

const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';

const reached = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    const away =
      error instanceof Stripe.errors.StripeConnectionError ||
      error instanceof Stripe.errors.StripeAPIError ||
      error instanceof Stripe.errors.StripeRateLimitError;
    throw away ? coded('billing.provider_unavailable', { cause: error, retryAfterSeconds: 5 }) : error;
  }
};

const NEWEST = 100;

/** Finds the plan's price by its lookup key, and makes it on an account that has none yet. */
const createPriceFinder = (stripe: Stripe): (() => Promise<string>) => {
  let known: string | null = null;
  return async () => {
    if (known !== null) return known;
    const { data } = await stripe.prices.list({ lookup_keys: [PRICE_LOOKUP_KEY], active: true, limit: 1 });
    const price =
      data[0] ??
      (await stripe.prices.create(
        {
          currency: CURRENCY,
          unit_amount: PRICE_MINOR,
          recurring: { interval: 'month' },
          lookup_key: PRICE_LOOKUP_KEY,
          product_data: { name: 'Shortlist Premium' },
        },
        { idempotencyKey: `price:${PRICE_LOOKUP_KEY}` },
      ));
    known = price.id;
    return known;
  };
};

const createCustomerReader =
  (stripe: Stripe) =>
  async (customer: string): Promise<ProviderState> => {
    const [subscriptions, invoices, charges] = await Promise.all([
      stripe.subscriptions.list({ customer, status: 'all', limit: NEWEST }),
      stripe.invoices.list({ customer, limit: NEWEST, expand: ['data.payments'] }),
      stripe.charges.list({ customer, limit: NEWEST, expand: ['data.balance_transaction', 'data.refunds'] }),
    ]);
    const ours = subscriptions.data.filter(isOurSubscription).map(toSubscription);
    const ids = new Set(ours.map(({ id }) => id));
    const paidBy = byPaymentIntent(charges.data);
    return {
      subscriptions: ours,
      invoices: invoices.data
        .map((invoice) => toInvoice(invoice, paidBy))
        .filter((invoice) => invoice !== null)
        .filter(({ subscriptionId }) => subscriptionId !== null && ids.has(subscriptionId)),
    };
  };

const toCheckoutState = (session: Stripe.Checkout.Session): CheckoutState => {
  const { customer, client_reference_id: userId, status, payment_status: payment, url } = session;
  const customerId = typeof customer === 'string' ? customer : (customer?.id ?? null);
  return { customerId, userId, status: status ?? 'expired', paid: payment === 'paid', url };
};

export const createStripeGateway = (stripe: Stripe): StripeGateway => {
  const priceId = createPriceFinder(stripe);
  const readCustomer = createCustomerReader(stripe);

  return {
    createCustomer: ({ userId, email, name }, idempotencyKey) =>
      reached(stripe.customers.create({ email, name, metadata: { userId } }, { idempotencyKey })).then(
        ({ id }) => id,
      ),

    openCheckout: async ({ userId, customerId, successUrl, cancelUrl }, idempotencyKey) => {
      const price = await reached(priceId());
      const session = await reached(
        stripe.checkout.sessions.create(
          {
            mode: 'subscription',
            customer: customerId,
            client_reference_id: userId,
            line_items: [{ price, quantity: 1 }],
            subscription_data: { metadata: { userId } },
            success_url: successUrl,
            cancel_url: cancelUrl,
          },
          { idempotencyKey },
        ),
      );
      if (session.url === null) throw coded('billing.provider_unavailable');
      return { sessionId: session.id, url: session.url };
    },

    findCheckout: async (sessionId) => {
      try {
        return toCheckoutState(await reached(stripe.checkout.sessions.retrieve(sessionId)));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },

    readCustomer: (customerId) => reached(readCustomer(customerId)),

    cancelSubscription: async (subscriptionId) => {
      try {
        await reached(stripe.subscriptions.cancel(subscriptionId));
      } catch (error) {
        if (!isMissing(error)) throw error; // ended already
      }
    },

    openPortal: (customer, returnUrl) =>
      reached(stripe.billingPortal.sessions.create({ customer, return_url: returnUrl })).then(
        ({ url }) => url,
      ),
  };
};
