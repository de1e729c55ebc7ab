import { isPromisedTrial, listAll } from './provider-fields.ts';
import { isPremium, listSubscribers, parse, type Subscriber } from './plans.ts';
import { defineInvariant, type Provider } from './sources.ts';

type ProviderSubscription = {
  id: string;
  customer: string;
  status: string;
  start_date: number;
  trial_end: number | null;
  metadata?: Record<string, string>;
};
const ENDED = new Set(['canceled', 'unpaid', 'incomplete', 'incomplete_expired']);

/** Returns all subscriptions at the provider that have not ended. */
const listActive = async (provider: Provider): Promise<ProviderSubscription[]> =>
  (await listAll<ProviderSubscription>(provider, 'subscriptions?status=all')).filter(
    ({ status }) => !ENDED.has(status),
  );

/** Whether it is in a trial that our checkout promised. */
const isOurTrial = ({ status, metadata, start_date: start, trial_end: end }: ProviderSubscription): boolean =>
  status === 'trialing' && isPromisedTrial(metadata, (end ?? Infinity) - start);

const problemOf = (
  subscription: ProviderSubscription,
  subscriber: Subscriber | undefined,
  now: Date,
): string | null => {
  const { id, status } = subscription;
  if (subscriber?.deletedAt) return `${id} continues for ${subscriber.userId}, who is deleted`;
  const isGiven = status === 'active' || isOurTrial(subscription);
  const isNotPremium = isGiven && !(subscriber && isPremium(subscriber, now));
  return isNotPremium
    ? `${id} is ${status} at the provider and ${subscriber?.userId ?? 'its unknown user'} is not premium`
    : null;
};

/** Whether billing expects the provider to charge for the next period. */
const isRenewing = ({ paid, deletedAt }: Subscriber): boolean => {
  const graceUntil = parse(paid)?.graceUntil;
  return deletedAt === null && graceUntil !== null && graceUntil !== undefined;
};

/**
 * V1 Each user whom the provider charges, or who is in a trial of ours, is premium, no deleted user is charged, and each expected renewal has a subscription at
 * the provider.
 */
export const providerAgrees = defineInvariant({
  id: 'V1',
  about: 'plans and the provider’s subscriptions agree',
  needs: ['billing', 'provider'],
  find: async ({ billing, provider, now }) => {
    const subscribers = await listSubscribers(billing);
    const byCustomer = new Map(subscribers.map((subscriber) => [subscriber.customerId, subscriber]));
    const active = await listActive(provider);
    const charged = new Set(active.map(({ customer }) => customer));
    const atProvider = active.map((subscription) =>
      problemOf(subscription, byCustomer.get(subscription.customer), now),
    );
    const inBilling = subscribers
      .filter((subscriber) => isRenewing(subscriber) && isPremium({ ...subscriber, granted: null }, now))
      .filter(({ customerId }) => !charged.has(customerId ?? ''))
      .map(({ userId }) => `${userId} is premium by a subscription that has ended at the provider`);
    return [...atProvider.filter((detail) => detail !== null), ...inBilling];
  },
});
