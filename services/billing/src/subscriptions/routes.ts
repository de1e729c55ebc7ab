import Joi from 'joi';
import { billingDoors } from '@shortlist/contracts/api/billing';
import { userId } from '@shortlist/contracts/schemas/text';
import { inTransaction } from '@shortlist/kit/db';
import type { Doors } from '@shortlist/kit/doors';
import { coded } from '@shortlist/kit/errors';
import { confirmCheckout } from '../checkout/confirm-checkout.ts';
import { type CheckoutParts, openCheckout } from '../checkout/open-checkout.ts';
import { grantPlan } from './grant-plan.ts';
import { inTime } from './in-time.ts';
import { findSubscriber, insertSubscriberIfAbsent } from './queries.ts';
import { readSubscription } from './read-subscription.ts';
import { revokePlan } from './revoke-plan.ts';

type ForUser = { userId: string };
const forUser = Joi.object<ForUser, true>({ userId });
type Person = ForUser & { email: string; name: string };
const person = forUser.append<Person>({
  email: Joi.string().max(254).required(),
  name: Joi.string().max(210).required(),
});
const owner = (input: ForUser): string => input.userId;
const providerId = Joi.string()
  .pattern(/^[A-Za-z0-9_]{1,100}$/)
  .required();

const addPersonsDoors = (doors: Doors, parts: CheckoutParts): void => {
  doors.add(billingDoors.getSubscription, {
    roles: ['user', 'admin', 'service'],
    input: forUser,
    owner,
    answer: ({ input }) => readSubscription(parts, input.userId),
  });

  doors.add(billingDoors.openCheckout, {
    roles: ['user'],
    input: person,
    owner,
    answer: async ({ input }) => ({ url: await inTime(openCheckout(parts, input)) }),
  });

  doors.add(billingDoors.confirmCheckout, {
    roles: ['user'],
    input: forUser.append<ForUser & { sessionId: string }>({ sessionId: providerId }),
    owner,
    answer: async ({ input }) => {
      await inTime(confirmCheckout(parts, input));
      return readSubscription(parts, input.userId);
    },
  });

  doors.add(billingDoors.openPortal, {
    roles: ['user'],
    input: forUser.append<ForUser & { customerId: string }>({ customerId: providerId }),
    owner,
    answer: async ({ input }) => {
      const subscriber = await findSubscriber(parts.db.manager, input.userId);
      if (subscriber === null || subscriber.customerId !== input.customerId)
        throw coded('billing.customer_not_found');
      const url = await parts.stripe.openPortal(input.customerId, `${parts.publicUrl}/`);
      if (url === null) throw coded('billing.customer_not_found');
      return { url };
    },
  });
};

const addAdminsDoors = (doors: Doors, parts: CheckoutParts): void => {
  doors.add(billingDoors.grantPlan, {
    roles: ['admin'],
    input: person,
    answer: async ({ input, caller }) => {
      await inTransaction(parts.db, async (tx) => {
        await insertSubscriberIfAbsent(tx, input);
        await grantPlan(tx, input.userId, { caller, clock: parts.clock });
      });
      return readSubscription(parts, input.userId);
    },
  });

  doors.add(billingDoors.revokePlan, {
    roles: ['admin'],
    input: forUser,
    answer: async ({ input, caller }) => {
      await inTime(revokePlan(parts, input.userId, caller));
      return readSubscription(parts, input.userId);
    },
  });
};

export const addSubscriptionDoors = (doors: Doors, parts: CheckoutParts): void => {
  addPersonsDoors(doors, parts);
  addAdminsDoors(doors, parts);
};
