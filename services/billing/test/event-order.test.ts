import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { days, minutes } from '@shortlist/contracts/durations';
import { isLongRun, randomFrom, sample, seed } from '@shortlist/kit/testing/sample';
import { until } from '@shortlist/kit/testing/until';
import type { StripeGateway } from '../src/stripe/gateway.ts';
import { insertStripeEvent } from '../src/records/event-queries.ts';
import { processEvent } from '../src/inbox/receive-event.ts';
import { insertSubscriberIfAbsent, updateSubscriber } from '../src/subscriptions/queries.ts';
import type { CustomerSnapshot } from '../src/stripe/snapshot.ts';
import { refreshSubscriber } from '../src/refresh/refresh-subscriber.ts';
import { type Billing, openBilling, START, times } from './support.ts';

let billing: Billing;
/** The sandbox's snapshot after each of the six events. */
let snapshots: CustomerSnapshot[] = [];

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
  await billing.advance(days(31));
  const renewed = await billing.stripe.readCustomer(customer);
  await billing.advance(days(1));
  await billing.stripe.cancelSubscription(subscription);
  const ended = await billing.stripe.readCustomer(customer);
  snapshots = [begun, begun, begun, renewed, renewed, ended];
});
afterAll(() => billing.close());

/** The same snapshot for another customer: ids are unique in all of Stripe. */
const withMark = (
  { subscriptions, foreign, invoices, packs, disputes }: CustomerSnapshot,
  mark: string,
): CustomerSnapshot => ({
  subscriptions: subscriptions.map((one) => ({ ...one, id: one.id + mark })),
  invoices: invoices.map((one) => ({
    ...one,
    id: one.id + mark,
    subscriptionId: `${one.subscriptionId}${mark}`,
  })),
  foreign,
  packs,
  disputes,
});

/** The index of the snapshot that Stripe returns after the deliveries so far. */
type SnapshotIndex = (delivered: number[]) => number;

/** The order with three repetitions, each somewhere after its first delivery. */
const withRepetitions = (order: number[], random: () => number): number[] =>
  times(3).reduce((deliveries) => {
    const again = Math.floor(random() * deliveries.length);
    const at = again + 1 + Math.floor(random() * (deliveries.length - again));
    return deliveries.toSpliced(at, 0, deliveries[again] ?? 0);
  }, order);

// All created in one second: the events themselves do not show their order.
const payload = JSON.stringify({ object: 'event', created: Math.floor(START.getTime() / 1_000) });

type State = { delivered: string; state: string };

/** The stored state without the ids that differ between subscribers. */
const stateOf = async (userId: string, mark: string): Promise<string> => {
  const { paid, granted, plan, row } = await billing.stateOf(userId);
  const invoices: object[] = await billing.db.query(
    'SELECT invoice_id AS id, status, amount, refunded FROM invoices WHERE user_id = ? ORDER BY paid_at',
    [userId],
  );
  /** The errors of events that are not processed, so that a difference names its cause. */
  const open: object[] = await billing.db.query(
    "SELECT status, last_error AS error FROM stripe_events WHERE customer_id = ? AND status <> 'done'",
    [`cus${mark}`],
  );
  const { subscriptionStatus: status, renews } = row;
  const state = { plan, status, renews, open, granted, paid, invoices };
  return JSON.stringify(state).replaceAll(mark, '');
};

/** Delivers events in one order, with repetitions, and returns the state after each new event and at the end. */
const deliverAll = async (order: number[], snapshotIndex: SnapshotIndex): Promise<State[]> => {
  const userId = uuidv7();
  const mark = `_${userId.slice(-12)}`;
  const customerId = `cus${mark}`;
  await insertSubscriberIfAbsent(billing.db.manager, { userId, email: `${userId}@people.test`, name: 'Ada' });
  await updateSubscriber(billing.db.manager, userId, { customerId });
  const delivered: number[] = [];
  const readCustomer: StripeGateway['readCustomer'] = () =>
    Promise.resolve(
      withMark(
        snapshots[snapshotIndex(delivered)] ?? {
          subscriptions: [],
          invoices: [],
          foreign: [],
          packs: [],
          disputes: [],
        },
        mark,
      ),
    );
  const parts = { ...billing, stripe: { ...billing.stripe, readCustomer } };
  const states: State[] = [];
  const deliveries = withRepetitions(order, randomFrom(Number(order.join(''))));
  for (const index of deliveries) {
    const isNew = !delivered.includes(index);
    delivered.push(index);
    const event = { eventId: `evt_${index}${mark}`, type: EVENTS[index] ?? '', customerId, payload };
    await insertStripeEvent(billing.db.manager, { ...event, receivedAt: billing.clock() });
    await processEvent(parts, event.eventId);
    const set = [...new Set(delivered)].toSorted().join('');
    if (isNew || delivered.length === deliveries.length)
      states.push({ delivered: set, state: await stateOf(userId, mark) });
  }
  const paid: object[] = await billing.db.query('SELECT 1 FROM invoices WHERE user_id = ?', [userId]);
  const emitted = await billing.emitted(userId);
  expect(emitted.filter((name) => name === 'PaymentSucceeded')).toHaveLength(paid.length);
  return states;
};

const ORDERS = permutations(times(6));
const sampledOrders = sample(ORDERS, 12);
/** All orders take minutes; this ends a run that hangs. */
const timeout = isLongRun ? minutes(30) : minutes(2);

/** The events that an order has delivered after each of its steps, in the right order. */
const prefixesOf = (order: number[]): number[][] =>
  order.map((_, last) => order.slice(0, last + 1).toSorted());

const eightAtATime = async <T>(list: T[], work: (one: T) => Promise<void>): Promise<void> => {
  const left = [...list];
  const worker = async (): Promise<void> => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await work(one);
  };
  await Promise.all(times(8).map(worker));
};

/** Asserts that the state after any subset of events does not depend on their order. */
const inEveryOrder = async (snapshotIndex: SnapshotIndex): Promise<void> => {
  const subsets = new Map(sampledOrders.flatMap(prefixesOf).map((subset) => [subset.join(''), subset]));
  const expected = new Map<string, string>();
  await eightAtATime([...subsets], async ([delivered, subset]) => {
    expected.set(delivered, (await deliverAll(subset, snapshotIndex)).at(-1)?.state ?? '');
  });
  expect(expected.get('012345')).toMatch(/"plan":"free","status":"canceled","renews":false,"open":\[\]/);
  const wrong: object[] = [];
  const checked = new Set<string>();
  await eightAtATime(sampledOrders, async (order) => {
    for (const { delivered, state } of await deliverAll(order, snapshotIndex)) {
      checked.add(delivered);
      if (state !== expected.get(delivered)) wrong.push({ order, delivered, state });
    }
  });
  expect(wrong).toEqual([]);
  expect([...checked].toSorted()).toEqual([...subsets.keys()].toSorted());
};

it('a long run covers the 720 orders and the 63 subsets of six events, and another run a part of the orders', () => {
  expect(ORDERS).toHaveLength(720);
  expect(new Set(ORDERS.flatMap(prefixesOf).map((subset) => subset.join(''))).size).toBe(63);
  expect(sampledOrders).toHaveLength(isLongRun ? 720 : 12);
});

describe(`F4: every order of six events of one second, with repetitions, leads to the same state as the right order, seed ${seed}`, () => {
  it('if everything happened at Stripe before the first delivery', { timeout }, () => inEveryOrder(() => 5));

  it('if Stripe’s state at each delivery is that of the newest delivered event', { timeout }, () =>
    inEveryOrder((delivered) => Math.max(...delivered)),
  );
});

describe('F4: the state is right', () => {
  it('X18: when the deliveries of a payment and of its cancellation come three days late, newest first', async () => {
    const { userId, customer, subscription } = await billing.subscribe();
    await billing.api.subscriptions.cancel(subscription);
    await refreshSubscriber(billing, userId, { by: 'test', reason: 'refresh', waitMs: 2_000 });
    expect((await billing.stateOf(userId)).plan).toBe('free');
    expect(await billing.inbox(customer)).toEqual([]);
    const emitted = await billing.emitted(userId);
    await billing.advance(days(3));
    for (const event of (await billing.eventsOf(customer)).toReversed()) {
      expect(billing.clock().getTime() - event.created * 1_000).toBeGreaterThanOrEqual(days(3));
      expect((await billing.deliver(event)).status).toBe(200);
    }
    const statuses = async (): Promise<string[]> =>
      (await billing.inbox(customer)).map(({ status }) => status);
    await until(
      'all its events to be processed',
      async () => (await statuses()).length > 3 && !(await statuses()).includes('pending'),
    );
    expect((await billing.stateOf(userId)).plan).toBe('free');
    expect(await billing.emitted(userId)).toEqual(emitted);
  });

  it('when events of one customer are processed at the same time', async () => {
    const { userId, customer } = await billing.subscribe();
    await billing.advance(days(32));
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
    expect((await billing.emitted(userId)).filter((name) => name === 'PaymentSucceeded')).toHaveLength(2);
    expect((await billing.inbox(customer)).filter(({ status }) => status === 'failed')).toEqual([]);
  });
});
