import { randomUUID } from 'node:crypto';
import { planAt } from '@shortlist/contracts/plan';
import { createError } from '@shortlist/kit/process/errors';
import { withLease } from '../subscriptions/lease.ts';
import { findSubscriber, type Holding, insertSubscriberIfAbsent } from '../subscriptions/queries.ts';
import { CustomerGone } from '../stripe/reached.ts';
import { refreshHolding, type RefreshParts } from '../subscriptions/refresh-subscriber.ts';
import { isGoingOn } from '../subscriptions/subscription.rules.ts';
import type { SubscriberRow } from '../subscriptions/subscriber.entity.ts';
import { stateOf } from '../subscriptions/write-plan.ts';
import { ensureCustomer, forgetCustomer } from './ensure-customer.ts';
import { closeIntent, findOpenIntent, insertIntent, type Intent, setIntentSession } from './queries.ts';

export type CheckoutParts = RefreshParts & { publicUrl: string };
type Person = { userId: string; email: string; name: string };

const WAIT_MS = 4_000;
/** The provider forgets idempotency keys after a day; an older intent without a session is begun anew. */
const KEY_LIVES_MS = 23 * 60 * 60 * 1000;

const getSubscriber = async ({ db }: CheckoutParts, userId: string): Promise<SubscriberRow> => {
  const subscriber = await findSubscriber(db.manager, userId);
  if (subscriber === null || subscriber.deletedAt !== null) throw createError('billing.user_not_found');
  return subscriber;
};

const assertNotSubscribed = (subscriber: SubscriberRow, now: Date): void => {
  const premium = planAt(stateOf(subscriber), now).plan === 'premium';
  if (premium || isGoingOn(subscriber.subscriptionStatus)) throw createError('billing.already_subscribed');
};

/** The address of a session that can still be paid, if the open intent has one; a finished intent is closed. */
const reuse = async (parts: CheckoutParts, intent: Intent, holding: Holding): Promise<string | null> => {
  if (intent.sessionId === null) return null;
  const session = await parts.stripe.findCheckout(intent.sessionId);
  if (session?.status === 'open' && session.url !== null) return session.url;
  await closeIntent(parts.db.manager, intent.id);
  if (session?.status === 'complete') {
    await refreshHolding(parts, holding, { by: 'checkout', reason: 'paid already' });
    assertNotSubscribed(await getSubscriber(parts, holding.userId), parts.clock());
  }
  return null;
};

const intentToAsk = async ({ db, clock }: CheckoutParts, holding: Holding): Promise<string> => {
  const open = await findOpenIntent(db.manager, holding.userId);
  if (open?.sessionId === null && clock().getTime() - open.createdAt.getTime() < KEY_LIVES_MS) return open.id;
  if (open) await closeIntent(db.manager, open.id);
  const id = randomUUID();
  const isOurs = await insertIntent(db.manager, { id, ...holding, createdAt: clock() });
  if (!isOurs) throw createError('billing.busy', { retryAfterSeconds: 2 });
  return id;
};

type Order = Parameters<CheckoutParts['stripe']['openCheckout']>[0];

const openSession = async (
  parts: CheckoutParts,
  { order, holding, isAgain = false }: { order: Order; holding: Holding; isAgain?: boolean },
): Promise<{ sessionId: string; url: string }> => {
  const { db, stripe } = parts;
  const intentId = await intentToAsk(parts, holding);
  const session = await stripe.openCheckout(order, intentId);
  if (session) {
    await setIntentSession(db.manager, intentId, session.sessionId);
    return session;
  }
  // The order has changed since this key was first used (another address of ours, another price): it needs a new one.
  if (isAgain) throw createError('billing.provider_unavailable');
  await closeIntent(db.manager, intentId);
  return openSession(parts, { order, holding, isAgain: true });
};

const openHolding = async (parts: CheckoutParts, holding: Holding): Promise<string> => {
  const { db, clock, publicUrl } = parts;
  const { userId } = holding;
  const subscriber = await getSubscriber(parts, userId);
  assertNotSubscribed(subscriber, clock());
  const customerId = await ensureCustomer(parts, subscriber, holding);
  const open = await findOpenIntent(db.manager, userId);
  const reused = open && (await reuse(parts, open, holding));
  if (reused) return reused;
  const order = {
    userId,
    customerId,
    successUrl: `${publicUrl}/payments/success?xsl={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${publicUrl}/payments/cancel`,
  };
  return (await openSession(parts, { order, holding })).url;
};

/** Somebody whom an operator deleted at the provider can buy again, as a new customer. */
const openEvenIfGone = async (parts: CheckoutParts, holding: Holding): Promise<string> => {
  try {
    return await openHolding(parts, holding);
  } catch (error) {
    if (!(error instanceof CustomerGone)) throw error;
    await forgetCustomer(parts, holding);
    return openHolding(parts, holding);
  }
};

/**
 * Where this person can pay. Parallel clicks wait for one another and get the same address; somebody who has a
 * subscription gets none. Throws `billing.already_subscribed`.
 */
export const openCheckout = async (parts: CheckoutParts, person: Person): Promise<string> => {
  await insertSubscriberIfAbsent(parts.db.manager, person);
  const { userId } = person;
  return withLease(parts, { userId, waitMs: WAIT_MS }, (holder) => openEvenIfGone(parts, { userId, holder }));
};
