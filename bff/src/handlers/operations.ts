import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { composed, type Route } from '../http/endpoint.ts';
import type { Services } from '../upstream/services.ts';

/** What needs an operator: the last checks of the set-up at Stripe, and the alerts. */
export const systemEndpoint = ({ billing }: Services): Route =>
  composed(publicEndpoints.system, async ({ caller }) => {
    const [setup, alerts] = await Promise.all([
      billing(billingEndpoints.getStripeSetup, {}, { caller }),
      billing(billingEndpoints.listAlerts, {}, { caller }),
    ]);
    return { data: { stripe: setup.data, alerts: alerts.data } };
  });
