import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openCheckout } from '@shortlist/billing/checkout/open-checkout';
import { schema } from '@shortlist/billing/db';
import { createStripe } from '@shortlist/billing/stripe/client';
import { createStripeGateway } from '@shortlist/billing/stripe/gateway';
import type { SyncParts } from '@shortlist/billing/sync/event-action';
import { findCursor } from '@shortlist/billing/sync/queries';
import { reconcile } from '@shortlist/billing/sync/reconcile';
import { refreshSubscriber } from '@shortlist/billing/sync/refresh-subscriber';
import type { Reconciled } from '@shortlist/billing/sync/repair-subscriber';
import { createOffer } from '@shortlist/billing/offer/offer';
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
/** People of each kind of difference. */
const EACH = 20;
const KEY = 'sk_test_of_the_sandbox';

type Provider = { world: Context; url: string; close: () => void };
type Paid = { userId: string; customer: string; subscription: string; invoice: string };

const startProvider = async (): Promise<Provider> => {
  const world = createContext({
    config: {
      ...{ port: 0, host: '127.0.0.1', publicUrl: null, stateFile: null },
      ...{ webhookUrl: 'http://127.0.0.1:9/nobody', webhookSecret: 'whsec_none' },
      ...{ stripeSecretKey: KEY, mailApiKey: 'SG.none' },
    },
    clock: () => Date.now(),
    random: Math.random,
    report: (error) => process.stderr.write(`${String(error)}\n`),
  });
  world.webhooks = { ...world.webhooks, drop: true };
  const server = createServer(createApp(world)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  world.publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { world, url: world.publicUrl, close: () => void server.close() };
};

const tellProvider = async <T>(
  { url }: Provider,
  { path, method = 'POST', body = {} }: { path: string; method?: string; body?: object },
): Promise<T> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` };
  const sent = method === 'POST' ? { body: JSON.stringify(body) } : {};
  const response = await fetch(`${url}${path}`, { method, headers, ...sent });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as T;
};

const PRICE = { amount: PRICE_MINOR, currency: CURRENCY };
const offerOf = ({ stripe, log }: SyncParts) =>
  createOffer({ stripe, configured: PRICE, log, metrics: createMetrics('bench') });

const payUnseen = async (parts: SyncParts, provider: Provider): Promise<Paid> => {
  const userId = uuidv7();
  const person = { userId, email: `${userId}@people.test`, name: 'Ada Lovelace' };
  const address = await openCheckout(
    { ...parts, offer: offerOf(parts), publicUrl: 'https://shortlist.test' },
    person,
  );
  const session = /cs_\w+/.exec(address)?.[0] ?? '';
  const path = `/_sandbox/checkout_sessions/${session}/pay`;
  return {
    userId,
    ...(await tellProvider<Omit<Paid, 'userId'>>(provider, { path, body: { card: '4242424242424242' } })),
  };
};

const payKnown = async (parts: SyncParts, provider: Provider): Promise<Paid> => {
  const paid = await payUnseen(parts, provider);
  await refreshSubscriber(parts, paid.userId, { by: 'bench', reason: 'bench', waitMs: 2_000 });
  return paid;
};

type Kind = {
  name: string;
  make: (parts: SyncParts, provider: Provider) => Promise<string>;
  becomes: string;
};

/** What may differ, and the state of the subscription that must stand when all is repaired. */
const KINDS: readonly Kind[] = [
  {
    name: 'a payment of which nobody told us',
    make: async (parts, provider) => (await payUnseen(parts, provider)).userId,
    becomes: 'active',
  },
  {
    name: 'a cancellation of which nobody told us',
    make: async (parts, provider) => {
      const { userId, subscription } = await payKnown(parts, provider);
      await tellProvider(provider, { path: `/v1/subscriptions/${subscription}`, method: 'DELETE' });
      return userId;
    },
    becomes: 'canceled',
  },
  {
    name: 'a refund of which nobody told us',
    make: async (parts, provider) => {
      const { userId, invoice } = await payKnown(parts, provider);
      await tellProvider(provider, { path: `/_sandbox/invoices/${invoice}/refund` });
      return userId;
    },
    becomes: 'canceled',
  },
  {
    name: 'a row of ours that was lost',
    make: async (parts, provider) => {
      const { userId } = await payKnown(parts, provider);
      await parts.db.query(
        "UPDATE subscribers SET paid = NULL, subscription_status = 'past_due' WHERE user_id = ?",
        [userId],
      );
      return userId;
    },
    becomes: 'active',
  },
];

/** So many subscribers whose state is the same on both sides. */
const fillBothSides = async (databaseUrl: string, { world }: Provider, like: string): Promise<void> => {
  const model = world.state.subscriptions.get(like);
  if (model === undefined) throw new Error('no subscription to copy');
  const start = new Date(model.start_date * 1_000).toISOString();
  const end = new Date((model.items.data[0]?.current_period_end ?? 0) * 1_000).toISOString();
  const customer = (index: number): string => `cus_same_${index}`;
  for (let index = 0; index < SUBSCRIPTIONS; index += 1) {
    const id = `sub_same_${index}`;
    world.state.subscriptions.set(id, { ...model, id, customer: customer(index) });
  }
  const rows = function* () {
    for (let index = 0; index < SUBSCRIPTIONS; index += 1) {
      const paid = JSON.stringify({ key: `in_same_${index}`, start, end, graceUntil: end });
      const name = ['', 'Ada Lovelace'];
      yield [[uuidv7(), ...name, customer(index), `sub_same_${index}`, 'active', 1, 1, paid]];
    }
  };
  const columns =
    'user_id, email, name, customer_id, subscription_id, subscription_status, renews, version, paid';
  const db = await createConnection({ uri: databaseUrl, multipleStatements: false });
  await bulkLoad(db, { table: 'subscribers', columns, rows: rows() });
  await db.end();
};

/** Runs as the worker would, one after the other, until the whole list has been looked at once. */
const reconcileAll = async (parts: SyncParts): Promise<{ runs: number[]; found: Reconciled }> => {
  const runs: number[] = [];
  const found: Reconciled = { checked: 0, failed: 0, repaired: [] };
  do {
    const begun = performance.now();
    const { checked, failed, repaired } = await reconcile(parts);
    runs.push(performance.now() - begun);
    found.checked += checked;
    found.failed += failed;
    found.repaired.push(...repaired);
  } while ((await findCursor(parts.db.manager, 'subscriptions')) !== null);
  return { runs, found };
};

const tellPass = (
  tell: (text: string) => void,
  name: string,
  { runs, found }: Awaited<ReturnType<typeof reconcileAll>>,
) => {
  const total = runs.reduce((sum, ms) => sum + ms, 0) / 1_000;
  const people = new Set(found.repaired.map(({ userId }) => userId)).size;
  tell(
    `${name}: ${found.checked} subscriptions looked at in ${runs.length} runs, ${total.toFixed(1)} s in all, the longest run ${(Math.max(...runs) / 1_000).toFixed(1)} s; ${people} people repaired, ${found.failed} not read`,
  );
};

const wrongOnes = async ({ db }: SyncParts, people: [string, Kind][]): Promise<string[]> => {
  const rows: { userId: string; status: string | null }[] = await db.query(
    'SELECT user_id AS userId, subscription_status AS status FROM subscribers WHERE user_id IN (?)',
    [people.map(([userId]) => userId)],
  );
  const status = new Map(rows.map((row) => [row.userId, row.status]));
  return people.filter(([userId, { becomes }]) => status.get(userId) !== becomes).map(([, { name }]) => name);
};

/** F6 the reconciliation over many subscriptions of which some differ, against the sandbox in this process. */
export const benchReconcile = async (tell: (text: string) => void): Promise<void> => {
  const { db, url, stop } = await startBenchDb('billing', schema);
  const provider = await startProvider();
  const limits = { timeout: 10_000, maxNetworkRetries: 0 };
  const stripe = createStripeGateway(createStripe({ key: KEY, apiBase: provider.url, limits }), PRICE);
  const parts = { db, clock: () => new Date(), log: createLog('bench', 'silent'), stripe };
  try {
    const { subscription } = await payKnown(parts, provider);
    await reconcileAll(parts);
    await fillBothSides(url, provider, subscription);
    const people: [string, Kind][] = [];
    for (const kind of KINDS)
      for (let index = 0; index < EACH; index += 1) people.push([await kind.make(parts, provider), kind]);
    tellPass(tell, `${people.length} people differ`, await reconcileAll(parts));
    const wrong = await wrongOnes(parts, people);
    tell(`left as they were: ${wrong.length === 0 ? 'none' : wrong.join(', ')}`);
    tellPass(tell, 'nobody differs', await reconcileAll(parts));
  } finally {
    provider.close();
    await stop();
  }
};
