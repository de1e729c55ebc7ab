import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { randomFrom } from '@shortlist/kit/process/fail-point';
import { until } from '@shortlist/kit/testing/until';
import type { StripeGateway } from '../src/stripe/gateway.ts';
import { insertStripeEvent } from '../src/stripe/inbox.ts';
import { processEvent } from '../src/stripe/process-event.ts';
import { insertSubscriberIfAbsent, updateSubscriber } from '../src/subscriptions/queries.ts';
import type { ProviderState } from '../src/subscriptions/subscription.rules.ts';
import { refreshSubscriber } from '../src/subscriptions/refresh-subscriber.ts';
import { type Billing, DAY, openBilling, START, times } from './support.ts';

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

/** How far the provider has come when it is asked, by what was delivered so far. */
type Reading = (delivered: number[]) => number;

/** The order with three doubles, each somewhere behind the delivery that it repeats. */
const withDoubles = (order: number[], random: () => number): number[] =>
  times(3).reduce((deliveries) => {
    const again = Math.floor(random() * deliveries.length);
    const at = again + 1 + Math.floor(random() * (deliveries.length - again));
    return deliveries.toSpliced(at, 0, deliveries[again] ?? 0);
  }, order);

// All in one second: nothing in the events themselves tells which came first.
const payload = JSON.stringify({ object: 'event', created: Math.floor(START.getTime() / 1_000) });

type Seen = { delivered: string; state: string };

/** What we hold of somebody, in words that are the same for everybody who lived through the same. */
const stateOf = async (userId: string, mark: string): Promise<string> => {
  const { paid, granted, plan, row } = await billing.stateOf(userId);
  const invoices: object[] = await billing.db.query(
    'SELECT invoice_id AS id, status, amount, refunded FROM invoices WHERE user_id = ? ORDER BY paid_at',
    [userId],
  );
  const open = (await billing.inbox(`cus${mark}`)).filter(({ status }) => status !== 'done').length;
  const { subscriptionStatus: status, renews } = row;
  const state = { plan, status, renews, open, granted, paid, invoices };
  return JSON.stringify(state).replaceAll(mark, '');
};

/** Delivers events in one order, with doubles, and answers what stood after each that was new, and at the end. */
const live = async (order: number[], reading: Reading): Promise<Seen[]> => {
  const userId = uuidv7();
  const mark = `_${userId.slice(-12)}`;
  const customerId = `cus${mark}`;
  await insertSubscriberIfAbsent(billing.db.manager, { userId, email: `${userId}@people.test`, name: 'Ada' });
  await updateSubscriber(billing.db.manager, userId, { customerId });
  const delivered: number[] = [];
  const readCustomer: StripeGateway['readCustomer'] = () =>
    Promise.resolve(renamed(readings[reading(delivered)] ?? { subscriptions: [], invoices: [] }, mark));
  const parts = { ...billing, stripe: { ...billing.stripe, readCustomer } };
  const seen: Seen[] = [];
  const deliveries = withDoubles(order, randomFrom(Number(order.join(''))));
  for (const index of deliveries) {
    const isNew = !delivered.includes(index);
    delivered.push(index);
    const event = { eventId: `evt_${index}${mark}`, type: EVENTS[index] ?? '', customerId, payload };
    await insertStripeEvent(billing.db.manager, { ...event, receivedAt: billing.clock() });
    await processEvent(parts, event.eventId);
    const set = [...new Set(delivered)].toSorted().join('');
    if (isNew || delivered.length === deliveries.length)
      seen.push({ delivered: set, state: await stateOf(userId, mark) });
  }
  const paid: object[] = await billing.db.query('SELECT 1 FROM invoices WHERE user_id = ?', [userId]);
  const told = await billing.told(userId);
  expect(told.filter((name) => name === 'PaymentSucceeded')).toHaveLength(paid.length);
  return seen;
};

const SUBSETS = times(63).map((bits) => times(6).filter((index) => ((bits + 1) >> index) & 1));

const eightAtATime = async <T>(list: T[], work: (one: T) => Promise<void>): Promise<void> => {
  const left = [...list];
  const worker = async (): Promise<void> => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await work(one);
  };
  await Promise.all(times(8).map(worker));
};

/** Whatever was delivered so far, in any order: what stands is what stands when just that came in the right order. */
const inAllOrders = async (reading: Reading): Promise<void> => {
  const orders = permutations(times(6));
  expect(orders).toHaveLength(720);
  const right = new Map<string, string>();
  await eightAtATime(SUBSETS, async (some) => {
    right.set(some.join(''), (await live(some, reading)).at(-1)?.state ?? '');
  });
  expect(right.get('012345')).toMatch(/"plan":"free","status":"canceled","renews":false,"open":0/);
  const wrong: object[] = [];
  const checked = new Set<string>();
  await eightAtATime(orders, async (order) => {
    for (const { delivered, state } of await live(order, reading)) {
      checked.add(delivered);
      if (state !== right.get(delivered)) wrong.push({ order, delivered, state });
    }
  });
  expect(wrong).toEqual([]);
  expect(checked.size).toBe(63);
};

describe('F4: every order of a life cycle of six events of one second, with doubles, ends as the right order does, whatever of it has come', () => {
  it('when all has happened before the first delivery', () => inAllOrders(() => 5));

  it('when the provider is, at each delivery, only as far as the newest event that was delivered', () =>
    inAllOrders((delivered) => Math.max(...delivered)));

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
