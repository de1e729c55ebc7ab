import { setTimeout as sleep } from 'node:timers/promises';
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import type { ServiceClient } from '@shortlist/kit/http/http-client';
import { until } from '@shortlist/kit/testing/until';
import { hours, minutes } from '@shortlist/contracts/durations';
import type { System } from '@shortlist/local/system';
import { uuidv7 } from 'uuidv7';
import { callApi } from '../../harness/client.ts';
import { percentile, type Print, timed } from './measure.ts';
import { createUsageReader } from './processor-usage.ts';
import { openService, processorMs, selectOne, withSystem } from './surroundings.ts';

/** How many subscriptions renew within how many seconds, at this limit of Stripe (25 calls a second in test mode, 100 in live mode). */
const RENEWALS = Number(process.env['RENEWALS'] ?? 500);
const STORM_SECONDS = Number(process.env['STORM_SECONDS'] ?? 60);
const STRIPE_LIMIT = Number(process.env['STRIPE_LIMIT'] ?? 25);
const BUDGET = Number(process.env['BUDGET'] ?? 22);
/** About what a call to Stripe takes. */
const LATENCY_MS = 150;
const CHECKOUTS = 20;

type Parts = { system: System; billing: ServiceClient };

const control = async ({ system }: Parts, method: string, path: string, body: object): Promise<void> => {
  const { status } = await callApi(`${system.sandboxUrl}/_sandbox${path}`, method, { body });
  if (status !== 200) throw new Error(`${path} returned ${status}`);
};

/** Buys the plan as a page does, and returns the time until its responses. */
const buy = async (parts: Parts): Promise<number> => {
  const userId = uuidv7();
  const user = { userId, email: `${userId}@people.test`, name: 'Ada Lovelace' };
  const caller = { role: 'user', userId } as const;
  let url = '';
  const opening = await timed(
    async () => ({ url } = await parts.billing(billingEndpoints.openCheckout, user, { caller })),
  );
  const sessionId = /cs_\w+/.exec(url)?.[0] ?? '';
  await control(parts, 'POST', `/checkout_sessions/${sessionId}/pay`, {});
  const confirming = await timed(() =>
    parts.billing(billingEndpoints.confirmCheckout, { userId, sessionId }, { caller }),
  );
  return opening + confirming;
};

const buyAll = async (parts: Parts, count: number, atOnce: number): Promise<void> => {
  let left = count;
  const loop = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await buy(parts);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
};

type Counts = { all: number; refused: number };

const callsOf = async ({ system }: Parts): Promise<Counts> => {
  const text = await (await fetch(`${system.operatorUrls.billing}/metrics`)).text();
  const counts: Counts = { all: 0, refused: 0 };
  for (const [, labels = '', count] of text.matchAll(
    /^stripe_request_duration_seconds_count\{(.*)\} (\d+)$/gm,
  )) {
    counts.all += Number(count);
    if (labels.includes('outcome="limited"')) counts.refused += Number(count);
  }
  return counts;
};

type State = { first: string; last: string; renewed: number; free: number; waiting: number };

/** The ends of the paid periods, and how many end after `since`. */
const stateOf = ({ system }: Parts, since = ''): Promise<State> =>
  selectOne(
    system,
    `SELECT MIN(JSON_VALUE(paid, '$.end')) AS first, MAX(JSON_VALUE(paid, '$.end')) AS last,
       COALESCE(SUM(JSON_VALUE(paid, '$.end') > '${since}'), 0) AS renewed, SUM(subscription_id IS NOT NULL AND paid IS NULL) AS free,
       (SELECT COUNT(*) FROM billing.stripe_events WHERE status IN ('pending', 'failed')) AS waiting
     FROM billing.subscribers WHERE customer_id IS NOT NULL`,
  );

/** Advances Stripe's clock so that the subscriptions renew evenly within the storm. */
const renewAll = async (parts: Parts, { first, last }: State): Promise<void> => {
  const spreadSeconds = (Date.parse(last) - Date.parse(first)) / 1_000 + 2;
  const now = await callApi<{ now: number }>(`${parts.system.sandboxUrl}/_sandbox/clock`, 'GET', {});
  const advance = (seconds: number) => control(parts, 'POST', '/clock/advance', { seconds });
  await advance(Math.floor(Date.parse(first) / 1_000) - now.body.now - 1);
  const startedAt = performance.now();
  let advanced = 0;
  for (let second = 1; second <= STORM_SECONDS; second += 1) {
    // The clock moves by itself too.
    const wanted = Math.ceil((spreadSeconds * second) / STORM_SECONDS) - second;
    if (wanted > advanced) await advance(wanted - advanced);
    advanced = Math.max(advanced, wanted);
    await sleep(Math.max(0, startedAt + second * 1_000 - performance.now()));
  }
};

const buySome = async (parts: Parts, pauseMs: number): Promise<number[]> => {
  const times: number[] = [];
  for (let index = 0; index < CHECKOUTS; index += 1) {
    times.push(await buy(parts));
    await sleep(pauseMs);
  }
  return times;
};

const settled = (parts: Parts): Promise<void> =>
  until('all events to be settled', async () => (await stateOf(parts)).waiting === 0, hours(1));

/** Prints where the processor time of the storm went, and what share of the cores a larger one needs. */
const printUsage = (print: Print, spent: Map<string, number>): void => {
  const perRenewal = [...spent].map(([name, ms]) => [name, ms / RENEWALS] as const);
  const total = perRenewal.reduce((sum, [name, ms]) => (name === 'sandbox' ? sum : sum + ms), 0);
  const parts = perRenewal
    .toSorted((one, other) => other[1] - one[1])
    .map(([name, ms]) => `${name} ${ms.toFixed(0)}`);
  print(
    `  processor in ms a renewal, checkouts included: ${total.toFixed(0)} without the sandbox; ${parts.join(', ')}`,
  );
  print(
    `  10,000 renewals within 15 minutes need ${((total * 10_000) / minutes(15)).toFixed(2)} cores for the product`,
  );
};

const measureStorm = async (parts: Parts, print: Print): Promise<void> => {
  await buyAll(parts, RENEWALS, 3);
  await settled(parts);
  await control(parts, 'PUT', '/settings', { callsPerSecond: STRIPE_LIMIT, latencyMs: LATENCY_MS });
  const before = await stateOf(parts);
  const calls = await callsOf(parts);
  const readUsage = createUsageReader(parts.system);
  const sandboxPid = parts.system.process('sandbox').pid;
  const usage = readUsage().set('sandbox', processorMs(sandboxPid));
  const startedAt = performance.now();
  let free = 0;
  const untilRight = until(
    'every renewal',
    async () => {
      const { renewed, free: now } = await stateOf(parts, before.last);
      free = Math.max(free, now);
      await sleep(500);
      return renewed >= RENEWALS;
    },
    hours(1),
  ).then(() => (performance.now() - startedAt) / 1_000);
  const [seconds, , busy] = await Promise.all([
    untilRight,
    renewAll(parts, before),
    buySome(parts, (STORM_SECONDS * 1_000) / CHECKOUTS / 2),
  ]);
  const usageAfter = readUsage().set('sandbox', processorMs(sandboxPid));
  const after = await callsOf(parts);
  const made = after.all - calls.all;
  const share = (100 * (after.refused - calls.refused)) / made;
  print(
    `${RENEWALS} renewals within ${STORM_SECONDS} s at ${STRIPE_LIMIT} calls/s, budget ${BUDGET}: right after ${seconds.toFixed(0)} s`,
  );
  print(`  ${made} calls, ${share.toFixed(1)} % of them refused; users without a plan meanwhile: ${free}`);
  printUsage(print, new Map([...usageAfter].map(([name, ms]) => [name, ms - (usage.get(name) ?? 0)])));
  await settled(parts);
  const rest = await buySome(parts, 0);
  const p95 = (times: number[]): number => percentile(times, 0.95);
  print(
    `  checkout p95 ${p95(busy).toFixed(0)} ms meanwhile, ${p95(rest).toFixed(0)} ms at rest, ratio ${(p95(busy) / p95(rest)).toFixed(2)}`,
  );
};

/** The sandbox stores nothing: writing its state again and again would take the processor from the product. */
const SETTINGS = {
  billing: { STRIPE_CALLS_PER_SECOND: String(BUDGET), LOG_LEVEL: 'error' },
  sandbox: { SANDBOX_STATE_FILE: '' },
};

/** A storm of renewals while Stripe limits its calls: the time until every plan is right, and what it costs users who pay meanwhile. */
export const benchRenewals = (print: Print): Promise<void> =>
  withSystem(SETTINGS, (system) => {
    const key = system.secrets.BILLING_TOKEN_KEYS;
    return measureStorm({ system, billing: openService('billing', system.urls.billing, key) }, print);
  });
