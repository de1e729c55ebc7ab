import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { days, seconds } from '@shortlist/contracts/durations';
import { isLongRun, randomFrom, seed, shuffle } from '@shortlist/kit/testing/sample';
import { until } from '@shortlist/kit/testing/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type Stripe from 'stripe';
import { revokePlan } from '../src/plans/grant-plan.ts';
import { type Billing, openBilling, times } from './support.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await openBilling();
});
afterAll(() => billing.close());

type User = Awaited<ReturnType<Billing['subscribe']>>;

const calls = async (): Promise<number> =>
  [...(await billing.metrics.text()).matchAll(/^stripe_request_duration_seconds_count\{.*\} (\d+)$/gm)]
    .map(([, count]) => Number(count))
    .reduce((sum, count) => sum + count, 0);

const settled = (customer: string): Promise<void> =>
  until('all events to be processed', async () =>
    (await billing.inbox(customer)).every(({ status }) => status !== 'pending'),
  );

const deliverAll = async (customer: string, type: string): Promise<void> => {
  for (const event of await billing.eventsOf(customer)) if (event.type === type) await billing.deliver(event);
  await settled(customer);
};

describe('an event', () => {
  it('of the second in which its customer was read causes another read', async () => {
    const { userId, customer, subscription } = await billing.subscribe();
    await billing.api.subscriptions.cancel(subscription);
    await deliverAll(customer, 'customer.subscription.deleted');
    expect((await billing.stateOf(userId)).plan).toBe('free');
  });

  it('of an earlier second causes none', async () => {
    const { userId, customer } = await billing.subscribe();
    await billing.advance(seconds(3));
    await billing.call(billingEndpoints.refreshSubscription, { userId }, billing.asUser(userId));
    const events = await billing.eventsOf(customer);
    const before = await calls();
    for (const event of events) await billing.deliver(event);
    await settled(customer);
    expect(await calls()).toBe(before);
  });

  it('about an action that ended before it recorded its result causes a read', async () => {
    const { userId, customer } = await billing.subscribe();
    const stripe: typeof billing.stripe = {
      ...billing.stripe,
      cancelSubscription: async (...order) => {
        await billing.stripe.cancelSubscription(...order);
        throw new Error('the process ends');
      },
    };
    const { caller } = billing.asAdmin;
    await expect(revokePlan({ ...billing, stripe }, userId, { caller, reason: undefined })).rejects.toThrow();
    expect((await billing.stateOf(userId)).plan).toBe('premium');
    await deliverAll(customer, 'customer.subscription.deleted');
    expect((await billing.stateOf(userId)).plan).toBe('free');
  });
});

type Step = readonly [name: string, run: (user: User) => Promise<unknown>];

/** What users, admins, Stripe and time do to a subscription. A refusal is a normal outcome. */
const STEPS: readonly Step[] = [
  ['unsubscribe', ({ userId }) => billing.revoke(userId)],
  ['end with the period', ({ userId }) => billing.revoke(userId, { when: 'period_end' })],
  ['grant', ({ userId }) => billing.grant(userId)],
  ['cancel in the portal', ({ subscription }) => billing.api.subscriptions.cancel(subscription)],
  [
    'stop the renewal in the portal',
    ({ subscription }) => billing.api.subscriptions.update(subscription, { cancel_at_period_end: true }),
  ],
  [
    'renew again in the portal',
    ({ subscription }) => billing.api.subscriptions.update(subscription, { cancel_at_period_end: false }),
  ],
  ['refund', ({ invoice }) => billing.sandbox.control('POST', `/invoices/${invoice}/refund`)],
  ['dispute', ({ invoice }) => billing.sandbox.control('POST', `/invoices/${invoice}/dispute`)],
  ['wait less than a second', () => billing.advance(400)],
  ['wait some seconds', () => billing.advance(seconds(3))],
  [
    'renew',
    async (user) => {
      // A month passes at once, and the sandbox renews afterwards: a read meanwhile would seem to be later than the renewal.
      await settled(user.customer);
      await billing.untilUnread(user.userId);
      await billing.advance(days(31));
    },
  ],
  ['return to the success page', ({ userId, sessionId }) => billing.confirm(userId, sessionId)],
  [
    'buy again',
    async ({ userId }) => {
      const sessionId = billing.sessionIn((await billing.openCheckout(userId)).url);
      await billing.pay(sessionId);
    },
  ],
];

const eventsOf = async (customer: string): Promise<Stripe.Event[]> => {
  const charges = await billing.api.charges.list({ customer, limit: 100 });
  const chargeIds = new Set(charges.data.map(({ id }) => id));
  const events = await billing.api.events.list({ limit: 100 });
  return events.data.filter(({ data: { object } }) => {
    const { customer: of, charge } = object as { customer?: string; charge?: string };
    return of === customer || chargeIds.has(charge ?? '');
  });
};

/** So that no later history has its renewals among Stripe's last events. */
const endAll = async (customer: string): Promise<void> => {
  const { data } = await billing.api.subscriptions.list({ customer, limit: 100 });
  for (const { id } of data) await billing.api.subscriptions.cancel(id);
};

const runHistory = async (history: number): Promise<{ steps: string[]; repaired: object[] }> => {
  const random = randomFrom(seed * 1_000 + history);
  const user = await billing.subscribe();
  const steps: string[] = [];
  const delivered = new Set<string>();
  /** Delivers a part of the events, in any order, and some of them again. */
  const deliver = async (share: number): Promise<void> => {
    for (const event of shuffle(await eventsOf(user.customer), random)) {
      if (random() > (delivered.has(event.id) ? 0.2 : share)) continue;
      delivered.add(event.id);
      await billing.deliver(event);
    }
    if (random() < 0.5) await settled(user.customer);
  };
  for (const _ of times(6)) {
    const [name, run] = STEPS[Math.floor(random() * STEPS.length)] ?? [];
    steps.push(name ?? '');
    await run?.(user).catch(() => undefined);
    await deliver(random());
  }
  await deliver(1);
  await settled(user.customer);
  const { repaired } = await billing.reconcile();
  await endAll(user.customer);
  return { steps, repaired: repaired.filter(({ userId }) => userId === user.userId) };
};

describe(`after the last event of a random history is processed, seed ${seed}`, () => {
  it(
    'reconciliation finds nothing to repair, whatever the order, repetition and delay of the events',
    { timeout: isLongRun ? 1_800_000 : 240_000 },
    async () => {
      const wrong: object[] = [];
      for (const history of times(isLongRun ? 300 : 12)) {
        const { steps, repaired } = await runHistory(history);
        if (repaired.length > 0) wrong.push({ history, steps, repaired });
      }
      expect(wrong).toEqual([]);
    },
  );
});
