import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { days, monthsAfter } from '@shortlist/contracts/durations';
import { paymentSucceeded, trialEnding } from '@shortlist/contracts/events/billing';
import type { Interval } from '@shortlist/contracts/plan';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Billing,
  codeOf,
  GOOD_CARD,
  LATER_BAD_CARD,
  openBilling,
  PRICE,
  START,
  YEAR,
} from './support.ts';

const OTHER_CARD = '5555555555554444';
const TRIAL_DAYS = 14;
const TRIAL_END = new Date(START.getTime() + days(TRIAL_DAYS));

let billing: Billing;
beforeEach(async () => {
  billing = await openBilling({ trialDays: TRIAL_DAYS, checkout: { promotionCodes: true } });
});
afterEach(() => billing.close());

const codeFrom = (call: Promise<unknown>): Promise<unknown> => call.then(() => null, codeOf);
const read = async (userId: string) => (await billing.read(userId)).data;
const statusOf = async (subscription: string): Promise<string> =>
  (await billing.api.subscriptions.retrieve(subscription)).status;

describe('a trial', () => {
  it.each([
    ['month', PRICE, 1],
    ['year', YEAR, 12],
  ] as [Interval, typeof PRICE, number][])(
    'gives the plan until its end, and is followed by a %s at its price',
    async (interval, price, months) => {
      const { userId, customer, subscription, invoice } = await billing.subscribe(
        uuidv7(),
        GOOD_CARD,
        interval,
      );
      expect(await statusOf(subscription)).toBe('trialing');
      expect(await read(userId)).toMatchObject({
        plan: 'premium',
        interval,
        price,
        renews: true,
        periodEnd: TRIAL_END.toISOString(),
        lastPayment: null,
        problem: null,
        trialDays: 0,
        trialEndsAt: TRIAL_END.toISOString(),
      });
      const [begun] = await billing.emittedData(userId, paymentSucceeded);
      expect(begun).toMatchObject({ amount: 0, trial: true, planState: { paid: { key: invoice } } });
      expect(await billing.mrrOf(userId)).toEqual([]);
      await billing.reconcileAt(TRIAL_END);
      expect(await read(userId)).toMatchObject({
        plan: 'premium',
        periodEnd: monthsAfter(TRIAL_END, months).toISOString(),
        lastPayment: { amount: price.amount },
        trialEndsAt: null,
      });
      expect(await billing.paidOf(customer)).toEqual([0, price.amount]);
      expect(await billing.mrrOf(userId)).toEqual([`new ${Math.round(price.amount / months)}`]);
      const payments = await billing.emittedData(userId, paymentSucceeded);
      expect(payments.map(({ trial, amount }) => [trial, amount])).toEqual([
        [true, 0],
        [false, price.amount],
      ]);
    },
  );

  it('takes effect by the webhooks alone', async () => {
    const userId = uuidv7();
    const sessionId = billing.sessionIn((await billing.openCheckout(userId)).url);
    const { customer } = await billing.pay(sessionId);
    for (const event of await billing.eventsOf(customer)) await billing.deliver(event);
    await billing.untilUnread(userId);
    expect(await read(userId)).toMatchObject({ plan: 'premium', periodEnd: TRIAL_END.toISOString() });
  });

  it('that is canceled lasts until its end, and charges nothing', async () => {
    const { userId, customer, subscription } = await billing.subscribe();
    await billing.advance(days(3));
    await billing.revoke(userId, { when: 'period_end' });
    expect(await read(userId)).toMatchObject({ plan: 'premium', renews: false, canResume: true });
    await billing.reconcileAt(TRIAL_END);
    await billing.endDuePlans();
    expect(await read(userId)).toMatchObject({ plan: 'free' });
    expect([await billing.paidOf(customer), await statusOf(subscription)]).toEqual([[0], 'canceled']);
    expect(await billing.mrrOf(userId)).toEqual([]);
  });

  it('that is canceled and resumed is followed by the price', async () => {
    const { userId, customer } = await billing.subscribe();
    await billing.revoke(userId, { when: 'period_end' });
    const { planState } = await billing.read(userId);
    const resumed = { userId, version: planState.version };
    await billing.call(billingEndpoints.resumePlan, resumed, billing.asUser(userId));
    await billing.reconcileAt(TRIAL_END);
    expect(await read(userId)).toMatchObject({ plan: 'premium', renews: true });
    expect(await billing.paidOf(customer)).toEqual([0, 5_900]);
  });

  it('that an admin ends at once ends the plan, and charges nothing', async () => {
    const { userId, customer, subscription } = await billing.subscribe();
    await billing.advance(days(1));
    await billing.revoke(userId);
    expect(await read(userId)).toMatchObject({ plan: 'free' });
    await billing.reconcileAt(TRIAL_END);
    expect([await billing.paidOf(customer), await statusOf(subscription)]).toEqual([[0], 'canceled']);
  });

  it('whose first charge is declined has the grace, and no more', async () => {
    const { userId, customer } = await billing.subscribe(uuidv7(), LATER_BAD_CARD);
    await billing.reconcileAt(new Date(TRIAL_END.getTime() + days(6)));
    expect(await read(userId)).toMatchObject({ plan: 'premium', problem: { kind: 'past_due' } });
    await billing.reconcileAt(new Date(TRIAL_END.getTime() + days(8)));
    await billing.endDuePlans();
    expect(await read(userId)).toMatchObject({ plan: 'free' });
    expect([await billing.paidOf(customer), await billing.mrrOf(userId)]).toEqual([[0, 0], []]);
  });

  it('ends with the account, and charges nothing', async () => {
    const userId = await billing.register();
    const { customer, subscription } = await billing.subscribe(userId);
    await billing.remove(userId);
    await billing.untilUnread(userId);
    await billing.reconcileAt(TRIAL_END);
    expect([await billing.paidOf(customer), await statusOf(subscription)]).toEqual([[0], 'canceled']);
  });

  it('is found by reconciliation alone', async () => {
    const userId = uuidv7();
    const sessionId = billing.sessionIn((await billing.openCheckout(userId)).url);
    await billing.pay(sessionId);
    await billing.reconcile();
    expect(await read(userId)).toMatchObject({ plan: 'premium', periodEnd: TRIAL_END.toISOString() });
    const before = (await billing.stateOf(userId)).version;
    const { repaired } = await billing.reconcile();
    expect([repaired, (await billing.stateOf(userId)).version]).toEqual([[], before]);
  });

  it('cannot change its interval', async () => {
    const { userId } = await billing.subscribe();
    const change = { userId, interval: 'year' } as const;
    const call = billing.call(billingEndpoints.previewInterval, change, billing.asUser(userId));
    expect(await codeFrom(call)).toBe('billing.change_refused');
  });

  it('that somebody sets at Stripe grants nothing', async () => {
    const userId = uuidv7();
    const sessionId = billing.sessionIn((await billing.openCheckout(userId)).url);
    const { customer, subscription } = await billing.pay(sessionId);
    await billing.api.subscriptions.update(subscription, { metadata: { trial: '' } });
    const stored = await billing.api.invoices.list({ customer });
    // The invoice keeps the metadata that the subscription had.
    expect(stored.data[0]?.parent?.subscription_details?.metadata).toHaveProperty('trial', '14');
    expect((await billing.stripe.readCustomer(customer)).subscriptions[0]?.trial).toBeNull();
  });
});

describe('the notice before the end of a trial', () => {
  const notices = (userId: string) => billing.emittedData(userId, trialEnding);
  const toDaysBefore = (count: number): Promise<void> =>
    billing.reconcileAt(new Date(TRIAL_END.getTime() - days(count)));

  it('comes once, four days before, with the day and the price', async () => {
    const { userId } = await billing.subscribe(uuidv7(), GOOD_CARD, 'year');
    await billing.advance(days(10) - 1);
    await billing.warnOfCards();
    expect(await notices(userId)).toEqual([]);
    await billing.advance(1);
    await Promise.all([billing.warnOfCards(), billing.warnOfCards(), billing.reconcile()]);
    await toDaysBefore(2);
    await billing.warnOfCards();
    const [notice, ...others] = await notices(userId);
    expect(notice).toMatchObject({ endsAt: TRIAL_END.toISOString(), ...YEAR, interval: 'year' });
    expect(others).toEqual([]);
    expect((await billing.stateOf(userId)).row).toMatchObject({ trialNoticeAt: null });
  });

  it('of a trial shorter than a week comes a day before', async () => {
    billing.trials.days = 3;
    const { userId } = await billing.subscribe();
    await billing.advance(days(2) - 1);
    await billing.warnOfCards();
    expect(await notices(userId)).toEqual([]);
    await billing.advance(1);
    await billing.warnOfCards();
    expect(await notices(userId)).toHaveLength(1);
  });

  it('does not come if nothing will be charged, and comes at once when it will again', async () => {
    const { userId } = await billing.subscribe();
    await billing.revoke(userId, { when: 'period_end' });
    await toDaysBefore(3);
    await billing.warnOfCards();
    expect(await notices(userId)).toEqual([]);
    const { planState } = await billing.read(userId);
    const resumed = { userId, version: planState.version };
    await billing.call(billingEndpoints.resumePlan, resumed, billing.asUser(userId));
    expect(await notices(userId)).toHaveLength(1);
  });

  it('does not come after the deletion of the account', async () => {
    const userId = await billing.register();
    await billing.subscribe(userId);
    await billing.remove(userId);
    await toDaysBefore(3);
    await billing.warnOfCards();
    expect(await notices(userId)).toEqual([]);
  });

  it('comes late rather than never, as after an outage, but not after the trial', async () => {
    const [late, never] = [await billing.subscribe(), await billing.subscribe(uuidv7(), OTHER_CARD)];
    await billing.revoke(never.userId, { when: 'period_end' });
    await billing.advance(days(13));
    await billing.warnOfCards();
    expect(await notices(late.userId)).toHaveLength(1);
    await billing.reconcileAt(TRIAL_END);
    await billing.warnOfCards();
    expect([await notices(late.userId), await notices(never.userId)].map(({ length }) => length)).toEqual([
      1, 0,
    ]);
  });
});

describe('the offer of a trial', () => {
  it('is shown to a user who may have one, and to nobody after it', async () => {
    const userId = await billing.register();
    expect(await read(userId)).toMatchObject({ plan: 'free', trialDays: TRIAL_DAYS, isTrialRefused: false });
    await billing.subscribe(userId);
    expect(await read(userId)).toMatchObject({ trialDays: 0 });
    await billing.revoke(userId);
    expect(await read(userId)).toMatchObject({ plan: 'free', trialDays: 0, trialEndsAt: null });
    expect(await read(uuidv7())).toMatchObject({ trialDays: 0 });
  });

  it('is not made to a user whose plan was granted, until it ends', async () => {
    const userId = await billing.register();
    await billing.grant(userId);
    expect(await read(userId)).toMatchObject({ plan: 'premium', trialDays: 0 });
    await billing.revoke(userId);
    expect(await read(userId)).toMatchObject({ plan: 'free', trialDays: TRIAL_DAYS });
  });
});

describe('a checkout', () => {
  const trialOf = async (address: string): Promise<number> =>
    (await billing.stripe.findCheckout(billing.sessionIn(address)))?.trialDays ?? -1;

  it('has a trial once, and is the same page while it is open', async () => {
    const userId = uuidv7();
    const { url } = await billing.openCheckout(userId);
    expect(await trialOf(url)).toBe(TRIAL_DAYS);
    expect((await billing.openCheckout(userId)).url).toBe(url);
    await billing.pay(billing.sessionIn(url));
    await billing.confirm(userId, billing.sessionIn(url));
    await billing.revoke(userId);
    const again = await billing.openCheckout(userId);
    expect(await trialOf(again.url)).toBe(0);
    const { customer } = await billing.pay(billing.sessionIn(again.url));
    await billing.confirm(userId, billing.sessionIn(again.url));
    expect(await billing.paidOf(customer)).toEqual([0, 5_900]);
  });

  it('has none while trials are off, and no open page has one any more', async () => {
    const userId = uuidv7();
    const { url } = await billing.openCheckout(userId);
    billing.trials.days = 0;
    const without = await billing.openCheckout(userId);
    expect([await trialOf(without.url), await trialOf(url)]).toEqual([0, TRIAL_DAYS]);
    expect(await billing.pay(billing.sessionIn(url))).toHaveProperty('error');
    billing.trials.days = TRIAL_DAYS;
    expect(await trialOf((await billing.openCheckout(userId)).url)).toBe(TRIAL_DAYS);
  });

  it('shows the price of the plan, which is due after the trial', async () => {
    const { url } = await billing.openCheckout(uuidv7(), 'year');
    const session = await billing.api.checkout.sessions.retrieve(billing.sessionIn(url));
    expect(session).toMatchObject({ amount_total: 0, payment_method_collection: 'always' });
    expect((await billing.stripe.findCheckout(session.id))?.price).toEqual(YEAR);
  });
});
