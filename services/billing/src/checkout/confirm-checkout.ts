import type { CreditPack } from '@shortlist/contracts/api/billing';
import { planAt } from '@shortlist/contracts/plan';
import { createError } from '@shortlist/kit/process/errors';
import { findPackByInvoice, presentPack } from '../packs/queries.ts';
import type { CheckoutKind } from '../stripe/checkouts.ts';
import type { CheckoutState } from '../stripe/gateway.ts';
import { hasPaidSince } from '../records/invoice-queries.ts';
import { type CheckoutIntentRow, findIntentOfSession } from '../subscriptions/checkout-intent-queries.ts';
import { stateOf } from '../subscriptions/plan.rules.ts';
import { findSubscriber } from '../subscriptions/queries.ts';
import { LEASE_WAIT_MS, type RefreshParts, refreshSubscriber } from '../refresh/refresh-subscriber.ts';
import { getSubscriber } from './sales.ts';

const ORIGIN = { by: 'success page', reason: 'checkout confirmed', waitMs: LEASE_WAIT_MS.interactive };

type Checkout = { userId: string; sessionId: string };

/** The user's own session of this kind. Throws `billing.checkout_not_found` if it is missing or another user's. */
const getSession = async (
  { db, stripe }: RefreshParts,
  { userId, sessionId, kind }: Checkout & { kind: CheckoutKind },
): Promise<CheckoutState> => {
  const [subscriber, session] = await Promise.all([
    findSubscriber(db.manager, userId),
    stripe.findCheckout(sessionId),
  ]);
  const isOwn =
    session !== null && session.userId === userId && session.customerId === subscriber?.customerId;
  if (!isOwn || session.kind !== kind || subscriber.deletedAt !== null)
    throw createError('billing.checkout_not_found');
  return session;
};

/**
 * Whether the plan has been paid since the user ordered this session. Then the session need not be read: whatever it was paid by, the user is
 * premium, and a session grants nothing.
 */
const isPaidSinceOrder = async (
  { db, clock }: RefreshParts,
  { userId, createdAt }: CheckoutIntentRow,
): Promise<boolean> => {
  const subscriber = await findSubscriber(db.manager, userId);
  if (subscriber === null || subscriber.deletedAt !== null) return false;
  return (
    planAt({ ...stateOf(subscriber), granted: null }, clock()).plan === 'premium' &&
    hasPaidSince(db.manager, userId, createdAt)
  );
};

/**
 * Refreshes the user after the success page sent a session id, unless the payment has been recorded by its events. Stripe's data decide whether
 * the session is this user's and paid; the request itself grants nothing. Throws `billing.checkout_not_found`, `billing.not_paid`, `billing.trial_refused`
 * after a second trial, or `billing.payment_processing` while the bank confirms the payment.
 */
export const confirmCheckout = async (parts: RefreshParts, checkout: Checkout): Promise<void> => {
  const { userId } = checkout;
  const order = await findIntentOfSession(parts.db.manager, checkout);
  if (order?.kind === 'plan') {
    if (await isPaidSinceOrder(parts, order)) return;
    await refreshSubscriber(parts, userId, ORIGIN);
    if (await isPaidSinceOrder(parts, order)) return;
  }
  const session = await getSession(parts, { ...checkout, kind: 'plan' });
  if (session.status !== 'complete') throw createError('billing.not_paid');
  const state = await refreshSubscriber(parts, userId, ORIGIN);
  if (planAt(state, parts.clock()).plan === 'premium') return;
  const { problem, isTrialRefused } = await getSubscriber(parts, userId);
  if (isTrialRefused) throw createError('billing.trial_refused');
  if (session.paid) return;
  // A checkout with a bank debit is complete before it is paid.
  throw createError(problem?.kind === 'processing' ? 'billing.payment_processing' : 'billing.not_paid');
};

/**
 * Does the same for the checkout of a pack, and returns the pack. Throws `billing.checkout_not_found`, `billing.not_paid`, or
 * `billing.pack_processing` until the bank has confirmed the payment and Stripe has created the invoice.
 */
export const confirmPack = async (parts: RefreshParts, checkout: Checkout): Promise<CreditPack> => {
  const session = await getSession(parts, { ...checkout, kind: 'pack' });
  if (session.status !== 'complete') throw createError('billing.not_paid');
  await refreshSubscriber(parts, checkout.userId, ORIGIN);
  const pack = session.invoiceId && (await findPackByInvoice(parts.db.manager, session.invoiceId));
  if (!pack) throw createError('billing.pack_processing');
  return presentPack(pack);
};
