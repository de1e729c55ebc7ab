import { addAuditEndpoint } from '@shortlist/audit/routes';
import type { Metrics } from '@shortlist/kit/process/metrics';
import type { Service } from '@shortlist/kit/service';
import { billingHandlers } from './consumers.ts';
import { schema } from './db.ts';
import { addEarningsEndpoints } from './earnings/routes.ts';
import type { StripeGateway } from './stripe/gateway.ts';
import { SETTLED_EVENTS } from './stripe/inbox.ts';
import type { Intake } from './stripe/intake.ts';
import type { ProcessParts } from './stripe/process-event.ts';
import { addStripeEndpoints, addWebhook } from './stripe/routes.ts';
import type { SignatureCheck } from './stripe/signature.ts';
import { addSubscriptionEndpoints } from './subscriptions/routes.ts';

type Parts = Omit<ProcessParts, 'stripe'> & {
  metrics: Metrics;
  publicUrl: string;
  checkSignature: SignatureCheck;
  /** Whether the provider's key is one for real money; events of the other kind are kept and ignored. */
  live: boolean;
  intake: Intake;
  /** The provider with a short limit for those who wait for an answer, and with a long one for work behind it. */
  interactive: StripeGateway;
  background: StripeGateway;
};

/** billing: customers, subscriptions and payments; the only one that knows the provider. */
export const createBillingService = (parts: Parts): Service => {
  const behind: ProcessParts = { ...parts, stripe: parts.background };
  return {
    name: 'billing',
    ...schema,
    handlers: billingHandlers(behind),
    prune: [SETTLED_EVENTS],
    rawRoutes: (app) =>
      addWebhook(app, {
        ...behind,
        checkSignature: parts.checkSignature,
        intake: parts.intake,
        live: parts.live,
        metrics: parts.metrics,
      }),
    endpoints: (router) => {
      addSubscriptionEndpoints(router, { ...parts, stripe: parts.interactive });
      addStripeEndpoints(router, behind);
      addEarningsEndpoints(router, parts);
      addAuditEndpoint(router, parts.db);
    },
  };
};
