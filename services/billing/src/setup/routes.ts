import Joi from 'joi';
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import type { Router } from '@shortlist/kit/http/router';
import type { SetupMonitor } from './setup-monitor.ts';

export const addSetupEndpoints = (router: Router, { setup }: { setup: SetupMonitor }): void => {
  router.add(billingEndpoints.getStripeSetup, {
    roles: ['admin'],
    input: Joi.object<Record<never, never>>({}),
    handle: () => Promise.resolve({ data: setup.current() }),
  });
};
