import { days } from '@shortlist/contracts/durations';
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
    ['limited', { status: 429 }, 10_000],
    ['unreachable', { delayMs: 5_000 }, 300],
  ])('counts a call as %s', async (outcome, settings, timeout) => {
    await fault(settings);
    await expect(openStripe({ timeout }).customers.list()).rejects.toThrow();
    expect(await counted()).toEqual([`GET /v1/customers ${outcome} 1`]);
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
  beforeAll(async () => {
    measured = await openBilling({ metrics: createMetrics('billing'), limits: { quietMs: 2_000 } });
  });
  afterAll(() => measured.close());

  const callsNow = async (): Promise<number> =>
    [...(await measured.metrics.text()).matchAll(/^stripe_request_duration_seconds_count\{.*\} (\d+)$/gm)]
      .map(([, count]) => Number(count))
      .reduce((sum, count) => sum + count, 0);
  /** Runs an action, delivers the events that it caused, and returns the number of calls until all are settled. */
  const callsOf = async (customerOf: () => string, action: () => Promise<unknown>): Promise<number> => {
    const before = await callsNow();
    await action();
    const customer = customerOf();
    const known = new Set((await measured.inbox(customer)).map(({ event_id: id }) => id));
    const listing = await callsNow();
    const events = (await measured.eventsOf(customer)).filter(({ id }) => !known.has(id));
    const listed = (await callsNow()) - listing;
    for (const event of events) await measured.deliver(event);
    await until('every event to be settled', async () =>
      (await measured.inbox(customer)).every(({ status }) => status !== 'pending'),
    );
    return (await callsNow()) - before - listed;
  };

  it('are no more than these: the events of an action lead to one refresh', async () => {
    const userId = uuidv7();
    let customer = '';
    const buy = async (): Promise<void> => {
      const sessionId = measured.sessionIn((await measured.openCheckout(userId)).url);
      ({ customer } = await measured.pay(sessionId));
      await measured.confirm(userId, sessionId);
    };
    const counts = {
      // Five open the checkout, five confirm it, and three read the customer after the events.
      firstPayment: await callsOf(() => customer, buy),
      renewal: await callsOf(
        () => customer,
        () => measured.advance(days(31)),
      ),
      unsubscription: await callsOf(
        () => customer,
        () => measured.revoke(userId),
      ),
    };
    expect(counts).toEqual({ firstPayment: 13, renewal: 3, unsubscription: 11 });
  });
});
