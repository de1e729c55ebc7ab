// The provider's own lists, page by page: what reconciliation compares with, at a hundred objects a call.
import type { Stripe } from 'stripe';
import { customerOfObject, isOurSubscription, periodEndOf, toSubscription } from './from-stripe.ts';
import { PLAN_EVENTS } from './webhook-table.ts';

export type ListedEvent = { eventId: string; type: string; customerId: string | null; payload: string };
export type ListedSubscription = {
  id: string;
  customerId: string;
  status: string;
  renews: boolean;
  periodEnd: Date;
};
/** `next` names where the following page begins, null after the last. */
export type Page<T> = { data: T[]; next: string | null };

const PAGE = 100;

const pageOf = <From extends { id: string }, To>(
  list: { data: From[]; has_more: boolean },
  to: (from: From) => To[],
): Page<To> => ({
  data: list.data.flatMap(to),
  next: list.has_more ? (list.data.at(-1)?.id ?? null) : null,
});

const after = (cursor: string | null) => (cursor === null ? {} : { starting_after: cursor });

const toListed = (subscription: Stripe.Subscription): ListedSubscription[] => {
  const customerId = customerOfObject(subscription);
  if (!isOurSubscription(subscription) || customerId === null) return [];
  const { id, status, renews } = toSubscription(subscription);
  return [{ id, status, renews, customerId, periodEnd: periodEndOf(subscription) }];
};

/** Our subscriptions, newest first, ended ones too. */
export const listSubscriptions = async (
  stripe: Stripe,
  cursor: string | null,
): Promise<Page<ListedSubscription>> =>
  pageOf(await stripe.subscriptions.list({ status: 'all', limit: PAGE, ...after(cursor) }), toListed);

/** The events since a moment that can change a plan, newest first. The provider keeps them for thirty days. */
export const listEvents = async (
  stripe: Stripe,
  { since, cursor }: { since: Date; cursor: string | null },
): Promise<Page<ListedEvent>> => {
  const created = { gte: Math.floor(since.getTime() / 1_000) };
  const list = await stripe.events.list({ types: [...PLAN_EVENTS], created, limit: PAGE, ...after(cursor) });
  return pageOf(list, (event) => [
    {
      eventId: event.id,
      type: event.type,
      customerId: customerOfObject(event.data.object),
      payload: JSON.stringify(event),
    },
  ]);
};
