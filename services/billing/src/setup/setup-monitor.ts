import { publicPaths } from '@shortlist/contracts/api/public';
import { minutes } from '@shortlist/contracts/durations';
import { STRIPE_CHECKS, type StripeCheck, type StripeSetup } from '@shortlist/contracts/api/billing';
import type { Log } from '@shortlist/kit/process/log';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { repeat, type Repetition } from '@shortlist/kit/process/clock';
import { setupText } from '../messages.ts';
import { setupFailures } from '../metrics.ts';
import { configuredPack, configuredYear, type StripeConfig } from '../config.ts';
import { API_VERSION } from '../stripe/client.ts';
import type { AccountGateway } from '../stripe/set-up-account.ts';
import { checkSetup, type ExpectedSetup } from './setup.rules.ts';

/** Returns the expected set-up of the account, with the event types that billing handles. */
export const expectedSetup = (config: StripeConfig, eventTypes: readonly string[]): ExpectedSetup => ({
  price: { amount: config.PRICE_MINOR, currency: config.CURRENCY },
  yearly: configuredYear(config),
  pack: configuredPack(config),
  webhookUrl: config.STRIPE_WEBHOOK_URL ?? `${config.PUBLIC_URL}${publicPaths.stripeWebhook}`,
  eventTypes,
  apiVersion: API_VERSION,
  isPolled: config.STRIPE_EVENTS === 'poll',
});

export const runChecks = async (account: AccountGateway, expected: ExpectedSetup): Promise<StripeCheck[]> =>
  checkSetup(await account.read(), expected);

const CHECK_MS = minutes(5);

/** The last result of the checks of the account at Stripe. */
export type SetupMonitor = {
  current: () => StripeSetup;
  /** Runs the checks; logs each failure as an error. Never throws. */
  check: () => Promise<void>;
};

type Parts = { runChecks: () => Promise<StripeCheck[]>; clock: () => Date; log: Log; metrics: Metrics };

const NOT_CHECKED: StripeCheck[] = STRIPE_CHECKS.map((name) => ({
  name,
  ok: null,
  detail: setupText('notChecked'),
}));

export const createSetupMonitor = ({ runChecks, clock, log, metrics }: Parts): SetupMonitor => {
  let setup: StripeSetup = { checkedAt: null, checks: NOT_CHECKED };
  metrics.gauge(setupFailures, () => Promise.resolve(setup.checks.filter(({ ok }) => ok === false).length));
  return {
    current: () => setup,
    check: async () => {
      const checks = await runChecks();
      for (const { name, ok, detail } of checks)
        if (ok === false) log.error({ check: name, detail }, 'stripe set-up check failed');
      // While Stripe cannot be read, this is the time since which the results are unknown.
      const isKnown = checks.some(({ ok }) => ok !== null);
      setup = { checkedAt: isKnown ? clock().toISOString() : setup.checkedAt, checks };
    },
  };
};

/** Runs the checks now and every few minutes, never during a request. */
export const startChecking = (monitor: SetupMonitor): Repetition =>
  repeat(async () => {
    await monitor.check();
    return CHECK_MS;
  });
