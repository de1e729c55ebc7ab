import { randomUUID } from 'node:crypto';
import { hours } from '@shortlist/contracts/durations';
import { createError } from '@shortlist/kit/process/errors';
import { LEASE_WAIT_MS, refreshWithLease, withLease } from '../refresh/refresh-subscriber.ts';
import { CustomerMissing } from '../stripe/client.ts';
import {
  type CheckoutIntentRow,
  closeIntent,
  findOpenIntent,
  insertIntent,
  setIntentSession,
} from '../subscriptions/checkout-intent-queries.ts';
import { expireCheckouts } from '../refresh/settle-customer.ts';
import {
  findSubscriber,
  insertSubscriberIfAbsent,
  type Lease,
  updateSubscriber,
} from '../subscriptions/queries.ts';
import { clearCustomer, ensureCustomer } from './ensure-customer.ts';
import type { CheckoutParts, Item, Sale } from './sales.ts';

type UserDetails = { userId: string; email: string; name: string };

/** Stripe keeps idempotency keys for a day; an older intent without a session gets a new key. */
const KEY_LIFETIME_MS = hours(23);

type Session = NonNullable<Awaited<ReturnType<CheckoutParts['stripe']['findCheckout']>>>;

/** Whether an existing session still sells this item, with the trial that the user may have now. */
const canBePaid = ({ status, url, price, credits, trialDays }: Session, item: Item): boolean => {
  const isSameItem =
    price.amount === item.amount && price.currency === item.currency && credits === item.credits;
  return status === 'open' && url !== null && isSameItem && trialDays === item.trialDays;
};

type Reuse = { intent: CheckoutIntentRow; item: Item; sale: Sale; lease: Lease };

/** The URL of the intent's session if it can still be paid for this item; otherwise closes the intent. */
const reuse = async (parts: CheckoutParts, { intent, item, sale, lease }: Reuse): Promise<string | null> => {
  if (intent.sessionId === null) return null;
  const session = await parts.stripe.findCheckout(intent.sessionId);
  if (session && canBePaid(session, item)) return session.url;
  const isPaid =
    session?.status === 'open'
      ? !(await parts.stripe.expireCheckout(intent.sessionId))
      : session?.status === 'complete';
  await closeIntent(parts.db.manager, intent.id);
  if (isPaid) {
    await refreshWithLease(parts, lease, { by: 'checkout', reason: 'paid already' });
    await sale.assertCanBuy(parts, lease);
  }
  return null;
};

type OfKind = Pick<Sale, 'kind'> & { lease: Lease };

/** The id of an open intent whose order may be repeated, or of a new one. */
const takeIntent = async ({ db, clock }: CheckoutParts, { lease, kind }: OfKind): Promise<string> => {
  const open = await findOpenIntent(db.manager, lease.userId, kind);
  if (open?.sessionId === null && clock().getTime() - open.createdAt.getTime() < KEY_LIFETIME_MS)
    return open.id;
  if (open) await closeIntent(db.manager, open.id);
  const id = randomUUID();
  if (!(await insertIntent(db.manager, lease, { id, kind, createdAt: clock() })))
    throw createError('billing.busy', { retryAfterSeconds: 2 });
  return id;
};

type Order = Parameters<CheckoutParts['stripe']['openCheckout']>[0];

const openSession = async (
  parts: CheckoutParts,
  { order, isRepeated = false, ...of }: OfKind & { order: Order; isRepeated?: boolean },
): Promise<{ sessionId: string; url: string }> => {
  const { db, stripe } = parts;
  const intentId = await takeIntent(parts, of);
  const session = await stripe.openCheckout(order, intentId);
  if (session) {
    await setIntentSession(db.manager, intentId, session.sessionId);
    return session;
  }
  // The order changed since this key was first used (another return URL, another price), so it needs a new key.
  if (isRepeated) throw createError('billing.provider_unavailable');
  await closeIntent(db.manager, intentId);
  return openSession(parts, { ...of, order, isRepeated: true });
};

/** Closes the checkout again if the user was deleted while it was being opened. */
const assertNotDeleted = async (parts: CheckoutParts, { userId }: Lease): Promise<void> => {
  const subscriber = await findSubscriber(parts.db.manager, userId);
  if (subscriber === null || subscriber.deletedAt === null) return;
  // The deletion may already have closed everything else.
  await updateSubscriber(parts.db.manager, userId, { closing: true });
  await expireCheckouts(parts, subscriber);
  throw createError('billing.user_not_found');
};

const openWithLease = async (parts: CheckoutParts, sale: Sale, lease: Lease): Promise<string> => {
  const { db, publicUrl } = parts;
  const { userId } = lease;
  const { kind, assertCanBuy, successPath, cancelPath } = sale;
  const subscriber = await assertCanBuy(parts, lease);
  const customerId = await ensureCustomer(parts, subscriber, { lease, assertCanBuy });
  const item = await sale.findItem(parts, userId);
  const intent = await findOpenIntent(db.manager, userId, kind);
  const reusedUrl = intent && (await reuse(parts, { intent, item, sale, lease }));
  if (reusedUrl) return reusedUrl;
  const order = {
    userId,
    customerId,
    priceId: item.id,
    amount: item.amount,
    credits: item.credits,
    trialDays: item.trialDays,
    successUrl: `${publicUrl}${successPath}?xsl={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${publicUrl}${cancelPath}`,
  };
  return (await openSession(parts, { order, lease, kind })).url;
};

/** If the customer was deleted at Stripe, the user buys as a new customer. */
const openReplacingCustomer = async (parts: CheckoutParts, sale: Sale, lease: Lease): Promise<string> => {
  try {
    return await openWithLease(parts, sale, lease);
  } catch (error) {
    if (!(error instanceof CustomerMissing)) throw error;
    await clearCustomer(parts, lease);
    return openWithLease(parts, sale, lease);
  }
};

/** Returns the URL of the payment page. Concurrent requests wait for each other and get the same URL. Throws what the sale throws. */
export const openCheckout = async (parts: CheckoutParts, sale: Sale, user: UserDetails): Promise<string> => {
  await insertSubscriberIfAbsent(parts.db.manager, user);
  const { userId } = user;
  return withLease(parts, { userId, waitMs: LEASE_WAIT_MS.interactive }, async (lease) => {
    const url = await openReplacingCustomer(parts, sale, lease);
    await assertNotDeleted(parts, lease);
    return url;
  });
};
