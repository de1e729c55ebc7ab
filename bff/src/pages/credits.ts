import Joi from 'joi';
import { billingDoors } from '@shortlist/contracts/api/billing';
import { creditsDoors } from '@shortlist/contracts/api/credits';
import { publicDoors } from '@shortlist/contracts/api/public';
import type { Doors } from '@shortlist/kit/doors';
import { coded } from '@shortlist/kit/errors';
import type { Services } from '../services.ts';

/** Credits of the plan that billing shows now, not of the one that credits last heard of. */
export const addCreditsDoor = (doors: Doors, services: Services): void => {
  doors.add(publicDoors.credits, {
    roles: ['user'],
    input: Joi.object<Record<never, never>>({}),
    answer: async ({ caller }) => {
      if (caller.userId === null) throw coded('session.missing');
      const { userId } = caller;
      const { planState } = await services.billing(billingDoors.getSubscription, { userId }, { caller });
      return services.credits(
        creditsDoors.getCredits,
        { userId, planVersion: planState.version },
        { caller },
      );
    },
  });
};
