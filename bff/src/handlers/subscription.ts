import { billingEndpoints, type SubscriptionReply } from '@shortlist/contracts/api/billing';
import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { unconfirmedEndpoints } from '@shortlist/contracts/api/email';
import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { type Profile, profileEndpoints, type UserView } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { fullName } from '@shortlist/contracts/messages';
import { asService } from '@shortlist/kit/http/http-client';
import type { Caller } from '@shortlist/kit/http/service-token';
import { AppError, createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { composed, type Route } from '../http/endpoint.ts';
import type { Limits } from '../limits/limits.ts';
import type { Xsrf } from '../session/xsrf.ts';
import { PROVIDER_TIMEOUT_MS, type Services } from '../services.ts';
import type { AssertVerified } from './sign-up.ts';
import { composeUser } from './users.ts';

type Parts = {
  services: Services;
  log: Log;
  limits: Limits;
  xsrf: Xsrf;
  assertVerified: AssertVerified;
};

export const getProfile = async (services: Services, id: string, caller: Caller): Promise<Profile> =>
  (await services.profile(profileEndpoints.getProfile, { id }, { caller })).data;

/** Before an account gets a plan or pays for a pack: from then on it is kept although its address is not confirmed. */
export const keepAccount = async ({ services }: { services: Services }, userId: string): Promise<void> => {
  await services.identity(unconfirmedEndpoints.keepAccount, { userId, keptFor: 'plan' }, asService());
};

export const customerOf = (profile: Profile) => ({
  userId: profile.id,
  email: profile.email,
  name: fullName(profile),
});

type Change = { caller: Caller; subscription: SubscriptionReply; profile?: Profile };

/** Updates the directory's copy of the plan, so that the next list shows it. */
const storeCopy = async (
  { services, log }: Parts,
  id: string,
  { planState, data }: SubscriptionReply,
): Promise<void> => {
  await services
    .profile(profileEndpoints.storePlan, { id, planState, problem: data.problem?.kind ?? null }, asService())
    .catch((error: unknown) => log.warn({ err: error }, 'plan copy not stored; its event will update it'));
};

/** The user after a change of plan. */
const presentChange = async (parts: Parts, id: string, change: Change): Promise<UserView> => {
  await storeCopy(parts, id, change.subscription);
  return composeUser(parts.services, id, change);
};

/** What users change of their own subscription, and what they read about it at the payment provider. */
const ownPlanEndpoints = (parts: Parts): Route[] => {
  const { billing } = parts.services;
  /** Counts a call that leads to the provider, and returns its options. */
  const atProvider = async (caller: Caller, userId: string) => {
    await parts.limits.atProvider.consume(userId);
    return { caller, timeoutMs: PROVIDER_TIMEOUT_MS };
  };
  const change = async (id: string, call: Promise<SubscriptionReply>) => {
    const subscription = await call;
    await storeCopy(parts, id, subscription);
    return { data: subscription.data };
  };
  return [
    composed(publicEndpoints.cancelPlan, async ({ input, caller, userId }) => {
      const options = await atProvider(caller, userId);
      return change(userId, billing(billingEndpoints.revokePlan, { userId, ...input }, options));
    }),

    composed(publicEndpoints.resumePlan, async ({ caller, userId }) => {
      const options = await atProvider(caller, userId);
      return change(userId, billing(billingEndpoints.resumePlan, { userId }, options));
    }),

    composed(publicEndpoints.previewInterval, async ({ input, caller, userId }) => {
      const options = await atProvider(caller, userId);
      return billing(billingEndpoints.previewInterval, { userId, ...input }, options);
    }),

    composed(publicEndpoints.changeInterval, async ({ input, caller, userId }) => {
      const options = await atProvider(caller, userId);
      return change(userId, billing(billingEndpoints.changeInterval, { userId, ...input }, options));
    }),

    composed(publicEndpoints.keepInterval, async ({ caller, userId }) => {
      const options = await atProvider(caller, userId);
      return change(userId, billing(billingEndpoints.keepInterval, { userId }, options));
    }),

    composed(publicEndpoints.refreshPlan, async ({ caller, userId }) => {
      const options = await atProvider(caller, userId);
      return change(userId, billing(billingEndpoints.refreshSubscription, { userId }, options));
    }),

    composed(publicEndpoints.openInvoiceFile, async ({ input: { invoiceId }, caller, userId }) => {
      const options = await atProvider(caller, userId);
      return billing(billingEndpoints.openInvoiceFile, { userId, invoiceId }, options);
    }),
  ];
};

const userEndpoints = (parts: Parts): Route[] => {
  const { services, xsrf, assertVerified } = parts;
  return [
    composed(publicEndpoints.subscription, async ({ caller, userId }) => {
      const input = { userId };
      const { data } = await services.billing(billingEndpoints.getSubscription, input, { caller });
      return { data };
    }),

    // The email in the query is ignored: a checkout is for the user of the session.
    composed(publicEndpoints.subscribe, async ({ request, input: { interval }, caller, userId }) => {
      xsrf.assertChange(request); // a GET that opens a checkout
      await assertVerified('checkout', caller);
      const customer = customerOf(await getProfile(services, userId, caller));
      await keepAccount(parts, userId);
      const order = interval === undefined ? customer : { ...customer, interval };
      return services.billing(billingEndpoints.openCheckout, order, {
        caller,
        timeoutMs: PROVIDER_TIMEOUT_MS,
      });
    }),

    // `user` is part of the specified call and ignored: the session says who paid, Stripe says whether.
    composed(publicEndpoints.confirmPayment, async ({ input, caller, userId: id }) => {
      const subscription = await services.billing(
        billingEndpoints.confirmCheckout,
        { userId: id, sessionId: input.xsl },
        { caller, timeoutMs: PROVIDER_TIMEOUT_MS },
      );
      const data = await presentChange(parts, id, { caller, subscription });
      return { message: 'payment confirmed', data };
    }),
  ];
};

const portalEndpoint = ({ services }: Parts): Route =>
  composed(publicEndpoints.billingPortal, ({ input: { id: customerId, ...input }, caller, userId }) =>
    services.billing(
      billingEndpoints.openPortal,
      { userId, customerId, ...input },
      { caller, timeoutMs: PROVIDER_TIMEOUT_MS },
    ),
  );

const unsubscribeFailed = (error: unknown): AppError => {
  if (error instanceof AppError && error.status < 500) return error;
  return createError('billing.unsubscribe_failed', { cause: error });
};

const adminEndpoints = (parts: Parts): Route[] => {
  const { services } = parts;
  return [
    composed(publicEndpoints.grantPlan, async ({ input, caller }) => {
      const id = input.userId;
      const profile = await getProfile(services, id, caller);
      await keepAccount(parts, id);
      const grant = { ...input, ...customerOf(profile) };
      const subscription = await services.billing(billingEndpoints.grantPlan, grant, { caller });
      const data = await presentChange(parts, id, { caller, subscription, profile });
      return { message: 'premium', data };
    }),

    composed(publicEndpoints.resumeUserPlan, async ({ input, caller }) => {
      const id = input.userId;
      const { data: deletion } = await services.identity(privacyEndpoints.getDeletion, { id }, { caller });
      // The user would pay for another month of an account that is about to be deleted.
      if (deletion !== null) throw createError('identity.deletion_requested');
      const options = { caller, timeoutMs: PROVIDER_TIMEOUT_MS };
      const subscription = await services.billing(billingEndpoints.resumePlan, input, options);
      return { message: 'resumed', data: await presentChange(parts, id, { caller, subscription }) };
    }),

    composed(publicEndpoints.revokePlan, async ({ input: revocation, caller }) => {
      const id = revocation.userId;
      const subscription = await services
        .billing(billingEndpoints.revokePlan, revocation, { caller, timeoutMs: PROVIDER_TIMEOUT_MS })
        .catch((error: unknown) => {
          throw unsubscribeFailed(error);
        });
      const data = await presentChange(parts, id, { caller, subscription });
      return { message: data.plan === 'free' ? 'unsubscribed' : 'ends at period end', data };
    }),
  ];
};

export const subscriptionEndpoints = (parts: Parts): Route[] => [
  ...userEndpoints(parts),
  ...ownPlanEndpoints(parts),
  portalEndpoint(parts),
  ...adminEndpoints(parts),
];

export const creditsEndpoint = ({ credits }: Services): Route =>
  composed(publicEndpoints.credits, ({ caller, userId }) =>
    credits(creditsEndpoints.getCredits, { userId }, { caller }),
  );
