import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openCheckout } from '@shortlist/billing/checkout/open-checkout';
import { schema } from '@shortlist/billing/db';
import { createStripe } from '@shortlist/billing/stripe/client';
import { createStripeGateway } from '@shortlist/billing/stripe/gateway';
import { NO_OPTIONS } from '@shortlist/billing/stripe/checkouts';
import { createAccountGateway } from '@shortlist/billing/stripe/set-up-account';
import type { SyncParts } from '@shortlist/billing/sync/event-table';
import { findCursor } from '@shortlist/billing/sync/queries';
import { reconcile } from '@shortlist/billing/sync/reconcile';
import { refreshSubscriber } from '@shortlist/billing/sync/refresh-subscriber';
import type { Reconciled } from '@shortlist/billing/sync/reconcile-subscriptions';
import { createOffer } from '@shortlist/billing/subscriptions/offer';
import { CURRENCY, PRICE_MINOR } from '@shortlist/contracts/limits';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { createLog } from '@shortlist/kit/process/log';
import { createApp } from '@shortlist/sandbox/app';
import { createContext, type Context } from '@shortlist/sandbox/context';
import { createConnection } from 'mysql2/promise';
import { uuidv7 } from 'uuidv7';
import { bulkLoad } from '../seed/bulk-load.ts';
import { startBenchDb } from './databases.ts';

const SUBSCRIPTIONS = Number(process.env.SUBSCRIPTIONS ?? 100_000);
/** Users with each kind of difference. */
const USERS_PER_KIND = 20;
const KEY = 'sk_test_of_the_sandbox';

type Provider = { context: Context; url: string; close: () => void };
type Payment = { userId: string; customer: string; subscription: string; invoice: string };

const startProvider = async (): Promise<Provider> => {
  const context = createContext({
    config: {
      ...{ port: 0, host: '127.0.0.1', publicUrl: null, stateFile: null },
      ...{ webhookUrl: 'http://127.0.0.1:9/discard', webhookSecret: 'whsec_none' },
      ...{ stripeSecretKey: KEY, mailApiKey: 'SG.none' },
    },
    clock: () => Date.now(),
    random: Math.random,
    report: (error) => process.stderr.write(`${String(error)}\n`),
  });
  context.webhooks = { ...context.webhooks, drop: true };
  const server = createServer(createApp(context)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { context, url: context.publicUrl, close: () => void server.close() };
};

const callProvider = async <T>(
  { url }: Provider,
  { path, method = 'POST', body = {} }: { path: string; method?: string; body?: object },
): Promise<T> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` };
  const sent = method === 'POST' ? { body: JSON.stringify(body) } : {};
  const response = await fetch(`${url}${path}`, { method, headers, ...sent });
  if (!response.ok) throw new Error(`${path} returned ${response.status}`);
  return (await response.json()) as T;
};

const PRICE = { amount: PRICE_MINOR, currency: CURRENCY };
const offerOf = ({ stripe, log }: SyncParts) =>
  createOffer({ stripe, configured: PRICE, log, metrics: createMetrics('bench') });

const payWithoutWebhook = async (parts: SyncParts, provider: Provider): Promise<Payment> => {
  const userId = uuidv7();
  const user = { userId, email: `${userId}@people.test`, name: 'Ada Lovelace' };
  const address = await openCheckout(
    { ...parts, offer: offerOf(parts), publicUrl: 'https://shortlist.test' },
    user,
  );
  const session = /cs_\w+/.exec(address)?.[0] ?? '';
  const path = `/_sandbox/checkout_sessions/${session}/pay`;
  return {
    userId,
    ...(await callProvider<Omit<Payment, 'userId'>>(provider, { path, body: { card: '4242424242424242' } })),
  };
};

const payAndRefresh = async (parts: SyncParts, provider: Provider): Promise<Payment> => {
  const paid = await payWithoutWebhook(parts, provider);
  await refreshSubscriber(parts, paid.userId, { by: 'bench', reason: 'bench', waitMs: 2_000 });
  return paid;
};

type Kind = {
  name: string;
  make: (parts: SyncParts, provider: Provider) => Promise<string>;
  repairedStatus: string;
};

/** The kinds of difference, each with the subscription state after the repair. */
const KINDS: readonly Kind[] = [
  {
    name: 'a payment without a webhook',
    make: async (parts, provider) => (await payWithoutWebhook(parts, provider)).userId,
    repairedStatus: 'active',
  },
  {
    name: 'a cancellation without a webhook',
    make: async (parts, provider) => {
      const { userId, subscription } = await payAndRefresh(parts, provider);
      await callProvider(provider, { path: `/v1/subscriptions/${subscription}`, method: 'DELETE' });
      return userId;
    },
    repairedStatus: 'canceled',
  },
  {
    name: 'a refund without a webhook',
    make: async (parts, provider) => {
      const { userId, invoice } = await payAndRefresh(parts, provider);
      await callProvider(provider, { path: `/_sandbox/invoices/${invoice}/refund` });
      return userId;
    },
    repairedStatus: 'canceled',
  },
  {
    name: 'a lost row in billing',
    make: async (parts, provider) => {
      const { userId } = await payAndRefresh(parts, provider);
      await parts.db.query(
        "UPDATE subscribers SET paid = NULL, subscription_status = 'past_due' WHERE user_id = ?",
        [userId],
      );
      return userId;
    },
    repairedStatus: 'active',
  },
];

/** Adds SUBSCRIPTIONS subscribers with the same state at the provider and in billing. */
const addConsistentSubscribers = async (
  databaseUrl: string,
  { context }: Provider,
  modelId: string,
): Promise<void> => {
  const model = context.state.subscriptions.get(modelId);
  if (model === undefined) throw new Error('no subscription to copy');
  const start = new Date(model.start_date * 1_000).toISOString();
  const end = new Date((model.items.data[0]?.current_period_end ?? 0) * 1_000).toISOString();
  const customer = (index: number): string => `cus_same_${index}`;
  for (let index = 0; index < SUBSCRIPTIONS; index += 1) {
    const id = `sub_same_${index}`;
    context.state.subscriptions.set(id, { ...model, id, customer: customer(index) });
  }
  const rows = function* () {
    for (let index = 0; index < SUBSCRIPTIONS; index += 1) {
      const paid = JSON.stringify({ key: `in_same_${index}`, start, end, graceUntil: end });
      const name = ['', 'Ada Lovelace'];
      const price = [PRICE_MINOR, CURRENCY];
      yield [[uuidv7(), ...name, customer(index), `sub_same_${index}`, 'active', 1, 1, paid, ...price]];
    }
  };
  const columns =
    'user_id, email, name, customer_id, subscription_id, subscription_status, renews, version, paid, price_amount, price_currency';
  const db = await createConnection({ uri: databaseUrl, multipleStatements: false });
  await bulkLoad(db, { table: 'subscribers', columns, rows: rows() });
  await db.end();
};

/** Runs the reconciliation like the worker, one run after the other, until it has checked the whole list once. */
const reconcileAll = async (parts: SyncParts): Promise<{ runs: number[]; found: Reconciled }> => {
  const runs: number[] = [];
  const found: Reconciled = { checked: 0, failed: 0, repaired: [] };
  do {
    const startedAt = performance.now();
    const { checked, failed, repaired } = await reconcile(parts);
    runs.push(performance.now() - startedAt);
    found.checked += checked;
    found.failed += failed;
    found.repaired.push(...repaired);
  } while ((await findCursor(parts.db.manager, 'subscriptions')) !== null);
  return { runs, found };
};

const printPass = (
  print: (text: string) => void,
  name: string,
  { runs, found }: Awaited<ReturnType<typeof reconcileAll>>,
) => {
  const total = runs.reduce((sum, ms) => sum + ms, 0) / 1_000;
  const users = new Set(found.repaired.map(({ userId }) => userId)).size;
  print(
    `${name}: ${found.checked} subscriptions checked in ${runs.length} runs, ${total.toFixed(1)} s in total, the longest run ${(Math.max(...runs) / 1_000).toFixed(1)} s; ${users} users repaired, ${found.failed} failed`,
  );
};

const listUnrepaired = async ({ db }: SyncParts, users: [string, Kind][]): Promise<string[]> => {
  const rows: { userId: string; status: string | null }[] = await db.query(
    'SELECT user_id AS userId, subscription_status AS status FROM subscribers WHERE user_id IN (?)',
    [users.map(([userId]) => userId)],
  );
  const status = new Map(rows.map((row) => [row.userId, row.status]));
  return users
    .filter(([userId, { repairedStatus }]) => status.get(userId) !== repairedStatus)
    .map(([, { name }]) => name);
};

/** F6 Measures the reconciliation of many subscriptions, some of which differ, with the sandbox in this process. */
export const benchReconcile = async (print: (text: string) => void): Promise<void> => {
  const { db, url, stop } = await startBenchDb('billing', schema);
  const provider = await startProvider();
  const limits = { timeout: 10_000, maxNetworkRetries: 0 };
  const client = createStripe({ key: KEY, apiBase: provider.url, limits });
  await createAccountGateway(client).createPrice({ brand: 'Shortlist', price: PRICE });
  const stripe = createStripeGateway(client, NO_OPTIONS);
  const parts = { db, clock: () => new Date(), log: createLog('bench', 'silent'), stripe };
  try {
    const { subscription } = await payAndRefresh(parts, provider);
    await reconcileAll(parts);
    await addConsistentSubscribers(url, provider, subscription);
    const users: [string, Kind][] = [];
    for (const kind of KINDS)
      for (let index = 0; index < USERS_PER_KIND; index += 1)
        users.push([await kind.make(parts, provider), kind]);
    printPass(print, `${users.length} users differ`, await reconcileAll(parts));
    const unrepaired = await listUnrepaired(parts, users);
    print(`not repaired: ${unrepaired.length === 0 ? 'none' : unrepaired.join(', ')}`);
    printPass(print, 'no user differs', await reconcileAll(parts));
  } finally {
    provider.close();
    await stop();
  }
};
