import { billingEndpoints, packEndpoints } from '@shortlist/contracts/api/billing';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { listAlerts, presentAlert } from './alerts/queries.ts';
import { reopenAlert, resolveAlert } from './alerts/resolve-alert.ts';
import { confirmCheckout, confirmPack } from './checkout/confirm-checkout.ts';
import { openCheckout } from './checkout/open-checkout.ts';
import { openPortal } from './checkout/open-portal.ts';
import { type CheckoutParts, PACK_SALE, planSale } from './checkout/sales.ts';
import { readEarnings } from './earnings/read-earnings.ts';
import { retryInbox } from './inbox/receive-event.ts';
import { listPacks, presentPack } from './packs/queries.ts';
import { changeInterval, keepInterval, previewInterval } from './plans/change-interval.ts';
import { endDuePlans, warnOfCards } from './plans/due-plans.ts';
import { endRenewal } from './plans/end-renewal.ts';
import { grantPlan, revokePlan, takeGrantBack, withSubscriber } from './plans/grant-plan.ts';
import { listPayers, reportPayers } from './plans/report-payers.ts';
import { resumeRenewal } from './plans/resume-renewal.ts';
import { storeReconciliation } from './reconcile/queries.ts';
import { countReconciled, reconcile } from './reconcile/reconcile.ts';
import { findInvoiceOf } from './records/invoice-queries.ts';
import type { SetupMonitor } from './setup/setup-monitor.ts';
import type { Offer } from './subscriptions/offer.ts';
import { findUsersByReference } from './subscriptions/find-users.ts';
import { readInvoices, readPlanState, type ReadParts, readSubscription } from './subscriptions/present.ts';
import { type RefreshParts, refreshWithLease, withDeadline } from './refresh/refresh-subscriber.ts';

export const addAlertEndpoints = (router: Router, { db, clock }: { db: Db; clock: Clock }): void => {
  router.add(billingEndpoints.listAlerts, async () => ({
    data: (await listAlerts(db.manager)).map(presentAlert),
  }));

  router.add(billingEndpoints.resolveAlert, async ({ input, caller }) => ({
    data: presentAlert(await inTransaction(db, (tx) => resolveAlert(tx, input, { caller, clock }))),
  }));

  router.add(billingEndpoints.reopenAlert, async ({ input, caller }) => ({
    data: presentAlert(await inTransaction(db, (tx) => reopenAlert(tx, input, { caller, clock }))),
  }));
};

export const addEarningsEndpoints = (
  router: Router,
  { db, clock, currency }: { db: Db; clock: Clock; currency: string },
): void => {
  router.add(billingEndpoints.earnings, async ({ input: { period, timeZone = 'UTC' } }) => ({
    data: await readEarnings(db.manager, { period, timeZone, currency, now: clock() }),
  }));
};

export const addOfferEndpoints = (router: Router, { offer }: { offer: Offer }): void => {
  router.add(billingEndpoints.getOffer, () =>
    Promise.resolve({ data: offer.currentPrice(), yearly: offer.currentYearly() }),
  );
};

export const addSetupEndpoints = (router: Router, { setup }: { setup: SetupMonitor }): void => {
  router.add(billingEndpoints.getStripeSetup, () => Promise.resolve({ data: setup.current() }));
};

export const addInvoiceEndpoints = (
  router: Router,
  { db, stripe }: Pick<RefreshParts, 'db' | 'stripe'>,
): void => {
  router.add(billingEndpoints.listInvoices, async ({ input: { userId } }) => ({
    data: await readInvoices(db.manager, userId),
  }));

  router.add(billingEndpoints.findUsersByReference, async ({ input: { reference } }) => ({
    data: await findUsersByReference(db.manager, reference),
  }));

  router.add(billingEndpoints.openInvoiceFile, async ({ input }) => {
    const isOwn = (await findInvoiceOf(db.manager, input)) !== null;
    const url = isOwn ? await stripe.findInvoiceFile(input.invoiceId) : null;
    if (url === null) throw createError('billing.invoice_not_found');
    return { url };
  });
};

export const addSubscriptionEndpoints = (router: Router, parts: ReadParts): void => {
  router.add(billingEndpoints.getSubscription, ({ input }) => readSubscription(parts, input.userId));

  router.add(billingEndpoints.getCreditSources, async ({ input: { userId } }) => {
    const [planState, packs] = await Promise.all([
      readPlanState(parts.db.manager, userId),
      listPacks(parts.db.manager, userId),
    ]);
    return { data: { planState, packs: packs.map(presentPack) } };
  });
};

const RETURN = { by: 'user', reason: 'return from Stripe' };

export const addPlanEndpoints = (router: Router, parts: RefreshParts & ReadParts): void => {
  router.add(billingEndpoints.grantPlan, async ({ input, caller }) => {
    await withDeadline(grantPlan(parts, input, caller), parts);
    return readSubscription(parts, input.userId);
  });

  router.add(billingEndpoints.endGrant, async ({ input: { reason, ...grant }, caller }) => ({
    ended: await withDeadline(takeGrantBack(parts, grant, { caller, reason }), parts),
  }));

  router.add(billingEndpoints.revokePlan, async ({ input: { userId: id, when, reason }, caller }) => {
    const end = when === 'period_end' ? endRenewal : revokePlan;
    await withDeadline(end(parts, id, { caller, reason }), parts);
    return readSubscription(parts, id);
  });

  router.add(billingEndpoints.resumePlan, async ({ input: { userId, reason, version }, caller }) => {
    await withDeadline(resumeRenewal(parts, userId, { caller, reason, version }), parts);
    return readSubscription(parts, userId);
  });

  router.add(billingEndpoints.refreshSubscription, async ({ input: { userId } }) => {
    const refresh = withSubscriber(parts, userId, (_stored, lease) => refreshWithLease(parts, lease, RETURN));
    await withDeadline(refresh, parts);
    return readSubscription(parts, userId);
  });
};

export const addIntervalEndpoints = (
  router: Router,
  parts: RefreshParts & ReadParts & { offer: Offer },
): void => {
  router.add(billingEndpoints.previewInterval, async ({ input }) => ({
    data: await withDeadline(previewInterval(parts, input), parts),
  }));

  router.add(billingEndpoints.changeInterval, async ({ input, caller }) => {
    await withDeadline(changeInterval(parts, input, { caller }), parts);
    return readSubscription(parts, input.userId);
  });

  router.add(billingEndpoints.keepInterval, async ({ input: { userId }, caller }) => {
    await withDeadline(keepInterval(parts, userId, { caller }), parts);
    return readSubscription(parts, userId);
  });
};

/** The actions of maintenance jobs, with long timeouts for Stripe. */
export const addPlanMaintenanceEndpoints = (router: Router, parts: RefreshParts): void => {
  router.add(billingEndpoints.endDuePlans, () => endDuePlans(parts));
  router.add(billingEndpoints.warnOfCards, () => warnOfCards(parts));
  router.add(billingEndpoints.listPayers, ({ input: { after } }) => listPayers(parts, after));
  router.add(billingEndpoints.reportPayers, async ({ input: { withoutAccount } }) => {
    await reportPayers(parts, withoutAccount);
    return {};
  });
};

export const addCheckoutEndpoints = (router: Router, parts: CheckoutParts): void => {
  router.add(billingEndpoints.openCheckout, async ({ input: { interval = 'month', ...input } }) => ({
    url: await withDeadline(openCheckout(parts, planSale(interval), input), parts),
  }));

  router.add(billingEndpoints.confirmCheckout, async ({ input }) => {
    await withDeadline(confirmCheckout(parts, input), parts);
    return readSubscription(parts, input.userId);
  });

  router.add(billingEndpoints.openPortal, async ({ input }) => ({
    url: await withDeadline(openPortal(parts, input), parts),
  }));
};

export const addPackEndpoints = (router: Router, parts: CheckoutParts): void => {
  const { db, packSale } = parts;
  router.add(packEndpoints.getPackOffer, () => Promise.resolve({ data: packSale.currentOffer() }));

  router.add(packEndpoints.listCreditPacks, async ({ input }) => ({
    data: (await listPacks(db.manager, input.userId)).map(presentPack),
  }));

  router.add(packEndpoints.openPackCheckout, async ({ input }) => ({
    url: await withDeadline(openCheckout(parts, PACK_SALE, input), parts),
  }));

  router.add(packEndpoints.confirmPackCheckout, async ({ input }) => ({
    data: await withDeadline(confirmPack(parts, input), parts),
  }));
};

export const addSyncEndpoints = (router: Router, parts: RefreshParts & { metrics: Metrics }): void => {
  const count = countReconciled(parts.metrics);
  router.add(billingEndpoints.reconcile, async () => {
    const result = count(await reconcile(parts));
    const { checked, failed, repaired } = result;
    const run = { endedAt: parts.clock(), checked, failed, repaired: repaired.length };
    await storeReconciliation(parts.db.manager, run);
    return result;
  });
  router.add(billingEndpoints.retryInbox, () => retryInbox(parts));
};
