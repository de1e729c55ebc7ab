import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openCheckout } from '@shortlist/billing/checkout/open-checkout';
import { schema } from '@shortlist/billing/db';
import { NO_OPTIONS } from '@shortlist/billing/stripe/checkouts';
import { createStripe } from '@shortlist/billing/stripe/client';
import { createStripeGateway } from '@shortlist/billing/stripe/gateway';
import { createAccountGateway } from '@shortlist/billing/stripe/set-up-account';
import { createOffer } from '@shortlist/billing/subscriptions/offer';
import type { SyncParts } from '@shortlist/billing/sync/event-table';
import { findCursor } from '@shortlist/billing/sync/queries';
import { reconcile } from '@shortlist/billing/sync/reconcile';
import { refreshSubscriber } from '@shortlist/billing/sync/refresh-subscriber';
import { CURRENCY, PRICE_MINOR } from '@shortlist/contracts/limits';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { createApp } from '@shortlist/sandbox/app';
import { type Context, createContext } from '@shortlist/sandbox/context';
import { createConnection } from 'mysql2/promise';
import { uuidv7 } from 'uuidv7';
import { callApi } from '../../harness/client.ts';
import { bulkLoad } from '../../harness/seed-databases.ts';
import type { Print } from './measure.ts';
import { clock, log, withDatabase } from './surroundings.ts';

const SUBSCRIPTIONS = Number(process.env.SUBSCRIPTIONS ?? 100_000);
/** Users with each kind of difference. */
const USERS_PER_KIND = 20;
const KEY = 'sk_test_of_the_sandbox';
const PRICE = { amount: PRICE_MINOR, currency: CURRENCY };

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
  const server = createServer(createApp(context)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  context.publicUrl = url;
  const call = async <T>(path: string, method = 'POST'): Promise<T> => {
    const sent = method === 'POST' ? { body: {} } : {};
    const { status, body } = await callApi<T>(`${url}${path}`, method, { token: KEY, ...sent });
    if (status !== 200) throw new Error(`${path} returned ${status}`);
    return body;
  };
  return { context, url, call, stop: () => void server.close() };
};

const pay = async (parts: SyncParts, { call }: Stripe): Promise<Payment> => {
  const userId = uuidv7();
  const { stripe } = parts;
  const offer = createOffer({ stripe, configured: PRICE, log, metrics: createMetrics('bench') });
  const user = { userId, email: `${userId}@people.test`, name: 'Ada Lovelace' };
  const page = await openCheckout({ ...parts, offer, publicUrl: 'https://shortlist.test' }, user);
  const session = /cs_\w+/.exec(page)?.[0] ?? '';
  return { ...(await call<Payment>(`/_sandbox/checkout_sessions/${session}/pay`)), userId };
};

const payAndRefresh = async (parts: SyncParts, stripe: Stripe): Promise<Payment> => {
  const paid = await pay(parts, stripe);
  await refreshSubscriber(parts, paid.userId, { by: 'bench', reason: 'bench', waitMs: 2_000 });
  return paid;
};

/** Makes the difference, and returns the user. `repaired` is the state of the subscription after the repair. */
type Kind = { repaired: string; make: (parts: SyncParts, stripe: Stripe) => Promise<Payment> };

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
      const [id, customer, key] = ['sub', 'cus', 'in'].map((kind) => `${kind}_same_${index}`) as [
        string,
        string,
        string,
      ];
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
const reconcileAll = async (parts: SyncParts): Promise<string> => {
  const runs: number[] = [];
  const users = new Set<string>();
  let [checked, failed] = [0, 0];
  do {
    const startedAt = performance.now();
    const found = await reconcile(parts);
    runs.push((performance.now() - startedAt) / 1_000);
    checked += found.checked;
    failed += found.failed;
    for (const { userId } of found.repaired) users.add(userId);
  } while ((await findCursor(parts.db.manager, 'subscriptions')) !== null);
  const seconds = runs.reduce((sum, time) => sum + time, 0);
  return `${checked} subscriptions checked in ${runs.length} runs, ${seconds.toFixed(1)} s in total, the longest run ${Math.max(...runs).toFixed(1)} s; ${users.size} users repaired, ${failed} failed`;
};

/** F6 Measures the reconciliation of many subscriptions, some of which differ. */
export const benchReconcile = (print: Print): Promise<void> =>
  withDatabase({ name: 'billing', schema }, async ({ db, url }) => {
    const stripe = await startStripe();
    try {
      const limits = { timeout: 10_000, maxNetworkRetries: 0 };
      const client = createStripe({ key: KEY, apiBase: stripe.url, limits });
      await createAccountGateway(client).createPrice({ brand: 'Shortlist', price: PRICE });
      const parts = { db, clock, log, stripe: createStripeGateway(client, NO_OPTIONS) };
      const { subscription } = await payAndRefresh(parts, stripe);
      await reconcileAll(parts);
      await addConsistent(url, stripe.context, subscription);
      const made: { name: string; repaired: string; userId: string }[] = [];
      for (const [name, { repaired, make }] of Object.entries(KINDS))
        for (let index = 0; index < USERS_PER_KIND; index += 1)
          made.push({ name, repaired, userId: (await make(parts, stripe)).userId });
      print(`${made.length} users differ: ${await reconcileAll(parts)}`);
      const rows: { userId: string; status: string | null }[] = await db.query(
        'SELECT user_id AS userId, subscription_status AS status FROM subscribers',
      );
      const status = new Map(rows.map((row) => [row.userId, row.status]));
      const unrepaired = made.filter(({ userId, repaired }) => status.get(userId) !== repaired);
      print(`not repaired: ${unrepaired.map(({ name }) => name).join(', ') || 'none'}`);
      print(`no user differs: ${await reconcileAll(parts)}`);
    } finally {
      stripe.stop();
    }
  });
