import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { onTestFinished } from 'vitest';
import type { Config } from '../src/config.ts';
import { createSandbox } from '../src/sandbox.ts';

export const webhookSecret = 'whsec_for_tests';
export const DAY = 86_400;

const config: Config = {
  port: 0,
  host: '127.0.0.1',
  publicUrl: null,
  // The discard port: nothing listens there.
  webhookUrl: 'http://127.0.0.1:9/nobody',
  webhookSecret,
  stripeSecretKey: 'sk_test_sandbox',
  mailApiKey: 'SG.sandbox',
  stateFile: null,
};

export type EventLogEntry = {
  id: string;
  status: string;
  attempts: { at: string; url: string; status?: number; error?: string }[];
  nextAttemptAt: string;
};

/** All that the tests read from any control door. */
export type ControlReply = {
  error: { message: string; code: string };
  data: EventLogEntry[];
  attempts: unknown[];
  now: number;
  offsetSeconds: number;
  subscription: string;
};

export type Started = {
  url: string;
  stripe: Stripe;
  close: () => Promise<void>;
  control: (method: string, path: string, body?: unknown) => Promise<{ status: number; body: ControlReply }>;
};

export type StartOptions = {
  at?: string;
  config?: Partial<Config>;
  stripe?: Stripe.StripeConfig;
};

/** A sandbox of its own for one test; `at` sets its real clock, which then stands still. */
export const start = async (options: StartOptions = {}): Promise<Started> => {
  const at = options.at === undefined ? null : Date.parse(options.at);
  const sandbox = createSandbox({
    config: { ...config, ...options.config },
    clock: () => at ?? Date.now(),
    report: (error) => {
      throw error;
    },
  });
  const { url, close } = await sandbox.listen();
  let isClosed = false;
  const closeOnce = async () => {
    if (!isClosed) await close();
    isClosed = true;
  };
  onTestFinished(closeOnce);
  const { hostname, port } = new URL(url);
  const stripe = new Stripe('sk_test_sandbox', {
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    timeout: 5000,
    telemetry: false,
    ...options.stripe,
  });

  const control = async (method: string, path: string, body?: unknown): ReturnType<Started['control']> => {
    const response = await fetch(`${url}/_sandbox${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as ControlReply };
  };

  return { url, stripe, close: closeOnce, control };
};

export const addPlan = async (stripe: Stripe, lookupKey = 'premium_monthly'): Promise<Stripe.Price> => {
  const product = await stripe.products.create({ name: 'Shortlist Premium' });
  return stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 5900,
    recurring: { interval: 'month' },
    lookup_key: lookupKey,
  });
};

export type Offer = {
  customer: Stripe.Customer;
  price: Stripe.Price;
  session: Stripe.Checkout.Session;
};

export const offer = async (stripe: Stripe, email = 'ada@example.com'): Promise<Offer> => {
  const held = await stripe.prices.list({ lookup_keys: ['premium_monthly'], active: true });
  const price = held.data[0] ?? (await addPlan(stripe));
  const customer = await stripe.customers.create({ email, name: 'Ada Lovelace' });
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: 'http://127.0.0.1:9/payments/success?xsl={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://127.0.0.1:9/payments/cancel',
    client_reference_id: 'user-1',
    metadata: { intent: 'i-1' },
    subscription_data: { metadata: { user: 'user-1' } },
  });
  return { customer, price, session };
};

export type Subscribed = Offer & {
  subscription: Stripe.Subscription;
};

export const subscribe = async (
  { stripe, control }: Started,
  card = '4242424242424242',
): Promise<Subscribed> => {
  const offered = await offer(stripe);
  const { status, body } = await control('POST', `/checkout_sessions/${offered.session.id}/pay`, { card });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { ...offered, subscription: await stripe.subscriptions.retrieve(body.subscription) };
};

export type Hearer = {
  url: string;
  heard: { body: string; signature: string; at: number }[];
  answer: { status: number };
  types: () => string[];
};

/** A receiver of webhooks that writes down what it hears. */
export const hearer = async (): Promise<Hearer> => {
  const heard: Hearer['heard'] = [];
  const answer = { status: 200 };
  const server = createServer((request: IncomingMessage, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const signature = String(request.headers['stripe-signature']);
      heard.push({ body: Buffer.concat(parts).toString(), signature, at: Date.now() });
      response.writeHead(answer.status).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const types = () => heard.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  return { url: `http://127.0.0.1:${port}/webhooks/stripe`, heard, answer, types };
};

/** What an event carries, as far as the tests read it. */
export const carried = (body: string): { id: string; data: { object: { name: string } } } =>
  JSON.parse(body) as ReturnType<typeof carried>;

export const idOf = (reference: string | { id: string } | null | undefined): string =>
  typeof reference === 'string' ? reference : (reference?.id ?? '');

export const firstOf = <T>({ data }: { data: T[] }): T => {
  const [first] = data;
  if (first === undefined) throw new Error('The list is empty.');
  return first;
};

export const until = async (isTrue: () => boolean | Promise<boolean>, limit = 5000): Promise<void> => {
  const end = Date.now() + limit;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error('This did not become true in time.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
