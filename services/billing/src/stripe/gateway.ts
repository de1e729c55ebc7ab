import { createError } from '@shortlist/kit/process/errors';
import type { Stripe } from 'stripe';
import type { ProviderState } from '../subscriptions/subscription.rules.ts';
import {
  listEvents,
  type ListedEvent,
  type ListedSubscription,
  listSubscriptions,
  type Page,
} from './lists.ts';
import { createPriceFinder } from './price.ts';
import { CustomerGone, isCustomerGone, isKeyReused, isMissing, reached } from './reached.ts';
import { createCustomerReader } from './read-customer.ts';

export type CheckoutState = {
  customerId: string | null;
  userId: string | null;
  status: string;
  /** Also when there was nothing to pay: what that covers, the invoice says. */
  paid: boolean;
  url: string | null;
};

type Person = { userId: string; email: string; name: string };
type Order = { userId: string; customerId: string; successUrl: string; cancelUrl: string };

/** All that we ask of the provider, in our words. Throws `billing.provider_unavailable` when it does not answer. */
export type StripeGateway = {
  createCustomer: (person: Person, idempotencyKey: string) => Promise<string>;
  /** The customer that an earlier call made, if its answer was lost. */
  findCustomer: (person: Person) => Promise<string | null>;
  /** Null when the key was used for another order; nothing that anybody could pay came of that. Throws `CustomerGone`. */
  openCheckout: (order: Order, idempotencyKey: string) => Promise<{ sessionId: string; url: string } | null>;
  /** Null for an id that the provider does not know. */
  findCheckout: (sessionId: string) => Promise<CheckoutState | null>;
  readCustomer: (customerId: string) => Promise<ProviderState>;
  /** Harmless for one that has ended. */
  cancelSubscription: (subscriptionId: string) => Promise<void>;
  /** Null for a customer whom the provider does not know. */
  openPortal: (customerId: string, returnUrl: string) => Promise<string | null>;
  listSubscriptions: (cursor: string | null) => Promise<Page<ListedSubscription>>;
  listEvents: (from: { since: Date; cursor: string | null }) => Promise<Page<ListedEvent>>;
};

const toCheckoutState = (session: Stripe.Checkout.Session): CheckoutState => {
  const { customer, client_reference_id: userId, status, payment_status: payment, url } = session;
  const customerId = typeof customer === 'string' ? customer : (customer?.id ?? null);
  return { customerId, userId, status: status ?? 'expired', paid: payment !== 'unpaid', url };
};

const toSessionParams = (
  { userId, customerId, successUrl, cancelUrl }: Order,
  price: string,
): Stripe.Checkout.SessionCreateParams => ({
  mode: 'subscription',
  customer: customerId,
  client_reference_id: userId,
  line_items: [{ price, quantity: 1 }],
  subscription_data: { metadata: { userId } },
  success_url: successUrl,
  cancel_url: cancelUrl,
});

/** Null instead of an error for what the provider does not know. */
const orNull = async <T>(work: Promise<T>, isNothing: (error: unknown) => boolean): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    if (isNothing(error)) return null;
    throw error;
  }
};

const customersOf = (
  stripe: Stripe,
): Pick<StripeGateway, 'createCustomer' | 'findCustomer' | 'readCustomer' | 'openPortal'> => {
  const readCustomer = createCustomerReader(stripe);
  return {
    createCustomer: async ({ userId, email, name }, idempotencyKey) => {
      const customer = { email, name, metadata: { userId } };
      return (await reached(stripe.customers.create(customer, { idempotencyKey }))).id;
    },
    findCustomer: async ({ userId, email }) => {
      const { data } = await reached(stripe.customers.list({ email, limit: 100 }));
      return data.find(({ metadata }) => metadata['userId'] === userId)?.id ?? null;
    },
    readCustomer: (customerId) => reached(readCustomer(customerId)),
    openPortal: async (customer, returnUrl) => {
      const asked = stripe.billingPortal.sessions.create({ customer, return_url: returnUrl });
      return (await reached(orNull(asked, isMissing)))?.url ?? null;
    },
  };
};

export const createStripeGateway = (stripe: Stripe): StripeGateway => {
  const priceId = createPriceFinder(stripe);
  return {
    ...customersOf(stripe),
    openCheckout: async (order, idempotencyKey) => {
      const params = toSessionParams(order, await reached(priceId()));
      const asked = stripe.checkout.sessions.create(params, { idempotencyKey }).catch((error: unknown) => {
        throw isCustomerGone(error) ? new CustomerGone() : error;
      });
      const session = await reached(orNull(asked, isKeyReused));
      if (session === null) return null;
      if (session.url === null) throw createError('billing.provider_unavailable');
      return { sessionId: session.id, url: session.url };
    },
    findCheckout: async (sessionId) => {
      const session = await reached(orNull(stripe.checkout.sessions.retrieve(sessionId), isMissing));
      return session && toCheckoutState(session);
    },
    cancelSubscription: async (subscriptionId) => {
      await reached(orNull(stripe.subscriptions.cancel(subscriptionId), isMissing));
    },
    listSubscriptions: (cursor) => reached(listSubscriptions(stripe, cursor)),
    listEvents: (from) => reached(listEvents(stripe, from)),
  };
};
