import { isPremium, listSubscribers, parse, type Subscriber } from './plans.ts';
import type { Breach, Invariant, Sources } from './sources.ts';

type Listed = { id: string; customer: string; status: string };
type Page = { data: Listed[]; has_more: boolean };

const OVER = new Set(['canceled', 'unpaid', 'incomplete', 'incomplete_expired']);

/** What goes on at the provider, page by page. */
const listGoingOn = async ({ sandboxUrl, stripeKey }: Sources): Promise<Listed[]> => {
  const found: Listed[] = [];
  for (let after = ''; ; after = `&starting_after=${found.at(-1)?.id ?? ''}`) {
    const response = await fetch(`${sandboxUrl}/v1/subscriptions?status=all&limit=100${after}`, {
      headers: { authorization: `Bearer ${stripeKey}` },
      signal: AbortSignal.timeout(10_000),
    });
    const page = (await response.json()) as Page;
    found.push(...page.data);
    if (!page.has_more) return found.filter(({ status }) => !OVER.has(status));
  }
};

const wrongHere = ({ id, status }: Listed, subscriber: Subscriber | undefined, now: Date): string | null => {
  if (subscriber?.deletedAt) return `${id} goes on for ${subscriber.userId}, who is deleted`;
  const isShort = status === 'active' && !(subscriber && isPremium(subscriber, now));
  return isShort
    ? `${id} is active at the provider and ${subscriber?.userId ?? 'nobody'} is not premium`
    : null;
};

/** Whether we hold that the provider will collect the next period from them. */
const isCollected = ({ paid, deletedAt }: Subscriber): boolean => {
  const graceUntil = parse(paid)?.graceUntil;
  return deletedAt === null && graceUntil !== null && graceUntil !== undefined;
};

/**
 * V1 Whoever the provider takes money from is premium here, nobody who is gone is still charged, and where we count on a renewal
 * there is something to renew.
 */
export const providerAgrees: Invariant = async (sources) => {
  const { now } = sources;
  const subscribers = await listSubscribers(sources);
  const byCustomer = new Map(subscribers.map((subscriber) => [subscriber.customerId, subscriber]));
  const goingOn = await listGoingOn(sources);
  const charged = new Set(goingOn.map(({ customer }) => customer));
  const here = goingOn.map((one) => wrongHere(one, byCustomer.get(one.customer), now));
  const there = subscribers
    .filter((one) => isCollected(one) && isPremium({ ...one, granted: null }, now))
    .filter(({ customerId }) => !charged.has(customerId ?? ''))
    .map(({ userId }) => `${userId} is premium by a subscription that does not go on at the provider`);
  return [...here.filter((what) => what !== null), ...there].map((what): Breach => ({
    invariant: 'V1',
    what,
  }));
};
