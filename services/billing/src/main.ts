import { createMetrics } from '@shortlist/kit/process/metrics';
import { run } from '@shortlist/kit/process/lifecycle';
import { createServiceDb, openService } from '@shortlist/kit/service';
import { createBillingService } from './app.ts';
import { checkoutOptions, isPolling, readConfig, readPolicies } from './config.ts';
import { schema } from './db.ts';
import { createOffer, startRefreshing } from './subscriptions/offer.ts';
import { expectedSetup, runChecks } from './setup/apply-setup.ts';
import { createSetupMonitor, startChecking } from './setup/setup-monitor.ts';
import { BACKGROUND, createCallMeasure, createStripe, INTERACTIVE, isLiveKey } from './stripe/client.ts';
import { createStripeGateway } from './stripe/gateway.ts';
import { createAccountGateway } from './stripe/set-up-account.ts';
import { createSignatureCheck } from './stripe/stripe-event.ts';
import { EVENT_TABLE } from './inbox/event-table.ts';
import { createIntake } from './inbox/receive-event.ts';
import { startPolling } from './inbox/poll-events.ts';

run('billing', {
  env: process.env,
  start: async (lifecycle) => {
    const config = readConfig(process.env);
    const clock = () => new Date();
    const db = createServiceDb(config, schema);
    const metrics = createMetrics('billing', config.VERSION);
    const price = { amount: config.PRICE_MINOR, currency: config.CURRENCY };
    const measure = createCallMeasure(metrics);
    const account = { key: config.STRIPE_SECRET_KEY, apiBase: config.STRIPE_API_BASE, measure };
    const stripe = createStripe({ ...account, limits: BACKGROUND });
    const options = checkoutOptions(config);
    const policies = readPolicies(config);
    const background = createStripeGateway(stripe, options);
    const interactive = createStripeGateway(createStripe({ ...account, limits: INTERACTIVE }), options);
    const offer = createOffer({ stripe: interactive, configured: price, log: lifecycle.log, metrics });
    const expected = expectedSetup(config, Object.keys(EVENT_TABLE));
    const checks = () => runChecks(createAccountGateway(stripe), expected);
    const setup = createSetupMonitor({ runChecks: checks, clock, log: lifecycle.log, metrics });
    const intake = createIntake({ db, clock, log: lifecycle.log, stripe: background, policies });
    const checkSignature = createSignatureCheck(stripe, { secrets: config.STRIPE_WEBHOOK_SECRETS, clock });
    const { PUBLIC_URL: publicUrl } = config;
    const service = createBillingService({
      db,
      clock,
      log: lifecycle.log,
      metrics,
      publicUrl,
      offer,
      setup,
      policies,
      currency: price.currency,
      checkSignature,
      live: isLiveKey(config.STRIPE_SECRET_KEY),
      intake,
      interactive,
      background,
    });
    const tokenKeys = config.BILLING_TOKEN_KEYS;
    await openService({ lifecycle, config, clock, db, metrics, tokenKeys }, service);
    lifecycle.onStop('intake', intake.stop);
    const checking = startChecking(setup);
    const refreshing = startRefreshing(offer);
    // Neither writes anything, so a stop does not wait for Stripe.
    lifecycle.onStop('setup', () => void checking.stop());
    lifecycle.onStop('offer', () => void refreshing.stop());
    const polling = { db, clock, log: lifecycle.log, stripe: background, policies, intake };
    if (isPolling(config)) lifecycle.onStop('polling', startPolling(polling).stop);
  },
});
