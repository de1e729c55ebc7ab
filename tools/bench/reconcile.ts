import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { CURRENCY, PRICE_MINOR } from '@shortlist/contracts/limits';
import { asService, type ServiceClient } from '@shortlist/kit/http/http-client';
import { until } from '@shortlist/kit/testing/until';
import { findFreePorts } from '@shortlist/local/host/ports';
import { checkHttp } from '@shortlist/local/host/wait';
import { type Context, createContext } from '@shortlist/sandbox/context';
import { createApp } from '@shortlist/sandbox/sandbox';
import { createConnection } from 'mysql2/promise';
import { uuidv7 } from 'uuidv7';
import { callApi } from '../../harness/client.ts';
import { bulkLoad } from '../../harness/seed-databases.ts';
import { listen } from './listen.ts';
import type { Print } from './measure.ts';
import { type BenchDb, openService, withDatabase } from './surroundings.ts';

const SUBSCRIPTIONS = Number(process.env.SUBSCRIPTIONS ?? 100_000);
/** Users with each kind of difference. */
const USERS_PER_KIND = 20;
const KEY = 'sk_test_of_the_sandbox';
const BILLING = join(import.meta.dirname, '../../services/billing/src');

type Stripe = { context: Context; url: string; call: <T>(path: string, method?: string) => Promise<T> };
type Payment = { userId: string; subscription: string; invoice: string };

/** The sandbox in this process, so that its state can be filled. It delivers no webhook. */
const startStripe = async (): Promise<Stripe & { stop: () => void }> => {
  const context = createContext({
    config: {
      port: 0,
      host: '127.0.0.1',
      publicUrl: null,
      stateFile: null,
      webhookUrl: 'http://127.0.0.1:9/discard',
      webhookSecret: 'whsec_none',
      stripeSecretKey: KEY,
      mailApiKey: 'SG.none',
    },
    clock: () => Date.now(),
    random: Math.random,
    report: (error) => process.stderr.write(`${String(error)}\n`),
  });
  context.webhooks = { ...context.webhooks, drop: true };
  const { url, close } = await listen(createApp(context));
  context.publicUrl = url;
  const call = async <T>(path: string, method = 'POST'): Promise<T> => {
    const sent = method === 'POST' ? { body: {} } : {};
    const { status, body } = await callApi<T>(`${url}${path}`, method, { token: KEY, ...sent });
    if (status !== 200) throw new Error(`${path} returned ${status}`);
    return body;
  };
  return { context, url, call, stop: close };
};

type Parts = { db: BenchDb['db']; billing: ServiceClient };

/** Starts billing with the sandbox as Stripe, whose account and database its operator program sets up. */
const startBilling = async (databaseUrl: string, stripeUrl: string) => {
  const [port = 0, operatorPort = 0] = await findFreePorts(2);
  const key = `bench:${'b'.repeat(64)}`;
  const env = {
    ...process.env,
    PORT: String(port),
    OPS_PORT: String(operatorPort),
    ROLES: 'http',
    LOG_LEVEL: 'error',
    DATABASE_URL: databaseUrl,
    KAFKA_BROKERS: '127.0.0.1:9',
    QUEUE_REDIS_URL: 'redis://127.0.0.1:9',
    BILLING_TOKEN_KEYS: key,
    STRIPE_SECRET_KEY: KEY,
    STRIPE_API_BASE: stripeUrl,
    STRIPE_WEBHOOK_SECRETS: `whsec_${'b'.repeat(64)}`,
    STRIPE_WEBHOOK_URL: 'http://127.0.0.1:9/unused',
    PUBLIC_URL: 'http://127.0.0.1:9',
  };
  const run = (file: string, ...args: string[]) =>
    spawn(process.execPath, [join(BILLING, file), ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  await once(run('operator.ts', 'migrate'), 'close');
  await once(run('operator.ts', 'stripe-check', '--apply'), 'close');
  const child = run('main.ts');
  const ready = `http://127.0.0.1:${operatorPort}/health/ready`;
  await until('billing', async () => (await checkHttp(ready)) === null);
  return {
    client: openService('billing', `http://127.0.0.1:${port}`, key),
    stop: () => void child.kill('SIGKILL'),
  };
};

const pay = async ({ billing }: Parts, { call }: Stripe): Promise<Payment & { sessionId: string }> => {
  const userId = uuidv7();
  const user = { userId, email: `${userId}@people.test`, name: 'Ada Lovelace' };
  const caller = { role: 'user', userId } as const;
  const { url } = await billing(billingEndpoints.openCheckout, user, { caller });
  const sessionId = /cs_\w+/.exec(url)?.[0] ?? '';
  const paid = await call<Payment>(`/_sandbox/checkout_sessions/${sessionId}/pay`);
  return { ...paid, userId, sessionId };
};

const payAndRefresh = async (parts: Parts, stripe: Stripe): Promise<Payment> => {
  const { sessionId, ...paid } = await pay(parts, stripe);
  const caller = { role: 'user', userId: paid.userId } as const;
  await parts.billing(billingEndpoints.confirmCheckout, { userId: paid.userId, sessionId }, { caller });
  return paid;
};

/** Makes the difference, and returns the user. `repaired` is the state of the subscription after the repair. */
type Kind = { repaired: string; make: (parts: Parts, stripe: Stripe) => Promise<Payment> };

const KINDS: Readonly<Record<string, Kind>> = {
  'a payment without a webhook': { repaired: 'active', make: pay },
  'a cancellation without a webhook': {
    repaired: 'canceled',
    make: async (parts, stripe) => {
      const paid = await payAndRefresh(parts, stripe);
      await stripe.call(`/v1/subscriptions/${paid.subscription}`, 'DELETE');
      return paid;
    },
  },
  'a refund without a webhook': {
    repaired: 'canceled',
    make: async (parts, stripe) => {
      const paid = await payAndRefresh(parts, stripe);
      await stripe.call(`/_sandbox/invoices/${paid.invoice}/refund`);
      return paid;
    },
  },
  'a lost row in billing': {
    repaired: 'active',
    make: async (parts, stripe) => {
      const paid = await payAndRefresh(parts, stripe);
      const sql = "UPDATE subscribers SET paid = NULL, subscription_status = 'past_due' WHERE user_id = ?";
      await parts.db.query(sql, [paid.userId]);
      return paid;
    },
  },
};

/** Adds SUBSCRIPTIONS subscribers with the same state at Stripe and in billing. */
const addConsistent = async (databaseUrl: string, { state }: Context, modelId: string): Promise<void> => {
  const model = state.subscriptions.get(modelId);
  if (model === undefined) throw new Error('no subscription to copy');
  const isoOf = (seconds = 0): string => new Date(seconds * 1_000).toISOString();
  const [start, end] = [isoOf(model.start_date), isoOf(model.items.data[0]?.current_period_end)];
  const rows = function* () {
    for (let index = 0; index < SUBSCRIPTIONS; index += 1) {
      const [id, customer, key] = [`sub_same_${index}`, `cus_same_${index}`, `in_same_${index}`];
      state.subscriptions.set(id, { ...model, id, customer });
      const paid = JSON.stringify({ key, start, end, graceUntil: end });
      yield [[uuidv7(), '', 'Ada Lovelace', customer, id, 'active', 1, 1, paid, PRICE_MINOR, CURRENCY]];
    }
  };
  const columns =
    'user_id, email, name, customer_id, subscription_id, subscription_status, renews, version, paid, price_amount, price_currency';
  const db = await createConnection(databaseUrl);
  await bulkLoad(db, { table: 'subscribers', columns, rows: rows() });
  await db.end();
};

/** Runs the reconciliation like the worker, one run after the other, until it has checked the whole list once. */
const reconcileAll = async ({ db, billing }: Parts): Promise<string> => {
  const runs: number[] = [];
  const users = new Set<string>();
  let [checked, failed] = [0, 0];
  let isAtEnd = false;
  while (!isAtEnd) {
    const startedAt = performance.now();
    const found = await billing(billingEndpoints.reconcile, {}, asService());
    runs.push((performance.now() - startedAt) / 1_000);
    checked += found.checked;
    failed += found.failed;
    for (const { userId } of found.repaired) users.add(userId);
    const [cursor] = await db.query<{ position: string | null }[]>(
      "SELECT position FROM cursors WHERE list = 'subscriptions'",
    );
    isAtEnd = (cursor?.position ?? null) === null;
  }
  const seconds = runs.reduce((sum, time) => sum + time, 0);
  return `${checked} subscriptions checked in ${runs.length} runs, ${seconds.toFixed(1)} s in total, the longest run ${Math.max(...runs).toFixed(1)} s; ${users.size} users repaired, ${failed} failed`;
};

type Made = { name: string; repaired: string; userId: string };

/** Users of every kind that differs from Stripe. */
const makeDiffering = async (parts: Parts, stripe: Stripe): Promise<Made[]> => {
  const made: Made[] = [];
  for (const [name, { repaired, make }] of Object.entries(KINDS))
    for (let index = 0; index < USERS_PER_KIND; index += 1)
      made.push({ name, repaired, userId: (await make(parts, stripe)).userId });
  return made;
};

const listUnrepaired = async ({ db }: Parts, made: Made[]): Promise<string[]> => {
  const rows: { userId: string; status: string | null }[] = await db.query(
    'SELECT user_id AS userId, subscription_status AS status FROM subscribers',
  );
  const status = new Map(rows.map((row) => [row.userId, row.status]));
  return made.filter(({ userId, repaired }) => status.get(userId) !== repaired).map(({ name }) => name);
};

/** F6 Measures the reconciliation of many subscriptions, some of which differ. */
export const benchReconcile = (print: Print): Promise<void> =>
  withDatabase({ name: 'billing', schema: { entities: [], migrations: [] } }, async ({ db, url }) => {
    const stripe = await startStripe();
    const billing = await startBilling(url, stripe.url);
    try {
      const parts = { db, billing: billing.client };
      const { subscription } = await payAndRefresh(parts, stripe);
      await reconcileAll(parts);
      await addConsistent(url, stripe.context, subscription);
      const made = await makeDiffering(parts, stripe);
      print(`${made.length} users differ: ${await reconcileAll(parts)}`);
      print(`not repaired: ${(await listUnrepaired(parts, made)).join(', ') || 'none'}`);
      print(`no user differs: ${await reconcileAll(parts)}`);
    } finally {
      billing.stop();
      stripe.stop();
    }
  });
