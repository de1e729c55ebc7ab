import type { PackSale } from '../packs/pack-offer.ts';
import type { RefreshParts } from '../refresh/refresh-subscriber.ts';
import type { CheckoutKind } from '../stripe/checkouts.ts';
import type { Offer } from '../subscriptions/offer.ts';
import type { Lease, SubscriberRow } from '../subscriptions/queries.ts';
import { assertCanBuy, getSubscriber } from './assert-can-buy.ts';

export type CheckoutParts = RefreshParts & { offer: Offer; packSale: PackSale; publicUrl: string };

/** Stripe's price of what is sold; `credits` are those of a pack. */
export type Item = { id: string; amount: number; currency: string; credits: number | null };

/** What a checkout sells, to whom, and where the user returns to. */
export type Sale = {
  kind: CheckoutKind;
  /** Returns the subscriber, or throws if the user may not buy this. */
  assertCanBuy: (parts: RefreshParts, lease: Lease) => Promise<SubscriberRow>;
  findItem: (parts: CheckoutParts) => Promise<Item>;
  successPath: string;
  cancelPath: string;
};

/**
 * Throws `billing.already_subscribed` for a user with a subscription, and `billing.payment_open`, `billing.payment_processing` or
 * `billing.subscription_paused` for one whose subscription awaits a payment.
 */
export const PLAN_SALE: Sale = {
  kind: 'plan',
  assertCanBuy,
  findItem: async ({ offer }) => ({ ...(await offer.getSellablePrice()), credits: null }),
  successPath: '/payments/success',
  cancelPath: '/payments/cancel',
};

/** A pack is sold to every user, whatever the plan and however often: it has nothing to do with a subscription. */
export const PACK_SALE: Sale = {
  kind: 'pack',
  assertCanBuy: (parts, { userId }) => getSubscriber(parts, userId),
  findItem: ({ packSale }) => packSale.getSellable(),
  successPath: '/credits/pack',
  cancelPath: '/credits',
};
