import Joi from 'joi';
import { billingEndpoints, type SubscriptionReply } from '@shortlist/contracts/api/billing';
import { profileEndpoints } from '@shortlist/contracts/api/profile';
import { publicEndpoints, type UserView } from '@shortlist/contracts/api/public';
import { userId } from '@shortlist/contracts/schemas/text';
import type { Router } from '@shortlist/kit/http/router';
import { AppError, createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import type { Caller } from '@shortlist/kit/http/service-token';
import { SERVICE_CALLER, type Services } from '../services.ts';
import type { Xsrf } from '../session/xsrf.ts';
import { composeUser } from './user-view.ts';

type Parts = { services: Services; log: Log; xsrf: Xsrf };

/** Longer than billing's own limit towards the provider, so that its words arrive and not our impatience. */
const PROVIDER_MS = 15_000;

const providerId = (message: string) =>
  Joi.string()
    .pattern(/^[A-Za-z0-9_]{1,100}$/)
    .required()
    .messages({ '*': message });

const ownId = ({ userId: id }: Caller): string => {
  if (id === null) throw createError('session.missing');
  return id;
};

const getPerson = async (services: Services, id: string, caller: Caller) => {
  const { data } = await services.profile(profileEndpoints.getProfile, { id }, { caller });
  return { userId: id, email: data.email, name: `${data.firstName} ${data.lastName}` };
};

/** After a change of plan: the list's copy follows at once, and the person is shown as they are now. */
const viewAfterChange = async (
  { services, log }: Parts,
  id: string,
  at: { caller: Caller; subscription: SubscriptionReply },
): Promise<UserView> => {
  const { planState } = at.subscription;
  await services
    .profile(profileEndpoints.storePlan, { id, planState }, { caller: SERVICE_CALLER })
    .catch((error: unknown) => log.warn({ err: error }, 'copy follows by its fact'));
  return composeUser(services, id, at);
};

const addUserRoutes = (router: Router, { services, xsrf }: Parts): void => {
  router.add(publicEndpoints.subscription, {
    roles: ['user'],
    input: Joi.object<Record<never, never>>({}),
    handle: async ({ caller }) => {
      const { data } = await services.billing(
        billingEndpoints.getSubscription,
        { userId: ownId(caller) },
        { caller },
      );
      return { data };
    },
  });

  // The address in the query is not believed: a checkout is for the person of the session.
  router.add(publicEndpoints.subscribe, {
    roles: ['user'],
    input: Joi.object<{ email?: string }, true>({ email: Joi.string().max(254).allow('') }),
    handle: async ({ request, caller }) => {
      xsrf.assertChange(request); // it opens a checkout, for all that it is a GET
      const person = await getPerson(services, ownId(caller), caller);
      return services.billing(billingEndpoints.openCheckout, person, { caller, timeoutMs: PROVIDER_MS });
    },
  });
};

const addPaymentEndpoints = (router: Router, parts: Parts): void => {
  const { services } = parts;

  // `user` is part of the agreed call and says nothing: who paid is the session's word, that it was paid the provider's.
  router.add(publicEndpoints.confirmPayment, {
    roles: ['user'],
    input: Joi.object<{ user?: unknown; xsl: string }, true>({
      user: Joi.any() as never,
      xsl: providerId('This payment link is not complete'),
    }),
    handle: async ({ input, caller }) => {
      const id = ownId(caller);
      const asked = { userId: id, sessionId: input.xsl };
      const subscription = await services.billing(billingEndpoints.confirmCheckout, asked, {
        caller,
        timeoutMs: PROVIDER_MS,
      });
      return {
        message: 'payment confirmed',
        data: await viewAfterChange(parts, id, { caller, subscription }),
      };
    },
  });

  router.add(publicEndpoints.billingPortal, {
    roles: ['user'],
    input: Joi.object<{ id: string }, true>({ id: providerId('There is no such billing customer.') }),
    handle: ({ input, caller }) =>
      services.billing(
        billingEndpoints.openPortal,
        { userId: ownId(caller), customerId: input.id },
        { caller, timeoutMs: PROVIDER_MS },
      ),
  });
};

const unsubscribeFailed = (error: unknown): AppError => {
  if (error instanceof AppError && error.status < 500) return error;
  return createError('billing.unsubscribe_failed', { cause: error });
};

const addAdminRoutes = (router: Router, parts: Parts): void => {
  const { services } = parts;
  const input = Joi.object<{ userId: string }, true>({ userId });

  router.add(publicEndpoints.grantPlan, {
    roles: ['admin'],
    input,
    handle: async ({ input: { userId: id }, caller }) => {
      const subscription = await services.billing(
        billingEndpoints.grantPlan,
        await getPerson(services, id, caller),
        { caller },
      );
      return { message: 'premium', data: await viewAfterChange(parts, id, { caller, subscription }) };
    },
  });

  router.add(publicEndpoints.revokePlan, {
    roles: ['admin'],
    input,
    handle: async ({ input: { userId: id }, caller }) => {
      const subscription = await services
        .billing(billingEndpoints.revokePlan, { userId: id }, { caller, timeoutMs: PROVIDER_MS })
        .catch((error: unknown) => {
          throw unsubscribeFailed(error);
        });
      return { message: 'unsubscribed', data: await viewAfterChange(parts, id, { caller, subscription }) };
    },
  });
};

export const addSubscriptionEndpoints = (router: Router, parts: Parts): void => {
  addUserRoutes(router, parts);
  addPaymentEndpoints(router, parts);
  addAdminRoutes(router, parts);
};
