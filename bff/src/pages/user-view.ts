import { billingEndpoints, type SubscriptionReply } from '@shortlist/contracts/api/billing';
import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { type Profile, profileEndpoints } from '@shortlist/contracts/api/profile';
import type { CreditsView, UserView } from '@shortlist/contracts/api/public';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Services } from '../upstream/services.ts';

type Parts = { profile: Profile; subscription: SubscriptionReply; credits: CreditsView };

const present = ({ profile, subscription: { data, outlook }, credits }: Parts): UserView => ({
  ...profile,
  plan: data.plan,
  last_credit_reset: data.periodStart,
  current_period_start: data.periodStart,
  current_period_end: data.periodEnd,
  stripe_customer_id: data.customerId,
  composed: credits.used,
  subscription: {
    startDate: data.periodStart,
    endDate: data.periodEnd,
    isPremium: data.plan === 'premium',
    continuation: outlook?.continuation ?? null,
    premiumUntil: outlook?.premiumUntil ?? null,
  },
});

type Known = { caller: Caller; profile?: Profile; subscription?: SubscriptionReply };

/**
 * The user as screens show them, from profile, billing and credits; pass what the caller has already read. credits is called
 * with the plan version that billing returned, so that the two never show different periods.
 */
export const composeUser = async (
  services: Services,
  id: string,
  { caller, ...known }: Known,
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
