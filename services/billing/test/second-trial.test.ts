// A user, an address and a card begin one trial each, whatever page was opened before, in whatever order, and whatever was deleted since.
import { randomUUID } from 'node:crypto';
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { days } from '@shortlist/contracts/durations';
import { loadConfig } from '@shortlist/kit/process/config';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { variables } from '../src/config.ts';
import { claimTrials } from '../src/trials/claim-trial.ts';
import { createTrialKeys } from '../src/trials/trial-keys.ts';
import { OLD_TRIALS } from '../src/trials/queries.ts';
import { type Billing, codeOf, GOOD_CARD, openBilling } from './support.ts';

const OTHER_CARD = '5555555555554444';
const THIRD_CARD = '4000056655665556';

let billing: Billing;
beforeEach(async () => {
  billing = await openBilling({ trialDays: 14 });
});
afterEach(() => billing.close());

type Buyer = { userId: string; email: string; name: string };
const buyer = (email?: string): Buyer => {
  const userId = uuidv7();
  return { userId, email: email ?? `${userId}@people.test`, name: 'Ada Lovelace' };
};
const openFor = async (user: Buyer): Promise<string> =>
  billing.sessionIn(
    (await billing.call(billingEndpoints.openCheckout, user, billing.asUser(user.userId))).url,
  );
const trialOf = async (sessionId: string): Promise<number> =>
  (await billing.stripe.findCheckout(sessionId))?.trialDays ?? -1;
const codeFrom = (call: Promise<unknown>): Promise<unknown> => call.then(() => 'started', codeOf);
/** Opens a page, pays with this card, and returns. */
const begin = async (user: Buyer, card: string) => {
  const sessionId = await openFor(user);
  const paid = await billing.pay(sessionId, card);
  return { sessionId, ...paid, outcome: await codeFrom(billing.confirm(user.userId, sessionId)) };
};
const stateOf = async ({ userId }: Buyer) => {
  const { data } = await billing.read(userId);
  return data.plan;
};
const statusOf = async (subscription: string) => {
  const { status, cancellation_details: details } = await billing.api.subscriptions.retrieve(subscription);
  return [status, details?.comment ?? null];
};
const refresh = ({ userId }: Buyer) =>
  billing.call(billingEndpoints.refreshSubscription, { userId }, billing.asUser(userId));
const REFUSED = ['canceled', 'shortlist:trial'];
const countTrials = async (): Promise<number> =>
  (await billing.db.query<unknown[]>('SELECT 1 FROM trials')).length;

describe('a second account', () => {
  it('with the same card has its trial ended before it begins, and can subscribe without one', async () => {
    const [first, second] = [buyer(), buyer()];
    expect((await begin(first, GOOD_CARD)).outcome).toBe('started');
    const { outcome, subscription, customer } = await begin(second, GOOD_CARD);
    expect(outcome).toBe('billing.trial_refused');
    expect(await statusOf(subscription)).toEqual(REFUSED);
    expect([await stateOf(first), await stateOf(second)]).toEqual(['premium', 'free']);
    const refused = (await billing.read(second.userId)).data;
    expect(refused).toMatchObject({ isTrialRefused: true, trialDays: 0, trialEndsAt: null });
    expect(await billing.emitted(second.userId)).not.toContain('PaymentSucceeded');
    expect((await billing.api.charges.list({ customer })).data).toEqual([]);
    const again = await openFor(second);
    expect(await trialOf(again)).toBe(0);
    await billing.pay(again, GOOD_CARD);
    expect(await codeFrom(billing.confirm(second.userId, again))).toBe('started');
    const paying = (await billing.read(second.userId)).data;
    expect(paying).toMatchObject({ plan: 'premium', isTrialRefused: false });
    expect((await billing.api.charges.list({ customer })).data.map(({ amount }) => amount)).toEqual([5_900]);
  });

  it('with the same address is offered none, however it is spelled, after the first was deleted', async () => {
    const first = buyer('ada@people.test');
    await begin(first, GOOD_CARD);
    await billing.remove(first.userId);
    for (const email of ['ada@people.test', 'Ada+second@People.test'])
      expect(await trialOf(await openFor(buyer(email)))).toBe(0);
    expect(await trialOf(await openFor(buyer('adah@people.test')))).toBe(14);
  });

  it('whose page was open before the address had a trial has its trial ended', async () => {
    const [first, second] = [buyer('ada@people.test'), buyer('ada+2@people.test')];
    const page = await openFor(second);
    expect(await trialOf(page)).toBe(14);
    await begin(first, GOOD_CARD);
    const { subscription } = await billing.pay(page, OTHER_CARD);
    expect(await codeFrom(billing.confirm(second.userId, page))).toBe('billing.trial_refused');
    expect(await statusOf(subscription)).toEqual(REFUSED);
  });

  it('that pays with the same card at the same moment leaves exactly one trial', async () => {
    const buyers = Array.from({ length: 4 }, () => buyer());
    const pages = await Promise.all(buyers.map(openFor));
    for (const page of pages) await billing.pay(page, GOOD_CARD);
    const outcomes = await Promise.all(
      buyers.map(({ userId }, index) => codeFrom(billing.confirm(userId, pages[index] ?? ''))),
    );
    expect(outcomes.toSorted()).toEqual([...Array<string>(3).fill('billing.trial_refused'), 'started']);
    const plans = await Promise.all(buyers.map(stateOf));
    expect(plans.filter((plan) => plan === 'premium')).toHaveLength(1);
    await billing.reconcile();
    expect(await Promise.all(buyers.map(stateOf))).toEqual(plans);
    expect(await countTrials()).toBe(3);
  });

  it('is refused by the webhooks alone, and by reconciliation alone', async () => {
    await begin(buyer(), GOOD_CARD);
    const [second, third] = [buyer(), buyer()];
    const { customer } = await billing.pay(await openFor(second), GOOD_CARD);
    for (const event of await billing.eventsOf(customer)) await billing.deliver(event);
    await billing.untilUnread(second.userId);
    const { subscription } = await billing.pay(await openFor(third), GOOD_CARD);
    await billing.reconcile();
    expect(await statusOf(subscription)).toEqual(REFUSED);
    expect([await stateOf(second), await stateOf(third)]).toEqual(['free', 'free']);
    for (const { userId } of [second, third])
      expect((await billing.read(userId)).data).toMatchObject({ isTrialRefused: true, trialDays: 0 });
    const { repaired } = await billing.reconcile();
    expect(repaired).toEqual([]);
  });

  it('whose refusal Stripe does not answer gets nothing until it does', async () => {
    await begin(buyer(), GOOD_CARD);
    const second = buyer();
    const page = await openFor(second);
    const { subscription } = await billing.pay(page, GOOD_CARD);
    const fault = { method: 'DELETE', path: '/v1/subscriptions', status: 500 };
    await billing.sandbox.control('PUT', '/faults', fault);
    expect(await codeFrom(billing.confirm(second.userId, page))).toBe('billing.provider_unavailable');
    expect([await stateOf(second), ...(await statusOf(subscription))]).toEqual(['free', 'trialing', null]);
    await billing.reconcile();
    expect(await statusOf(subscription)).toEqual(REFUSED);
  });
});

describe('the same user', () => {
  it('has no second trial after the first was canceled, deleted at Stripe, or never paid', async () => {
    const user = buyer();
    const { customer } = await begin(user, GOOD_CARD);
    await billing.revoke(user.userId);
    expect(await trialOf(await openFor(user))).toBe(0);
    await billing.api.customers.del(customer);
    expect(await trialOf(await openFor(user))).toBe(0);
  });

  it('has none with a second subscription, though its page was opened with one', async () => {
    const user = buyer();
    const first = await begin(user, GOOD_CARD);
    const { id: priceId, amount } = await billing.stripe.findPrice();
    const order = {
      userId: user.userId,
      customerId: first.customer,
      priceId,
      amount,
      credits: null,
      trialDays: 14,
    };
    const urls = { successUrl: 'https://a.test', cancelUrl: 'https://a.test' };
    const session = await billing.stripe.openCheckout({ ...order, ...urls }, randomUUID());
    const second = await billing.pay(session?.sessionId ?? '', OTHER_CARD);
    await billing.reconcile();
    expect(await statusOf(second.subscription)).toEqual(REFUSED);
    expect(await statusOf(first.subscription)).toEqual(['trialing', null]);
    expect(await stateOf(user)).toBe('premium');
  });

  it('has none after a subscription without one, though its page was opened before', async () => {
    const user = buyer();
    const page = await openFor(user);
    const { customerId } = (await billing.stateOf(user.userId)).row;
    const { id: priceId, amount } = await billing.stripe.findPrice();
    const order = { userId: user.userId, customerId: customerId ?? '', priceId, amount };
    const urls = { successUrl: 'https://a.test', cancelUrl: 'https://a.test' };
    const without = { ...order, ...urls, credits: null, trialDays: 0 };
    const session = await billing.stripe.openCheckout(without, randomUUID());
    await billing.pay(session?.sessionId ?? '', OTHER_CARD);
    await billing.advance(1_000);
    const { subscription } = await billing.pay(page, GOOD_CARD);
    await billing.reconcile();
    expect(await statusOf(subscription)).toEqual(REFUSED);
    expect(await stateOf(user)).toBe('premium');
  });

  it('keeps a trial whose card or address is changed meanwhile', async () => {
    const user = buyer();
    const { customer, subscription } = await begin(user, GOOD_CARD);
    await begin(buyer(), OTHER_CARD);
    await billing.sandbox.control('POST', `/customers/${customer}/card`, { card: OTHER_CARD });
    await billing.reconcile();
    await refresh(user);
    expect([await stateOf(user), ...(await statusOf(subscription))]).toEqual(['premium', 'trialing', null]);
  });

  it('who paid before is offered none', async () => {
    billing.trials.days = 0;
    const { userId } = await billing.subscribe();
    await billing.revoke(userId);
    billing.trials.days = 14;
    expect(await trialOf(billing.sessionIn((await billing.openCheckout(userId)).url))).toBe(0);
  });
});

it('a subscription that has charged is never ended for its trial, as after the rows were lost', async () => {
  const first = buyer();
  const { subscription } = await begin(first, GOOD_CARD);
  await billing.advance(days(15));
  await billing.reconcile();
  await billing.db.query('DELETE FROM trials');
  await begin(buyer(), GOOD_CARD);
  await refresh(first);
  expect(await statusOf(subscription)).toEqual(['active', null]);
  expect(await stateOf(first)).toBe('premium');
});

it('a trial whose row was lost is claimed again with the next read', async () => {
  const first = buyer();
  await begin(first, GOOD_CARD);
  await billing.db.query('DELETE FROM trials');
  await refresh(first);
  expect(await countTrials()).toBe(3);
  expect((await begin(buyer(), GOOD_CARD)).outcome).toBe('billing.trial_refused');
});

describe('the hashes', () => {
  it('are no address, card or user, and stay when the user is deleted', async () => {
    const user = buyer('ada@people.test');
    const { subscription } = await begin(user, GOOD_CARD);
    await billing.remove(user.userId);
    const rows = JSON.stringify(await billing.db.query('SELECT * FROM trials'));
    expect(await countTrials()).toBe(3);
    expect(rows).toContain(subscription);
    expect(rows).not.toMatch(new RegExp(`ada|people|sandbox|${user.userId}|4242`));
  });

  it('are forgotten after two years', async () => {
    const user = buyer('ada@people.test');
    await begin(user, GOOD_CARD);
    await billing.revoke(user.userId);
    const before = new Date(billing.clock().getTime() + 1);
    await billing.db.query(OLD_TRIALS.remove, [before, 10]);
    expect([OLD_TRIALS.days, await countTrials()]).toEqual([730, 0]);
    await billing.advance(days(731));
    await refresh(user);
    expect(await countTrials()).toBe(0);
  });

  it('of a former key are still recognized while the key is kept, and no trial begins without it', async () => {
    await begin(buyer('ada@people.test'), GOOD_CARD);
    billing.trials.keys = createTrialKeys(['n'.repeat(32), 'k'.repeat(32)]);
    expect(await trialOf(await openFor(buyer('ada@people.test')))).toBe(0);
    expect((await begin(buyer(), GOOD_CARD)).outcome).toBe('billing.trial_refused');
    const page = await openFor(buyer());
    expect(await trialOf(page)).toBe(14);
    billing.trials.keys = createTrialKeys(['n'.repeat(32)]);
    expect(await trialOf(await openFor(buyer()))).toBe(0);
    const { customer } = await billing.pay(page, THIRD_CARD);
    const snapshot = await billing.stripe.readCustomer(customer);
    expect(await claimTrials(billing, buyer(), snapshot)).toHaveLength(1);
  });

  it('of two processes, of which one does not know the next key yet, still meet', () => {
    const [former, next] = [
      createTrialKeys(['k'.repeat(32)]),
      createTrialKeys(['n'.repeat(32), 'k'.repeat(32)]),
    ];
    const hashes = (keys: typeof former): string[] => keys.hashesOf('card', 'print').map(({ hash }) => hash);
    expect(hashes(next)).toEqual(expect.arrayContaining(hashes(former)));
  });
});

it('a trial without a card that can be recognized does not begin', async () => {
  const user = buyer();
  const { customer } = await billing.pay(await openFor(user), GOOD_CARD);
  const snapshot = await billing.stripe.readCustomer(customer);
  const withoutPrint = {
    ...snapshot,
    subscriptions: snapshot.subscriptions.map((one) => ({
      ...one,
      trial: one.trial && { ...one.trial, cardPrint: null },
    })),
  };
  expect(await claimTrials(billing, user, withoutPrint)).toHaveLength(1);
});

it('a trial that two processes read at the same moment, as when a lease has passed on, is not its own second one', async () => {
  const user = buyer();
  const { customer } = await billing.pay(await openFor(user), GOOD_CARD);
  const snapshot = await billing.stripe.readCustomer(customer);
  const reads = Array.from({ length: 5 }, () => claimTrials(billing, user, snapshot));
  expect((await Promise.all(reads)).flat()).toEqual([]);
  expect(await countTrials()).toBe(3);
});

it('a trial needs its key', () => {
  const { TRIAL_DAYS, TRIAL_KEY } = variables;
  const read = (env: Record<string, string>) => loadConfig({ TRIAL_DAYS, TRIAL_KEY }, env);
  expect(read({})).toEqual({ TRIAL_DAYS: 0 });
  expect(read({ TRIAL_KEY: '' })).toEqual({ TRIAL_DAYS: 0 });
  expect(() => read({ TRIAL_DAYS: '14' })).toThrow('missing TRIAL_KEY');
  expect(() => read({ TRIAL_DAYS: '31', TRIAL_KEY: 'k'.repeat(32) })).toThrow('invalid TRIAL_DAYS');
  expect(read({ TRIAL_DAYS: '14', TRIAL_KEY: 'k'.repeat(32) })).toMatchObject({
    TRIAL_KEY: ['k'.repeat(32)],
  });
});
