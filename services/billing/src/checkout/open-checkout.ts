import { randomUUID } from 'node:crypto';
import type { Price } from '@shortlist/contracts/api/billing';
import { hours } from '@shortlist/contracts/durations';
import type { Db } from '@shortlist/kit/data/db';
import { AppError, createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { CustomerMissing } from '../stripe/client.ts';
import type { StripeGateway } from '../stripe/gateway.ts';
import {
  type CheckoutIntentRow,
  closeIntent,
  findOpenIntent,
  insertIntent,
  setIntentSession,
} from '../subscriptions/checkout-intent-queries.ts';
import { expireCheckouts } from '../subscriptions/expire-checkouts.ts';
import type { Offer } from '../subscriptions/offer.ts';
import {
  type CustomerColumns,
  findSubscriber,
  insertSubscriberIfAbsent,
  type Lease,
  type SubscriberRow,
  updateSubscriber,
  writeCustomer,
} from '../subscriptions/queries.ts';
import { type RefreshParts, refreshWithLease, withLease } from '../refresh/refresh-subscriber.ts';
import { assertCanBuy } from './assert-can-buy.ts';

type Parts = { db: Db; stripe: StripeGateway };

// An owner that paused for longer than its lease must not replace the customer that another owner created meanwhile.
const write = async ({ db }: Parts, lease: Lease, columns: CustomerColumns): Promise<void> => {
  if (!(await writeCustomer(db.manager, lease, columns)))
    throw createError('billing.busy', { retryAfterSeconds: 2 });
};

/**
 * Returns the user's customer at Stripe, creating it if needed. The key is stored before the call: if the response is lost, a
 * repeated call finds the same customer. One that is found has perhaps paid already, although nothing here says so, as after the
 * database was set back: what it has is taken over, and its open pages are closed. Throws what `assertCanBuy` throws.
 */
const ensureCustomer = async (
  parts: RefreshParts,
  subscriber: SubscriberRow,
  lease: Lease,
): Promise<string> => {
  if (subscriber.customerId !== null) return subscriber.customerId;
  const customerKey = subscriber.customerKey ?? randomUUID();
  if (subscriber.customerKey === null) await write(parts, lease, { customerKey, customerId: null });
  const existingId = await parts.stripe.findCustomer(subscriber);
  const customerId = existingId ?? (await parts.stripe.createCustomer(subscriber, customerKey));
  await write(parts, lease, { customerKey, customerId });
  if (existingId === null) return customerId;
  await expireCheckouts(parts, { userId: lease.userId, customerId });
  await refreshWithLease(parts, lease, { by: 'checkout', reason: 'customer found at Stripe' });
  await assertCanBuy(parts, lease);
  return customerId;
};

/** Clears the id of a customer that was deleted at Stripe, so that the next checkout creates a new one. */
const clearCustomer = (parts: Parts, lease: Lease): Promise<void> =>
  write(parts, lease, { customerKey: null, customerId: null });

export type CheckoutParts = RefreshParts & { offer: Offer; publicUrl: string };
type UserDetails = { userId: string; email: string; name: string };

const WAIT_MS = 4_000;
/** Stripe keeps idempotency keys for a day; an older intent without a session gets a new key. */
const KEY_LIFETIME_MS = hours(23);

type Session = NonNullable<Awaited<ReturnType<CheckoutParts['stripe']['findCheckout']>>>;

const canBePaid = ({ status, url, price }: Session, { amount, currency }: Price): boolean =>
  status === 'open' && url !== null && price.amount === amount && price.currency === currency;

type Reuse = { intent: CheckoutIntentRow; price: Price; lease: Lease };

/** The URL of the intent's session if it can still be paid at `price`; otherwise closes the intent. */
const reuse = async (parts: CheckoutParts, { intent, price, lease }: Reuse): Promise<string | null> => {
  if (intent.sessionId === null) return null;
  const session = await parts.stripe.findCheckout(intent.sessionId);
  if (session && canBePaid(session, price)) return session.url;
  const isPaid =
    session?.status === 'open'
      ? !(await parts.stripe.expireCheckout(intent.sessionId))
      : session?.status === 'complete';
  await closeIntent(parts.db.manager, intent.id);
  if (isPaid) {
    await refreshWithLease(parts, lease, { by: 'checkout', reason: 'paid already' });
    await assertCanBuy(parts, lease);
  }
  return null;
};

/** The id of the open intent whose order may be repeated, or of a new one. */
const takeIntent = async ({ db, clock }: CheckoutParts, lease: Lease): Promise<string> => {
  const open = await findOpenIntent(db.manager, lease.userId);
  if (open?.sessionId === null && clock().getTime() - open.createdAt.getTime() < KEY_LIFETIME_MS)
    return open.id;
  if (open) await closeIntent(db.manager, open.id);
  const id = randomUUID();
  if (!(await insertIntent(db.manager, lease, { id, createdAt: clock() })))
    throw createError('billing.busy', { retryAfterSeconds: 2 });
  return id;
};

type Order = Parameters<CheckoutParts['stripe']['openCheckout']>[0];

const openSession = async (
  parts: CheckoutParts,
  { order, lease, isRepeated = false }: { order: Order; lease: Lease; isRepeated?: boolean },
): Promise<{ sessionId: string; url: string }> => {
  const { db, stripe } = parts;
  const intentId = await takeIntent(parts, lease);
  const session = await stripe.openCheckout(order, intentId);
  if (session) {
    await setIntentSession(db.manager, intentId, session.sessionId);
    return session;
  }
  // The order changed since this key was first used (another return URL, another price), so it needs a new key.
  if (isRepeated) throw createError('billing.provider_unavailable');
  await closeIntent(db.manager, intentId);
  return openSession(parts, { order, lease, isRepeated: true });
};

/** Closes the checkout again if the user was deleted while it was being opened. */
const assertNotDeleted = async (parts: CheckoutParts, { userId }: Lease): Promise<void> => {
  const subscriber = await findSubscriber(parts.db.manager, userId);
  if (subscriber === null || subscriber.deletedAt === null) return;
  // The deletion may have closed everything else already.
  await updateSubscriber(parts.db.manager, userId, { closing: true });
  await expireCheckouts(parts, subscriber);
  throw createError('billing.user_not_found');
};

const openWithLease = async (parts: CheckoutParts, lease: Lease): Promise<string> => {
  const { db, offer, publicUrl } = parts;
  const { userId } = lease;
  const subscriber = await assertCanBuy(parts, lease);
  const customerId = await ensureCustomer(parts, subscriber, lease);
  const price = await offer.getSellablePrice();
  const intent = await findOpenIntent(db.manager, userId);
  const reusedUrl = intent && (await reuse(parts, { intent, price, lease }));
  if (reusedUrl) return reusedUrl;
  const order = {
    userId,
    customerId,
    priceId: price.id,
    successUrl: `${publicUrl}/payments/success?xsl={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${publicUrl}/payments/cancel`,
  };
  return (await openSession(parts, { order, lease })).url;
};

/** A user whose customer was deleted at Stripe buys again as a new customer. */
const openReplacingCustomer = async (parts: CheckoutParts, lease: Lease): Promise<string> => {
  try {
    return await openWithLease(parts, lease);
  } catch (error) {
    if (!(error instanceof CustomerMissing)) throw error;
    await clearCustomer(parts, lease);
    return openWithLease(parts, lease);
  }
};

/**
 * Returns the URL at which the user can pay. Parallel requests wait for one another and get the same URL. Throws
 * `billing.already_subscribed` for a user with a subscription, and `billing.payment_open`, `billing.payment_processing` or
 * `billing.subscription_paused` for one whose subscription awaits a payment.
 */
export const openCheckout = async (parts: CheckoutParts, user: UserDetails): Promise<string> => {
  await insertSubscriberIfAbsent(parts.db.manager, user);
  const { userId } = user;
  return withLease(parts, { userId, waitMs: WAIT_MS }, async (lease) => {
    const url = await openReplacingCustomer(parts, lease);
    await assertNotDeleted(parts, lease);
    return url;
  });
};

const PORTAL_MISSING =
  "Stripe's billing portal is not configured: save its settings in the dashboard, or run shortlist stripe-check --apply";

/** Returns the URL of Stripe's billing portal for the user's own customer. Throws `billing.customer_not_found`, or
 * `billing.portal_not_configured`. */
export const openPortal = async (
  { db, stripe, publicUrl, log }: CheckoutParts & { log: Log },
  { userId, customerId }: { userId: string; customerId: string },
): Promise<string> => {
  const subscriber = await findSubscriber(db.manager, userId);
  if (subscriber === null || subscriber.customerId !== customerId)
    throw createError('billing.customer_not_found');
  const url = await stripe.openPortal(customerId, `${publicUrl}/`).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'billing.portal_not_configured')
      log.error({ err: error }, PORTAL_MISSING);
    throw error;
  });
  if (url === null) throw createError('billing.customer_not_found');
  return url;
};
