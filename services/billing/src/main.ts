import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import { createRedis } from '@shortlist/kit/data/redis';
import { createMetrics, type Metrics } from '@shortlist/kit/process/metrics';
import { run } from '@shortlist/kit/process/lifecycle';
import { createServiceDb, openService } from '@shortlist/kit/service';
import { createBillingService } from './app.ts';
import {
  checkoutOptions,
  type Config,
  configuredPack,
  configuredYear,
  isPolling,
  readConfig,
  readPolicies,
  readTrialPolicy,
} from './config.ts';
import { schema } from './db.ts';
import { createPackSale } from './packs/pack-offer.ts';
import { createOffer, startRefreshing } from './subscriptions/offer.ts';
import { createSetupMonitor, expectedSetup, runChecks, startChecking } from './setup/setup-monitor.ts';
import { BACKGROUND, createCallMeasure, createStripe, INTERACTIVE, isLiveKey } from './stripe/client.ts';
import { CallBudget } from './stripe/call-budget.ts';
import { createStripeGateway } from './stripe/gateway.ts';
import { createAccountGateway } from './stripe/set-up-account.ts';
import { StripeTime } from './stripe/stripe-time.ts';
import { createSignatureCheck } from './stripe/stripe-event.ts';
import { EVENT_TABLE } from './inbox/event-table.ts';
import { createIntake } from './inbox/receive-event.ts';
import { startPolling } from './inbox/poll-events.ts';

type Surroundings = { log: Log; clock: Clock; metrics: Metrics; budget: CallBudget };

/** Connects the parts of billing to Stripe. */
const connectStripe = (config: Config, { clock, metrics, budget }: Surroundings) => {
  const { STRIPE_SECRET_KEY: key, STRIPE_API_BASE: apiBase, STRIPE_WEBHOOK_SECRETS: secrets } = config;
  const live = isLiveKey(key);
  // Objects of Stripe's test mode can have a clock of their own, which may be in the past; those of the sandbox have none.
  const time = live || apiBase !== undefined ? new StripeTime() : undefined;
  const account = { key, apiBase, measure: createCallMeasure(metrics), ...(time && { time }) };
  const stripe = createStripe({ ...account, limits: BACKGROUND, admit: budget.admitBackground });
  const options = checkoutOptions(config);
  return {
    background: createStripeGateway(stripe, options, { time, reserveRead: budget.reserveRead }),
    interactive: createStripeGateway(
      createStripe({ ...account, limits: INTERACTIVE, admit: budget.admitUser }),
      options,
      { time },
    ),
    account: createAccountGateway(stripe),
    checkSignature: createSignatureCheck(stripe, { secrets, clock }),
    live,
  };
};

/** Reads the state of the Stripe account periodically: its settings, and the prices of the plan and the pack. */
const watchAccount = (
  config: Config,
  { account, interactive }: ReturnType<typeof connectStripe>,
  surroundings: Surroundings,
) => {
  const configured = { amount: config.PRICE_MINOR, currency: config.CURRENCY };
  const expected = expectedSetup(config, Object.keys(EVENT_TABLE));
  return {
    offer: createOffer({ stripe: interactive, configured, yearly: configuredYear(config), ...surroundings }),
    packSale: createPackSale({ stripe: interactive, configured: configuredPack(config), ...surroundings }),
    setup: createSetupMonitor({ runChecks: () => runChecks(account, expected), ...surroundings }),
  };
};

run('billing', {
  env: process.env,
  start: async (lifecycle) => {
    const config = readConfig(process.env);
    const db = createServiceDb(config, schema);
    const redis = createRedis(config.QUEUE_REDIS_URL, lifecycle.log);
    lifecycle.onStop('redis', () => redis.disconnect());
    const surroundings = {
      budget: new CallBudget(redis, config.STRIPE_CALLS_PER_SECOND),
      log: lifecycle.log,
      clock: () => new Date(),
      metrics: createMetrics('billing', config.VERSION),
      policies: readPolicies(config),
      trials: readTrialPolicy(config),
    };
    const stripe = connectStripe(config, surroundings);
    const { offer, packSale, setup } = watchAccount(config, stripe, surroundings);
    const background = { db, ...surroundings, stripe: stripe.background };
    const intake = createIntake(background);
    const service = createBillingService({
      ...surroundings,
      ...stripe,
      db,
      publicUrl: config.PUBLIC_URL,
      currency: config.CURRENCY,
      offer,
      packSale,
      setup,
      intake,
      readCalls: surroundings.budget.read,
    });
    await openService(
      { ...surroundings, lifecycle, config, db, tokenKeys: config.BILLING_TOKEN_KEYS },
      service,
    );
    lifecycle.onStop('intake', intake.stop);
    const watching = [startChecking(setup), startRefreshing(offer), startRefreshing(packSale)];
    // They write nothing, so a stop does not wait for Stripe.
    lifecycle.onStop('account', () => watching.forEach((repetition) => void repetition.stop()));
    if (isPolling(config)) lifecycle.onStop('polling', startPolling({ ...background, intake }).stop);
  },
});
