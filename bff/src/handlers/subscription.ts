import { billingEndpoints, type SubscriptionReply } from '@shortlist/contracts/api/billing';
import { creditsEndpoints } from '@shortlist/contracts/api/credits';
import { identityEndpoints } from '@shortlist/contracts/api/identity';
import { type Profile, profileEndpoints } from '@shortlist/contracts/api/profile';
import { publicEndpoints, type UserView } from '@shortlist/contracts/api/public';
import { type UnsubscribeInput, unsubscribeRules } from '@shortlist/contracts/schemas/admin';
import { userId } from '@shortlist/contracts/schemas/text';
import type { Caller } from '@shortlist/kit/http/service-token';
import { AppError, createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import Joi from 'joi';
import { composed, handled, type PublicEndpoint } from '../http/endpoint.ts';
import type { Xsrf } from '../session/xsrf.ts';
import { PROVIDER_TIMEOUT_MS, SERVICE_CALLER, type Services } from '../upstream/services.ts';
import type { AssertVerified } from './emails.ts';
import { composeUser } from './users.ts';

type Parts = { services: Services; log: Log; xsrf: Xsrf; assertVerified: AssertVerified };

const providerId = (message: string) =>
  Joi.string()
    .pattern(/^[A-Za-z0-9_]{1,100}$/)
    .required()
    .messages({ '*': message });

const userIdOf = ({ userId: id }: Caller): string => {
  if (id === null) throw createError('session.missing');
  return id;
};

const getProfile = async (services: Services, id: string, caller: Caller): Promise<Profile> =>
  (await services.profile(profileEndpoints.getProfile, { id }, { caller })).data;

/** Before an account gets a plan: from then on it is kept although its address is not confirmed. */
const keepAccount = async ({ services }: Parts, userId: string): Promise<void> => {
  await services.identity(
    identityEndpoints.keepAccount,
    { userId, keptFor: 'plan' },
    { caller: SERVICE_CALLER },
  );
};

const customerOf = ({ id, email, firstName, lastName }: Profile) => ({
  userId: id,
  email,
  name: `${firstName} ${lastName}`,
});

type Change = { caller: Caller; subscription: SubscriptionReply; profile?: Profile };

/** The user after a change of plan. The directory's copy of the plan is updated first, so that the next list shows it. */
const presentChange = async ({ services, log }: Parts, id: string, change: Change): Promise<UserView> => {
  const { planState } = change.subscription;
  await services
    .profile(profileEndpoints.storePlan, { id, planState }, { caller: SERVICE_CALLER })
    .catch((error: unknown) => log.warn({ err: error }, 'plan copy not stored; its event will update it'));
  return composeUser(services, id, change);
};

const userEndpoints = (parts: Parts): PublicEndpoint[] => {
  const { services, xsrf, assertVerified } = parts;
  return [
    handled(publicEndpoints.subscription, {
      roles: ['user'],
      input: Joi.object<Record<never, never>>({}),
      handle: async ({ caller }) => {
        const input = { userId: userIdOf(caller) };
        const { data } = await services.billing(billingEndpoints.getSubscription, input, { caller });
        return { data };
      },
    }),

    // The e-mail address in the query is ignored: a checkout is for the user of the session.
    handled(publicEndpoints.subscribe, {
      roles: ['user'],
      input: Joi.object<{ email?: string }, true>({ email: Joi.string().max(254).allow('') }),
      handle: async ({ request, caller }) => {
        xsrf.assertChange(request); // a GET that opens a checkout
        await assertVerified('checkout', caller);
        const customer = customerOf(await getProfile(services, userIdOf(caller), caller));
        await keepAccount(parts, userIdOf(caller));
        return services.billing(billingEndpoints.openCheckout, customer, {
          caller,
          timeoutMs: PROVIDER_TIMEOUT_MS,
        });
      },
    }),

    // `user` is part of the specified call and ignored: the session says who paid, Stripe says whether.
    handled(publicEndpoints.confirmPayment, {
      roles: ['user'],
      input: Joi.object<{ user?: unknown; xsl: string }, true>({
        user: Joi.any() as never,
        xsl: providerId('This payment link is not complete'),
      }),
      handle: async ({ input, caller }) => {
        const id = userIdOf(caller);
        const subscription = await services.billing(
          billingEndpoints.confirmCheckout,
          { userId: id, sessionId: input.xsl },
          { caller, timeoutMs: PROVIDER_TIMEOUT_MS },
        );
        const data = await presentChange(parts, id, { caller, subscription });
        return { message: 'payment confirmed', data };
      },
    }),
  ];
};

const portalEndpoint = ({ services }: Parts): PublicEndpoint =>
  handled(publicEndpoints.billingPortal, {
    roles: ['user'],
    input: Joi.object<{ id: string }, true>({ id: providerId('There is no such billing customer.') }),
    handle: ({ input, caller }) =>
      services.billing(
        billingEndpoints.openPortal,
        { userId: userIdOf(caller), customerId: input.id },
        { caller, timeoutMs: PROVIDER_TIMEOUT_MS },
      ),
  });

const unsubscribeFailed = (error: unknown): AppError => {
  if (error instanceof AppError && error.status < 500) return error;
  return createError('billing.unsubscribe_failed', { cause: error });
};

const adminEndpoints = (parts: Parts): PublicEndpoint[] => {
  const { services } = parts;
  const input = Joi.object<{ userId: string }, true>({ userId });
  return [
    handled(publicEndpoints.grantPlan, {
      roles: ['admin'],
      permission: 'plan.grant',
      recent: true,
      input,
      handle: async ({ input: { userId: id }, caller }) => {
        const profile = await getProfile(services, id, caller);
        await keepAccount(parts, id);
        const subscription = await services.billing(billingEndpoints.grantPlan, customerOf(profile), {
          caller,
        });
        const data = await presentChange(parts, id, { caller, subscription, profile });
        return { message: 'premium', data };
      },
    }),

    handled(publicEndpoints.revokePlan, {
      roles: ['admin'],
      permission: 'plan.revoke',
      recent: true,
      input: input.append<{ userId: string } & UnsubscribeInput>(unsubscribeRules),
      handle: async ({ input: revocation, caller }) => {
        const id = revocation.userId;
        const subscription = await services
          .billing(billingEndpoints.revokePlan, revocation, { caller, timeoutMs: PROVIDER_TIMEOUT_MS })
          .catch((error: unknown) => {
            throw unsubscribeFailed(error);
          });
        const data = await presentChange(parts, id, { caller, subscription });
        return { message: data.plan === 'free' ? 'unsubscribed' : 'ends at period end', data };
      },
    }),
  ];
};

export const subscriptionEndpoints = (parts: Parts): PublicEndpoint[] => [
  ...userEndpoints(parts),
  portalEndpoint(parts),
  ...adminEndpoints(parts),
];

/** The credits of the plan that billing has now, which may be newer than the last event that credits has consumed. */
export const creditsEndpoint = (services: Services): PublicEndpoint =>
  composed(publicEndpoints.credits, async ({ caller, userId }) => {
    const { planState } = await services.billing(billingEndpoints.getSubscription, { userId }, { caller });
    const input = { userId, planVersion: planState.version };
    return services.credits(creditsEndpoints.getCredits, input, { caller });
  });
