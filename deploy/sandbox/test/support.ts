import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { onTestFinished } from 'vitest';
import type { Config } from '../src/config.ts';
import { createSandbox } from '../src/sandbox.ts';

export const WEBHOOK_SECRET = 'whsec_for_tests';

const config: Config = {
  port: 0,
  host: '127.0.0.1',
  publicUrl: null,
  // The discard port, on which nothing listens.
  webhookUrl: 'http://127.0.0.1:9/unreachable',
  webhookSecret: WEBHOOK_SECRET,
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

/** The fields that the tests read from responses of the control API. */
export type ControlBody = {
  error: { message: string; code: string };
  data: EventLogEntry[];
  attempts: unknown[];
  now: number;
  offsetSeconds: number;
  subscription: string;
};

export type RunningSandbox = {
  url: string;
  stripe: Stripe;
  close: () => Promise<void>;
  control: (method: string, path: string, body?: unknown) => Promise<{ status: number; body: ControlBody }>;
};

export type StartOptions = {
  at?: string;
  config?: Partial<Config>;
  stripe?: Stripe.StripeConfig;
};

/** Starts a sandbox for one test. `at` sets its real clock to a fixed time. */
export const startSandbox = async (options: StartOptions = {}): Promise<RunningSandbox> => {
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

  const control = async (
    method: string,
    path: string,
    body?: unknown,
  ): ReturnType<RunningSandbox['control']> => {
    const response = await fetch(`${url}/_sandbox${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as ControlBody };
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

export const advance = async ({ control }: RunningSandbox, seconds: number): Promise<void> => {
  const { status, body } = await control('POST', '/clock/advance', { seconds });
  if (status !== 200) throw new Error(JSON.stringify(body));
};

export type OpenCheckout = {
  customer: Stripe.Customer;
  price: Stripe.Price;
  session: Stripe.Checkout.Session;
};

export const openCheckout = async (stripe: Stripe, email = 'ada@example.com'): Promise<OpenCheckout> => {
  const prices = await stripe.prices.list({ lookup_keys: ['premium_monthly'], active: true });
  const price = prices.data[0] ?? (await addPlan(stripe));
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

export type PaidCheckout = OpenCheckout & {
  subscription: Stripe.Subscription;
};

export const subscribe = async (
  { stripe, control }: RunningSandbox,
  card = '4242424242424242',
): Promise<PaidCheckout> => {
  const checkout = await openCheckout(stripe);
  const { status, body } = await control('POST', `/checkout_sessions/${checkout.session.id}/pay`, { card });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { ...checkout, subscription: await stripe.subscriptions.retrieve(body.subscription) };
};

export type WebhookReceiver = {
  url: string;
  received: { body: string; signature: string; at: number }[];
  nextResponse: { status: number };
  types: () => string[];
};

/** Starts a webhook receiver that records requests and responds with `nextResponse`. */
export const startReceiver = async (): Promise<WebhookReceiver> => {
  const received: WebhookReceiver['received'] = [];
  const nextResponse = { status: 200 };
  const server = createServer((request: IncomingMessage, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const signature = String(request.headers['stripe-signature']);
      received.push({ body: Buffer.concat(parts).toString(), signature, at: Date.now() });
      response.writeHead(nextResponse.status).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const types = () => received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  return { url: `http://127.0.0.1:${port}/webhooks/stripe`, received, nextResponse, types };
};

export const parseEvent = (body: string): { id: string; data: { object: { name: string } } } =>
  JSON.parse(body) as ReturnType<typeof parseEvent>;

export const idOf = (reference: string | { id: string } | null | undefined): string =>
  typeof reference === 'string' ? reference : (reference?.id ?? '');

export const firstItem = <T>({ data }: { data: T[] }): T => {
  const [first] = data;
  if (first === undefined) throw new Error('The list is empty.');
  return first;
};

export const waitUntil = async (condition: () => boolean | Promise<boolean>, limit = 5000): Promise<void> => {
  const end = Date.now() + limit;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('The condition was not met within the limit.');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
