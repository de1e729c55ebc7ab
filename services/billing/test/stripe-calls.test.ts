import { days, minutes } from '@shortlist/contracts/durations';
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { asService } from '@shortlist/kit/http/http-client';
import { createMetrics } from '@shortlist/kit/process/metrics';
import { until } from '@shortlist/kit/testing/until';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { createCallMeasure, createStripe } from '../src/stripe/client.ts';
import { type Billing, openBilling } from './support.ts';

let billing: Billing;
let metrics: ReturnType<typeof createMetrics>;
beforeAll(async () => {
  billing = await openBilling();
});
beforeEach(() => {
  metrics = createMetrics('billing');
});
afterAll(() => billing.close());

const openStripe = (options: { key?: string; maxNetworkRetries?: number; timeout?: number } = {}) =>
  createStripe({
    key: options.key ?? 'sk_test_of_the_sandbox',
    apiBase: billing.sandbox.url,
    limits: { timeout: options.timeout ?? 10_000, maxNetworkRetries: options.maxNetworkRetries ?? 0 },
    measure: createCallMeasure(metrics),
  });

/** The number of calls by operation and outcome. */
const counted = async (): Promise<string[]> =>
  [
    ...(await metrics.text()).matchAll(
      /^stripe_request_duration_seconds_count\{.*operation="(.+?)".*outcome="(\w+)".*\} (\d+)$/gm,
    ),
  ].map(([, operation, outcome, count]) => `${operation} ${outcome} ${count}`);

const fault = (settings: object): Promise<unknown> =>
  billing.sandbox.control('PUT', '/faults', { path: '/v1/customers', ...settings });

describe("the metric of calls to Stripe's API", () => {
  it('counts calls by their path without ids, and refusals because of their content', async () => {
    const stripe = openStripe();
    const { id } = await stripe.customers.create({ email: 'ada@people.test' });
    await stripe.customers.retrieve(id);
    await expect(stripe.customers.retrieve('cus_9none')).rejects.toThrow(/No such customer/);
    expect(await counted()).toEqual([
      'POST /v1/customers ok 1',
      'GET /v1/customers/:id ok 1',
      'GET /v1/customers/:id refused 1',
    ]);
  });

  it.each([
    ['failed', { status: 500 }, 10_000],
    ['unreachable', { delayMs: 5_000 }, 300],
  ])('counts a call as %s', async (outcome, settings, timeout) => {
    await fault(settings);
    await expect(openStripe({ timeout }).customers.list()).rejects.toThrow();
    expect(await counted()).toEqual([`GET /v1/customers ${outcome} 1`]);
  });

  it('counts a call as limited each time that Stripe refuses it', async () => {
    await fault({ status: 429, times: 2 });
    await openStripe().customers.list();
    expect(await counted()).toEqual(['GET /v1/customers limited 2', 'GET /v1/customers ok 1']);
  });

  it('counts a call with a wrong key as unauthorized', async () => {
    await expect(openStripe({ key: 'sk_test_wrong' }).customers.list()).rejects.toThrow();
    expect(await counted()).toEqual(['GET /v1/customers unauthorized 1']);
  });

  it('counts each attempt of a repeated call', async () => {
    await fault({ status: 500 });
    await openStripe({ maxNetworkRetries: 2 }).customers.list();
    expect((await counted()).toSorted()).toEqual(['GET /v1/customers failed 1', 'GET /v1/customers ok 1']);
  });

  it('has the duration of each call', async () => {
    await fault({ status: 500, delayMs: 120 });
    await expect(openStripe().customers.list()).rejects.toThrow();
    const text = await metrics.text();
    expect(text).toMatch(/^stripe_request_duration_seconds_bucket\{.*le="0.1",.*outcome="failed".*\} 0$/m);
    expect(text).toMatch(/^stripe_request_duration_seconds_bucket\{.*le="10",.*outcome="failed".*\} 1$/m);
  });

  it('contains no id of any call that a checkout, its payment and a reconciliation make', async () => {
    const userId = uuidv7();
    const measured = await openBilling({ metrics });
    await measured.pay(measured.sessionIn((await measured.openCheckout(userId)).url));
    await measured.call(billingEndpoints.reconcile, {}, asService());
    await measured.close();
    const operations = (await counted()).map((line) => line.split(' ')[1] ?? '');
    expect(operations).toContain('/v1/checkout/sessions');
    expect(operations.filter((path) => !/^\/v1(?:\/(?:[a-z_]+|:id))+$/.test(path))).toEqual([]);
  });
});

describe('the calls to Stripe that an action makes', () => {
  let measured: Billing;
  let pricesReadAt = 0;
  beforeAll(async () => {
    pricesReadAt = performance.now();
    measured = await openBilling({ metrics: createMetrics('billing'), limits: { quietMs: 2_000 } });
    // The price of the plan, and whether a line's price is the plan's, are read once a minute.
    const { order, pay, confirm } = buyer();
    await order();
    await pay();
    await confirm();
  });
  afterAll(() => measured.close());

  const callsNow = async (): Promise<Map<string, number>> => {
    const counts = (await measured.metrics.text()).matchAll(
      /^stripe_request_duration_seconds_count\{.*operation="(.+?)".*\} (\d+)$/gm,
    );
    return new Map([...counts].map(([, operation = '', count]) => [operation, Number(count)]));
  };

  type Step = () => Promise<unknown>;

  /** Delivers the customer's events that have not been delivered, and waits until all are settled. Listing them is not counted. */
  const deliverEvents = async (customer: string): Promise<void> => {
    const known = new Set((await measured.inbox(customer)).map(({ event_id: id }) => id));
    const { data } = await measured.api.events.list({ limit: 100 });
    const charges = new Set(
      (await measured.api.charges.list({ customer, limit: 100 })).data.map(({ id }) => id),
    );
    const events = data.filter(({ id, data: { object } }) => {
      const { customer: of, charge } = object as { customer?: string; charge?: string };
      return !known.has(id) && (of === customer || charges.has(charge ?? ''));
    });
    for (const event of events.toReversed()) await measured.deliver(event);
  };
  const settleEvents = (customer: string): Promise<void> =>
    until('every event to be settled', async () =>
      (await measured.inbox(customer)).every(({ status }) => status !== 'pending'),
    );

  /** The calls of the steps by operation, without those of this test. */
  const callsOf = async (
    customerOf: () => string,
    ...steps: (Step | 'events')[]
  ): Promise<Record<string, number>> => {
    const startedAt = performance.now();
    const total = new Map<string, number>();
    const count = async (step: Step): Promise<void> => {
      const before = await callsNow();
      await step();
      for (const [operation, calls] of await callsNow()) {
        const made = calls - (before.get(operation) ?? 0);
        if (made > 0) total.set(operation, (total.get(operation) ?? 0) + made);
      }
    };
    for (const step of steps)
      if (step === 'events') await deliverEvents(customerOf());
      else await count(step);
    await count(() => settleEvents(customerOf()));
    const isPrice = (operation: string): boolean => operation.startsWith('GET /v1/prices');
    if (performance.now() - pricesReadAt < minutes(1)) return Object.fromEntries(total);
    // On a slow machine the minute ends during a test.
    pricesReadAt = startedAt;
    return Object.fromEntries([...total].filter(([operation]) => !isPrice(operation)));
  };
  const sumOf = (calls: Record<string, number>): number =>
    Object.values(calls).reduce((total, count) => total + count, 0);

  const buyer = (userId = uuidv7()) => {
    let sessionId = '';
    let paid = { customer: '', subscription: '', invoice: '' };
    return {
      userId,
      customer: () => paid.customer,
      invoice: () => paid.invoice,
      order: async (): Promise<void> => {
        sessionId = measured.sessionIn((await measured.openCheckout(userId)).url);
      },
      pay: async (): Promise<void> => {
        paid = await measured.pay(sessionId);
      },
      confirm: () => measured.confirm(userId, sessionId),
    };
  };
  const subscribed = async () => {
    const user = buyer();
    await user.order();
    await user.pay();
    await user.confirm();
    await deliverEvents(user.customer());
    await settleEvents(user.customer());
    // What happens next is in a later second of Stripe's clock.
    await measured.advance(5_000);
    return user;
  };
  const READ = { 'GET /v1/subscriptions': 1, 'GET /v1/invoices': 1, 'GET /v1/charges': 1 };
  const ORDER = { 'GET /v1/customers/search': 1, 'POST /v1/customers': 1, 'POST /v1/checkout/sessions': 1 };

  it('are six for a first payment whose events come before the success page', async () => {
    const { customer, order, pay, confirm } = buyer();
    expect(await callsOf(customer, order, pay, 'events', confirm)).toEqual({ ...ORDER, ...READ });
  });

  it('are six for a first payment whose events are processed before the success page', async () => {
    const { customer, order, pay, confirm } = buyer();
    const settle = () => settleEvents(customer());
    expect(await callsOf(customer, order, pay, 'events', settle, confirm)).toEqual({ ...ORDER, ...READ });
  });

  it('are six for a first payment in the second of its order', async () => {
    await measured.advance(500);
    const { customer, order, pay, confirm } = buyer();
    const settle = () => settleEvents(customer());
    expect(await callsOf(customer, order, pay, 'events', settle, confirm)).toEqual({ ...ORDER, ...READ });
    await measured.advance(500);
  });

  it('are six for a first payment whose events come after a success page that was read later', async () => {
    const { customer, order, pay, confirm } = buyer();
    const wait = () => measured.advance(3_000);
    expect(await callsOf(customer, order, pay, wait, confirm, 'events')).toEqual({ ...ORDER, ...READ });
  });

  it('are three for a renewal', async () => {
    const { customer } = await subscribed();
    const renew = () => measured.advance(days(31));
    expect(await callsOf(customer, renew, 'events')).toEqual(READ);
  });

  it('are four to end a plan at once', async () => {
    const { customer, userId } = await subscribed();
    const calls = await callsOf(customer, () => measured.revoke(userId), 'events');
    expect(calls).toEqual({ ...READ, 'DELETE /v1/subscriptions/:id': 1 });
  });

  it('are four to end a plan with its period', async () => {
    const { customer, userId } = await subscribed();
    const calls = await callsOf(customer, () => measured.revoke(userId, { when: 'period_end' }), 'events');
    expect(calls).toEqual({ ...READ, 'POST /v1/subscriptions/:id': 1 });
  });

  it('are five to buy again after the end', async () => {
    const user = await subscribed();
    await measured.revoke(user.userId);
    await deliverEvents(user.customer());
    await settleEvents(user.customer());
    await measured.advance(5_000);
    const { customer, order, pay, confirm } = buyer(user.userId);
    const calls = await callsOf(customer, order, pay, 'events', confirm);
    expect(sumOf(calls)).toBe(5);
  });

  it('are four for a refund', async () => {
    const { customer, invoice } = await subscribed();
    const refund = () => measured.sandbox.control('POST', `/invoices/${invoice()}/refund`);
    const calls = await callsOf(customer, refund, 'events');
    expect(calls).toEqual({ ...READ, 'DELETE /v1/subscriptions/:id': 1 });
  });

  it('are four for a dispute', async () => {
    const { customer, invoice } = await subscribed();
    const open = () => measured.sandbox.control('POST', `/invoices/${invoice()}/dispute`);
    expect(await callsOf(customer, open, 'events')).toEqual({ ...READ, 'GET /v1/disputes': 1 });
  });

  it('are three for a renewal after a dispute that was decided long ago', async () => {
    const { customer, invoice } = await subscribed();
    const { id } = await measured.sandbox.control<{ id: string }>('POST', `/invoices/${invoice()}/dispute`);
    await measured.sandbox.control('POST', `/disputes/${id}/close`, { status: 'won' });
    await deliverEvents(customer());
    await settleEvents(customer());
    await measured.advance(days(100));
    const renew = () => measured.advance(days(31));
    await deliverEvents(customer());
    await settleEvents(customer());
    expect(await callsOf(customer, renew, 'events')).toEqual(READ);
    const [dispute] = await measured.db.query<{ status: string }[]>(
      'SELECT status FROM disputes WHERE dispute_id = ?',
      [id],
    );
    expect(dispute).toEqual({ status: 'won' });
  });
});
