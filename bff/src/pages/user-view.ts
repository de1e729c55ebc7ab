import { billingEndpoints, type SubscriptionReply } from '@shortlist/contracts/api/billing';
import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { type Profile, profileEndpoints } from '@shortlist/contracts/api/profile';
import type { CreditsView, UserView } from '@shortlist/contracts/api/public';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Services } from '../services.ts';

type Parts = { profile: Profile; subscription: SubscriptionReply; credits: CreditsView };

const present = ({ profile, subscription: { data }, credits }: Parts): UserView => ({
  ...profile,
  plan: data.plan,
  last_credit_reset: data.periodStart,
  current_period_start: data.periodStart,
  current_period_end: data.periodEnd,
  stripe_customer_id: data.customerId,
  composed: credits.used,
  subscription: { startDate: data.periodStart, endDate: data.periodEnd, isPremium: data.plan === 'premium' },
});

/**
 * A person as their screens show them, from profile, billing and credits. credits is asked for at least the plan that billing
 * has just shown, so that nobody sees last month's credits beside this month's plan.
 */
export const composeUser = async (
  services: Services,
  id: string,
  { caller, ...known }: { caller: Caller } & Partial<Pick<Parts, 'profile' | 'subscription'>>,
): Promise<UserView> => {
  const [profile, subscription] = await Promise.all([
    known.profile ??
      services.profile(profileEndpoints.getProfile, { id }, { caller }).then(({ data }) => data),
    known.subscription ?? services.billing(billingEndpoints.getSubscription, { userId: id }, { caller }),
  ]);
  const planVersion = subscription.planState.version;
  const credits = await services.credits(
    creditsEndpoints.getCredits,
    { userId: id, planVersion },
    { caller },
  );
  return present({ profile, subscription, credits });
};
