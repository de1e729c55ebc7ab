import { addAuditEndpoint } from '@shortlist/audit/audit-log';
import { startSealing } from '@shortlist/audit/chain';
import { addTimelineEndpoint } from '@shortlist/audit/timeline';
import { dataExportEndpoints } from '@shortlist/contracts/api/privacy';
import type { StripeStatus } from '@shortlist/contracts/api/system';
import { topicsOf } from '@shortlist/contracts/events/catalogue';
import { inTransaction } from '@shortlist/kit/data/db';
import { addSectionEndpoint } from '@shortlist/kit/http/section-endpoint';
import type { Metrics } from '@shortlist/kit/process/metrics';
import type { Service } from '@shortlist/kit/service';
import { countAlertsIn } from './alerts/raise-alert.ts';
import { billingHandlers } from './consumers.ts';
import { schema } from './db.ts';
import { eraseUser } from './erase-user.ts';
import { exportSections } from './export-sections.ts';
import {
  addAlertEndpoints,
  addCheckoutEndpoints,
  addEarningsEndpoints,
  addIntervalEndpoints,
  addInvoiceEndpoints,
  addOfferEndpoints,
  addPackEndpoints,
  addPlanEndpoints,
  addPlanMaintenanceEndpoints,
  addSetupEndpoints,
  addSubscriptionEndpoints,
  addSyncEndpoints,
} from './routes.ts';
import { addPaymentEndpoints } from './payments/routes.ts';
import { addRevenueEndpoints } from './revenue/routes.ts';
import type { PackSale } from './packs/pack-offer.ts';
import type { SetupMonitor } from './setup/setup-monitor.ts';
import type { StripeGateway } from './stripe/gateway.ts';
import type { SignatureCheck } from './stripe/stripe-event.ts';
import type { Offer } from './subscriptions/offer.ts';
import type { RefreshParts } from './refresh/refresh-subscriber.ts';
import { addWebhook, type Intake, measureInbox } from './inbox/receive-event.ts';
import { SETTLED_EVENTS } from './records/event-queries.ts';
import { addStripeEventEndpoints } from './status/routes.ts';
import { OLD_TRIALS } from './trials/queries.ts';
import { timelineLists } from './timeline/list-events.ts';

type Parts = Omit<RefreshParts, 'stripe'> & {
  metrics: Metrics;
  publicUrl: string;
  offer: Offer;
  packSale: PackSale;
  setup: SetupMonitor;
  /** The currency of the earnings. */
  currency: string;
  checkSignature: SignatureCheck;
  live: boolean;
  intake: Intake;
  /** The calls to Stripe in the present second, and the budget. */
  readCalls: () => Promise<StripeStatus['calls']>;
  /** Stripe with the short timeout for users' requests, and with the long one for background work. */
  interactive: StripeGateway;
  background: StripeGateway;
};

/** billing: customers, subscriptions and payments; the only service that uses Stripe. */
export const createBillingService = (parts: Parts): Service => {
  const interactive = { ...parts, stripe: parts.interactive };
  const background = { ...parts, stripe: parts.background };
  countAlertsIn(parts.metrics, parts.db);
  measureInbox(parts.metrics, parts);
  return {
    name: 'billing',
    topics: topicsOf('billing'),
    ...schema,
    background: startSealing,
    handlers: billingHandlers(background),
    // Reconciliation closes the user at Stripe, within a minute.
    eraseAgain: ({ userId: subject, deletedAt }) =>
      inTransaction(parts.db, (tx) => eraseUser(tx, { subject, time: deletedAt.toISOString() })),
    prune: [SETTLED_EVENTS, OLD_TRIALS],
    rawRoutes: (app) => addWebhook(app, background),
    endpoints: (router) => {
      addOfferEndpoints(router, parts);
      addSetupEndpoints(router, parts);
      addSubscriptionEndpoints(router, parts);
      addInvoiceEndpoints(router, interactive);
      addPaymentEndpoints(router, interactive);
      addCheckoutEndpoints(router, interactive);
      addPackEndpoints(router, interactive);
      addPlanEndpoints(router, interactive);
      addIntervalEndpoints(router, interactive);
      addPlanMaintenanceEndpoints(router, background);
      addSyncEndpoints(router, background);
      addStripeEventEndpoints(router, interactive);
      addEarningsEndpoints(router, parts);
      addRevenueEndpoints(router, parts);
      addAlertEndpoints(router, parts);
      addAuditEndpoint(router, parts.db);
      addTimelineEndpoint(router, parts.db, timelineLists(parts.db.manager));
      addSectionEndpoint(router, dataExportEndpoints.billing, exportSections(parts));
    },
  };
};
