import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { until } from '@shortlist/kit/testing/until';
import type { StripeGateway } from '../src/stripe/gateway.ts';
import { insertStripeEvent } from '../src/stripe/inbox.ts';
import { processEvent } from '../src/stripe/process-event.ts';
import { insertSubscriberIfAbsent, updateSubscriber } from '../src/subscriptions/queries.ts';
import type { ProviderState } from '../src/subscriptions/subscription.rules.ts';
import { refreshSubscriber } from '../src/subscriptions/refresh-subscriber.ts';
import { type Billing, DAY, openBilling, times } from './support.ts';

let billing: Billing;
/** What the provider said after each of the six events, as the sandbox really answered. */
let readings: ProviderState[] = [];

const EVENTS = [
  'checkout.session.completed',
  'customer.subscription.created',
  'invoice.paid',
  'customer.subscription.updated',
  'invoice.paid',
  'customer.subscription.deleted',
];

const permutations = (of: number[]): number[][] =>
  of.length < 2
    ? [of]
    : of.flatMap((first) => permutations(of.filter((one) => one !== first)).map((rest) => [first, ...rest]));

beforeAll(async () => {
  billing = await openBilling();
  const { customer, subscription } = await billing.subscribe();
  const begun = await billing.stripe.readCustomer(customer);
  await billing.advance(31 * DAY);
  const renewed = await billing.stripe.readCustomer(customer);
  await billing.advance(DAY);
  await billing.stripe.cancelSubscription(subscription);
  const ended = await billing.stripe.readCustomer(customer);
  readings = [begun, begun, begun, renewed, renewed, ended];
});
afterAll(() => billing.close());

/** The same reading for another customer: ids are unique over the whole provider. */
const renamed = ({ subscriptions, invoices }: ProviderState, mark: string): ProviderState => ({
  subscriptions: subscriptions.map((one) => ({ ...one, id: one.id + mark })),
  invoices: invoices.map((one) => ({
    ...one,
    id: one.id + mark,
    subscriptionId: `${one.subscriptionId}${mark}`,
  })),
});

type Reading = (order: number[], delivered: number) => number;

/** Delivers the six in one order, with doubles, and answers what came of it. */
const live = async (order: number[], reading: Reading): Promise<object> => {
  const userId = uuidv7();
  const mark = `_${userId.slice(-12)}`;
  const customerId = `cus${mark}`;
  await insertSubscriberIfAbsent(billing.db.manager, { userId, email: `${userId}@people.test`, name: 'Ada' });
  await updateSubscriber(billing.db.manager, userId, { customerId });
  let delivered = 0;
  const readCustomer: StripeGateway['readCustomer'] = () =>
    Promise.resolve(
      renamed(readings[reading(order, delivered)] ?? { subscriptions: [], invoices: [] }, mark),
    );
  const parts = { ...billing, stripe: { ...billing.stripe, readCustomer } };
  for (const index of order) {
    delivered += 1;
    const double = (userId.charCodeAt(delivered + 20) + index) % 3 === 0;
    for (const _ of times(double ? 2 : 1)) {
      const event = { eventId: `evt_${index}${mark}`, type: EVENTS[index] ?? '', customerId, payload: '{}' };
      await insertStripeEvent(billing.db.manager, { ...event, receivedAt: billing.clock() });
      await processEvent(parts, event.eventId);
    }
  }
  const { paid, granted, plan, row } = await billing.stateOf(userId);
  const invoices: object[] = await billing.db.query(
    'SELECT REPLACE(invoice_id, ?, "") AS id, status, amount, refunded FROM invoices WHERE user_id = ? ORDER BY paid_at',
    [mark, userId],
  );
  const told = await billing.told(userId);
  return {
    ...{ plan, granted, invoices, status: row.subscriptionStatus, renews: row.renews },
    paid: paid && { ...paid, key: paid.key.replace(mark, '') },
    payments: told.filter((name) => name === 'PaymentSucceeded').length,
    open: (await billing.inbox(customerId)).filter(({ status }) => status !== 'done').length,
  };
};

const ATONCE = 8;
const inAllOrders = async (reading: Reading): Promise<void> => {
  const orders = permutations(times(6));
  expect(orders).toHaveLength(720);
  const inOrder = await live(times(6), reading);
  expect(inOrder).toMatchObject({ plan: 'free', payments: 2, open: 0, status: 'canceled' });
  const wrong: object[] = [];
  const worker = async (): Promise<void> => {
    for (let order = orders.pop(); order; order = orders.pop()) {
      const end = await live(order, reading);
      if (JSON.stringify(end) !== JSON.stringify(inOrder)) wrong.push({ order, end });
    }
  };
  await Promise.all(times(ATONCE).map(worker));
  expect(wrong).toEqual([]);
};

describe('F4: every order of a life cycle of six events, with doubles, ends as the right order does', () => {
  it('when all has happened before the first delivery', () => inAllOrders(() => 5), 120_000);

  it(
    'when the provider is, at each delivery, only as far as the newest event that was delivered',
    () => inAllOrders((order, delivered) => Math.max(...order.slice(0, delivered))),
    120_000,
  );

  it('X18: when the deliveries of a payment and of its end come three days late, newest first', async () => {
    const { userId, customer, subscription } = await billing.subscribe();
    await billing.api.subscriptions.cancel(subscription);
    await refreshSubscriber(billing, userId, { by: 'test', reason: 'seen otherwise', waitMs: 2_000 });
    expect((await billing.stateOf(userId)).plan).toBe('free');
    expect(await billing.inbox(customer)).toEqual([]);
    const told = await billing.told(userId);
    await billing.advance(3 * DAY);
    for (const event of (await billing.eventsOf(customer)).toReversed()) {
      expect(billing.clock().getTime() - event.created * 1_000).toBeGreaterThanOrEqual(3 * DAY);
      expect((await billing.deliver(event)).status).toBe(200);
    }
    const statuses = async (): Promise<string[]> =>
      (await billing.inbox(customer)).map(({ status }) => status);
    await until(
      'all its events to be read',
      async () => (await statuses()).length > 3 && !(await statuses()).includes('pending'),
    );
    expect((await billing.stateOf(userId)).plan).toBe('free');
    expect(await billing.told(userId)).toEqual(told);
  });

  it('when events of one customer are worked off at the same moment', async () => {
    const { userId, customer } = await billing.subscribe();
    await billing.advance(32 * DAY);
    const events = await billing.eventsOf(customer);
    for (const event of events) {
      const type = event.type as string;
      const row = {
        eventId: event.id,
        type,
        customerId: customer,
        payload: '{}',
        receivedAt: billing.clock(),
      };
      await insertStripeEvent(billing.db.manager, row);
    }
    await Promise.all(events.map(({ id }) => processEvent(billing, id)));
    expect((await billing.told(userId)).filter((name) => name === 'PaymentSucceeded')).toHaveLength(2);
    expect((await billing.inbox(customer)).filter(({ status }) => status === 'failed')).toEqual([]);
  });
});
