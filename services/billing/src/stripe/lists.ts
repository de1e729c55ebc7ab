// Stripe's lists, page by page, at a hundred objects a call, for reconciliation.
import type { Stripe } from 'stripe';
import { storedPayload } from './event-object.ts';
import { customerOfObject, isOurSubscription, periodEndOf, toSubscription } from './from-stripe.ts';
import type { SubscriptionSnapshot } from './snapshot.ts';

export type ListedEvent = {
  eventId: string;
  type: string;
  customerId: string | null;
  payload: string;
  createdAt: Date;
};
export type ListedSubscription = SubscriptionSnapshot & { customerId: string; periodEnd: Date };
/** `next` is the cursor of the following page, null after the last. */
export type Page<T> = { data: T[]; next: string | null };

export const PAGE = 100;

export const pageOf = <From extends { id: string }, To>(
  list: { data: From[]; has_more: boolean },
  to: (from: From) => To[],
): Page<To> => ({
  data: list.data.flatMap(to),
  next: list.has_more ? (list.data.at(-1)?.id ?? null) : null,
});

export const after = (cursor: string | null) => (cursor === null ? {} : { starting_after: cursor });

const toListed = (subscription: Stripe.Subscription): ListedSubscription[] => {
  const customerId = customerOfObject(subscription);
  if (!isOurSubscription(subscription) || customerId === null) return [];
  return [{ ...toSubscription(subscription), customerId, periodEnd: periodEndOf(subscription) }];
};

/** Subscriptions at our prices, newest first, including ended ones. */
export const listSubscriptions = async (
  stripe: Stripe,
  cursor: string | null,
): Promise<Page<ListedSubscription>> =>
  pageOf(await stripe.subscriptions.list({ status: 'all', limit: PAGE, ...after(cursor) }), toListed);

export type EventFilter = { types: readonly string[]; since: Date; cursor: string | null };

/** Events of these types, newest first. Stripe keeps them for thirty days. */
export const listEvents = async (
  stripe: Stripe,
  { types, since, cursor }: EventFilter,
): Promise<Page<ListedEvent>> => {
  const created = { gte: Math.floor(since.getTime() / 1_000) };
  const list = await stripe.events.list({ types: [...types], created, limit: PAGE, ...after(cursor) });
  return pageOf(list, (event) => [
    {
      eventId: event.id,
      type: event.type,
      customerId: customerOfObject(event.data.object),
      payload: storedPayload(event),
      createdAt: new Date(event.created * 1_000),
    },
  ]);
};
