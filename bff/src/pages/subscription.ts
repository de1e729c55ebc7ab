import Joi from 'joi';
import { billingDoors, type SubscriptionReply } from '@shortlist/contracts/api/billing';
import { profileDoors } from '@shortlist/contracts/api/profile';
import { publicDoors, type UserView } from '@shortlist/contracts/api/public';
import { userId } from '@shortlist/contracts/schemas/text';
import type { Doors } from '@shortlist/kit/doors';
import { CodedError, coded } from '@shortlist/kit/errors';
import type { Log } from '@shortlist/kit/log';
import type { Caller } from '@shortlist/kit/service-token';
import { OWN, type Services } from '../services.ts';
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
  if (id === null) throw coded('session.missing');
  return id;
};

const getPerson = async (services: Services, id: string, caller: Caller) => {
  const { data } = await services.profile(profileDoors.getProfile, { id }, { caller });
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
    .profile(profileDoors.keepPlan, { id, planState }, { caller: OWN })
    .catch((error: unknown) => log.warn({ err: error }, 'copy follows by its fact'));
  return composeUser(services, id, at);
};

const addPersonsDoors = (doors: Doors, { services, xsrf }: Parts): void => {
  doors.add(publicDoors.subscription, {
    roles: ['user'],
    input: Joi.object<Record<never, never>>({}),
    answer: async ({ caller }) => {
      const { data } = await services.billing(
        billingDoors.getSubscription,
        { userId: ownId(caller) },
        { caller },
      );
      return { data };
    },
  });

  // The address in the query is not believed: a checkout is for the person of the session.
  doors.add(publicDoors.subscribe, {
    roles: ['user'],
    input: Joi.object<{ email?: string }, true>({ email: Joi.string().max(254).allow('') }),
    answer: async ({ request, caller }) => {
      xsrf.assertChange(request); // it opens a checkout, for all that it is a GET
      const person = await getPerson(services, ownId(caller), caller);
      return services.billing(billingDoors.openCheckout, person, { caller, timeoutMs: PROVIDER_MS });
    },
  });
};

const addPaymentDoors = (doors: Doors, parts: Parts): void => {
  const { services } = parts;

  // `user` is part of the agreed call and says nothing: who paid is the session's word, that it was paid the provider's.
  doors.add(publicDoors.confirmPayment, {
    roles: ['user'],
    input: Joi.object<{ user?: unknown; xsl: string }, true>({
      user: Joi.any() as never,
      xsl: providerId('This payment link is not complete'),
    }),
    answer: async ({ input, caller }) => {
      const id = ownId(caller);
      const asked = { userId: id, sessionId: input.xsl };
      const subscription = await services.billing(billingDoors.confirmCheckout, asked, {
        caller,
        timeoutMs: PROVIDER_MS,
      });
      return {
        message: 'payment confirmed',
        data: await viewAfterChange(parts, id, { caller, subscription }),
      };
    },
  });

  doors.add(publicDoors.billingPortal, {
    roles: ['user'],
    input: Joi.object<{ id: string }, true>({ id: providerId('There is no such billing customer.') }),
    answer: ({ input, caller }) =>
      services.billing(
        billingDoors.openPortal,
        { userId: ownId(caller), customerId: input.id },
        { caller, timeoutMs: PROVIDER_MS },
      ),
  });
};

const unsubscribeFailed = (error: unknown): CodedError => {
  if (error instanceof CodedError && error.status < 500) return error;
  return coded('billing.unsubscribe_failed', { cause: error });
};

const addAdminsDoors = (doors: Doors, parts: Parts): void => {
  const { services } = parts;
  const input = Joi.object<{ userId: string }, true>({ userId });

  doors.add(publicDoors.grantPlan, {
    roles: ['admin'],
    input,
    answer: async ({ input: { userId: id }, caller }) => {
      const subscription = await services.billing(
        billingDoors.grantPlan,
        await getPerson(services, id, caller),
        { caller },
      );
      return { message: 'premium', data: await viewAfterChange(parts, id, { caller, subscription }) };
    },
  });

  doors.add(publicDoors.revokePlan, {
    roles: ['admin'],
    input,
    answer: async ({ input: { userId: id }, caller }) => {
      const subscription = await services
        .billing(billingDoors.revokePlan, { userId: id }, { caller, timeoutMs: PROVIDER_MS })
        .catch((error: unknown) => {
          throw unsubscribeFailed(error);
        });
      return { message: 'unsubscribed', data: await viewAfterChange(parts, id, { caller, subscription }) };
    },
  });
};

export const addSubscriptionDoors = (doors: Doors, parts: Parts): void => {
  addPersonsDoors(doors, parts);
  addPaymentDoors(doors, parts);
  addAdminsDoors(doors, parts);
};
