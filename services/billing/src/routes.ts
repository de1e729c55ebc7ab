import { billingEndpoints } from '@shortlist/contracts/api/billing';
import type { EarningsPeriod } from '@shortlist/contracts/earnings';
import { type UnsubscribeInput, unsubscribeRules } from '@shortlist/contracts/schemas/admin';
import { timeZoneSchema, userId } from '@shortlist/contracts/schemas/text';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import Joi from 'joi';
import { listAlerts, presentAlert } from './alerts/queries.ts';
import { settleAlert } from './alerts/settle-alert.ts';
import { confirmCheckout } from './checkout/confirm-checkout.ts';
import { type CheckoutParts, openCheckout, openPortal } from './checkout/open-checkout.ts';
import { readEarnings } from './earnings/read-earnings.ts';
import { endDuePlans } from './plans/end-due-plans.ts';
import { endRenewal } from './plans/end-renewal.ts';
import { grantPlan, revokePlan } from './plans/grant-plan.ts';
import type { SetupMonitor } from './setup/setup-monitor.ts';
import type { Offer } from './subscriptions/offer.ts';
import { type ReadParts, readSubscription } from './subscriptions/present.ts';
import { insertSubscriberIfAbsent } from './subscriptions/queries.ts';
import type { SyncParts } from './sync/event-table.ts';
import { withDeadline } from './sync/measure-sync.ts';
import type { RefreshParts } from './sync/refresh-subscriber.ts';

/** A kind and an id of Stripe's. */
const alertId = Joi.string()
  .max(100)
  .pattern(/^[\x21-\x7e]+$/)
  .required();

export const addAlertEndpoints = (router: Router, { db, clock }: { db: Db; clock: Clock }): void => {
  router.add(billingEndpoints.listAlerts, {
    roles: ['admin'],
    input: Joi.object<Record<never, never>>({}),
    handle: async () => ({ data: (await listAlerts(db.manager)).map(presentAlert) }),
  });

  router.add(billingEndpoints.resolveAlert, {
    roles: ['admin'],
    input: Joi.object<{ alertId: string }, true>({ alertId }),
    handle: async ({ input, caller }) => ({
      data: presentAlert(await inTransaction(db, (tx) => settleAlert(tx, input.alertId, { caller, clock }))),
    }),
  });
};

const input = Joi.object<{ period: EarningsPeriod; timeZone?: string }, true>({
  period: Joi.string().valid('week', 'month', 'year').required(),
  timeZone: timeZoneSchema,
});

export const addEarningsEndpoints = (
  router: Router,
  { db, clock, currency }: { db: Db; clock: Clock; currency: string },
): void => {
  router.add(billingEndpoints.earnings, {
    roles: ['admin'],
    input,
    handle: async ({ input: { period, timeZone = 'UTC' } }) => ({
      data: await readEarnings(db.manager, { period, timeZone, currency, now: clock() }),
    }),
  });
};

export const addOfferEndpoints = (router: Router, { offer }: { offer: Offer }): void => {
  router.add(billingEndpoints.getOffer, {
    roles: ['service'],
    input: Joi.object<Record<never, never>>({}),
    handle: () => Promise.resolve({ data: offer.currentPrice() }),
  });
};

export const addSetupEndpoints = (router: Router, { setup }: { setup: SetupMonitor }): void => {
  router.add(billingEndpoints.getStripeSetup, {
    roles: ['admin'],
    input: Joi.object<Record<never, never>>({}),
    handle: () => Promise.resolve({ data: setup.current() }),
  });
};

export const addSubscriptionEndpoints = (router: Router, parts: ReadParts): void => {
  router.add(billingEndpoints.getSubscription, {
    roles: ['user', 'admin', 'service'],
    input: Joi.object<{ userId: string }, true>({ userId }),
    owner: (input) => input.userId,
    handle: ({ input }) => readSubscription(parts, input.userId),
  });
};

type ForUser = { userId: string };
const forUser = Joi.object<ForUser, true>({ userId });
const userDetails = forUser.append<ForUser & { email: string; name: string }>({
  email: Joi.string().max(254).required(),
  name: Joi.string().max(210).required(),
});

const revocation = forUser.append<ForUser & UnsubscribeInput>(unsubscribeRules);

export const addPlanEndpoints = (router: Router, parts: RefreshParts & ReadParts): void => {
  router.add(billingEndpoints.grantPlan, {
    roles: ['admin'],
    input: userDetails,
    handle: async ({ input, caller }) => {
      await inTransaction(parts.db, async (tx) => {
        await insertSubscriberIfAbsent(tx, input);
        await grantPlan(tx, input.userId, { caller, clock: parts.clock });
      });
      return readSubscription(parts, input.userId);
    },
  });

  // A user ends the plan with the account.
  router.add(billingEndpoints.revokePlan, {
    roles: ['user', 'admin'],
    input: revocation,
    owner: (input) => input.userId,
    handle: async ({ input: { userId: id, when, reason }, caller }) => {
      const end = when === 'period_end' ? endRenewal : revokePlan;
      await withDeadline(end(parts, id, { caller, reason }), parts);
      return readSubscription(parts, id);
    },
  });
};

/** The action of a maintenance job, with the long timeouts towards Stripe. */
export const addPlanMaintenanceEndpoints = (router: Router, parts: SyncParts): void => {
  router.add(billingEndpoints.endDuePlans, {
    roles: ['service'],
    input: Joi.object<Record<never, never>>({}),
    handle: () => endDuePlans(parts),
  });
};

const stripeId = Joi.string()
  .pattern(/^[A-Za-z0-9_]{1,100}$/)
  .required();
const owner = (input: ForUser): string => input.userId;

export const addCheckoutEndpoints = (router: Router, parts: CheckoutParts): void => {
  router.add(billingEndpoints.openCheckout, {
    roles: ['user'],
    input: userDetails,
    owner,
    handle: async ({ input }) => ({ url: await withDeadline(openCheckout(parts, input), parts) }),
  });

  router.add(billingEndpoints.confirmCheckout, {
    roles: ['user'],
    input: forUser.append<ForUser & { sessionId: string }>({ sessionId: stripeId }),
    owner,
    handle: async ({ input }) => {
      await withDeadline(confirmCheckout(parts, input), parts);
      return readSubscription(parts, input.userId);
    },
  });

  router.add(billingEndpoints.openPortal, {
    roles: ['user'],
    input: forUser.append<ForUser & { customerId: string }>({ customerId: stripeId }),
    owner,
    handle: async ({ input }) => ({ url: await withDeadline(openPortal(parts, input), parts) }),
  });
};
