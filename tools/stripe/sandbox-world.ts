import { days, inSeconds } from '@shortlist/contracts/durations';
import { createSandbox } from '@shortlist/sandbox/sandbox';
import type { Stripe } from 'stripe';
import {
  type Access,
  type Actions,
  BUYER,
  type Card,
  createClient,
  findPrice,
  nextStart,
  type Provider,
  type Purchase,
} from './world.ts';

const NUMBERS: Record<Card, string> = {
  accepted: '4242424242424242',
  'declined later': '4000000000000341',
  authenticated: '4000002760003184',
  // The sandbox disputes any payment and fails any refund.
  disputed: '4242424242424242',
  'refund fails': '4242424242424242',
};

type Control = <T>(path: string, body?: object, method?: 'GET' | 'PUT' | 'POST') => Promise<T>;

const createControl =
  (base: string): Control =>
  async <T>(path: string, body?: object, method = 'POST') => {
    const response = await fetch(new URL(`/_sandbox${path}`, base), {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const reply = (await response.json()) as T;
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(reply)}`);
    return reply;
  };

const createSubscribe =
  (stripe: Stripe, control: Control): Actions['subscribe'] =>
  async ({ card = 'accepted', debit, percentOff = 0, isTaxed = false, currency = 'usd' }: Purchase = {}) => {
    const { id: customer } = await stripe.customers.create(BUYER);
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price: await findPrice(stripe, currency), quantity: 1 }],
      success_url: 'https://example.com/',
      automatic_tax: { enabled: isTaxed },
    });
    const { subscription, invoice } = await control<{ subscription: string; invoice: string }>(
      `/checkout_sessions/${session.id}/pay`,
      { method: debit === undefined ? 'card' : 'bank_debit', card: NUMBERS[card], percentOff },
    );
    return { customer, subscription, invoice };
  };

const createActions = (stripe: Stripe, control: Control): Actions => ({
  findPrice: () => findPrice(stripe),
  addCustomer: async () => (await stripe.customers.create(BUYER)).id,
  subscribe: createSubscribe(stripe, control),
  payCheckout: (session, card) => control(`/checkout_sessions/${session}/pay`, { card: NUMBERS[card] }),
  replaceCard: (customer, card) => control(`/customers/${customer}/card`, { card: NUMBERS[card] }),
  advance: (count) => control('/clock/advance', { seconds: inSeconds(days(count)) }),
  retryOn: (retryDays) => control('/settings', { retryDays }, 'PUT'),
  dispute: async (invoice) => (await control<{ id: string }>(`/invoices/${invoice}/dispute`)).id,
  winDispute: (dispute) => control(`/disputes/${dispute}/close`, { status: 'won' }),
  failRefund: (refund) => control(`/refunds/${refund}/fail`),
  settleDebit: (invoice, outcome) => control(`/invoices/${invoice}/settle`, { outcome }),
  pause: (subscription) => control(`/subscriptions/${subscription}/pause`),
  resume: (subscription) => control(`/subscriptions/${subscription}/resume`),
  settle: () => Promise.resolve(),
});

/** Whether there is a sandbox at this address. */
export const isSandbox = async (base: string): Promise<boolean> => {
  const response = await fetch(new URL('/_sandbox/clock', base)).catch(() => null);
  return response?.ok === true;
};

/** The sandbox at this address. It is emptied before each scenario, so one with customers is refused. */
export const connectSandbox = async (access: Access & { base: string }): Promise<Provider> => {
  const stripe = createClient(access);
  const control = createControl(access.base);
  const { data } = await stripe.customers.list({ limit: 1 });
  if (data.length > 0)
    throw new Error('The sandbox has customers, and scenarios would delete them: start another one.');
  return {
    access,
    open: async () => {
      await control('/reset');
      const { now } = await control<{ now: number }>('/clock', undefined, 'GET');
      const startedAt = nextStart(now);
      await control('/clock/advance', { seconds: startedAt - now });
      return {
        startedAt,
        actions: createActions(stripe, control),
        close: async () => {
          await control('/reset');
        },
      };
    },
  };
};

/** Starts a sandbox in this process. */
export const startSandbox = async (): Promise<{ provider: Provider; close: () => Promise<void> }> => {
  const key = 'sk_test_sandbox';
  const sandbox = createSandbox({
    config: {
      port: 0,
      host: '127.0.0.1',
      publicUrl: null,
      webhookUrl: null,
      webhookSecret: 'whsec_unused',
      stripeSecretKey: key,
      mailApiKey: 'unused',
      stateFile: null,
    },
    clock: () => Date.now(),
  });
  const { url, close } = await sandbox.listen();
  return { provider: await connectSandbox({ key, base: url }), close };
};
