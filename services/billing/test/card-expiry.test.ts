import { cardExpiring } from '@shortlist/contracts/events/billing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type Billing, GOOD_CARD, openBilling, START, times } from './support.ts';

let billing: Billing;
// One service for each test: the sandbox's clock cannot be set back.
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
});
afterAll(() => billing.close());

/** START is in March 2026. The warning of this card is due on April 1. */
const CARD = { number: GOOD_CARD, exp_month: 4, exp_year: 2026 };
const UNTIL_DUE = new Date('2026-04-01T00:00:00.000Z').getTime() - START.getTime();

const warnings = async (userId: string) =>
  (await billing.emittedData(userId, cardExpiring)).map(({ brand, last4, expires }) => ({
    brand,
    last4,
    expires,
  }));
const WARNING = { brand: 'visa', last4: '4242', expires: '2026-04' };

const setCard = (customer: string, card: object): Promise<unknown> =>
  billing.sandbox.control('POST', `/customers/${customer}/card`, { card });

const methodOf = async (subscription: string): Promise<string> => {
  const { default_payment_method: method } = await billing.api.subscriptions.retrieve(subscription);
  return typeof method === 'string' ? method : '';
};

/** A premium user whose card expires in April. */
const start = async () => {
  const user = await billing.subscribe();
  await setCard(user.customer, CARD);
  await billing.reconcile();
  return user;
};

describe('a card that is about to expire', () => {
  it('is reported thirty days before, once, by a refresh or the job, whichever comes first', async () => {
    const { userId } = await start();
    await billing.advance(UNTIL_DUE - 1);
    await billing.warnOfCards();
    expect(await warnings(userId)).toEqual([]);
    await billing.advance(1);
    await Promise.all(times(5).map(() => billing.warnOfCards()));
    await billing.reconcile();
    await billing.warnOfCards();
    expect(await warnings(userId)).toEqual([WARNING]);
    expect((await billing.stateOf(userId)).row).toMatchObject({ cardWarningAt: null });
  });

  it('may be that of the customer, for a subscription without one of its own', async () => {
    const { userId, subscription } = await start();
    await billing.api.subscriptions.update(subscription, { default_payment_method: '' });
    await billing.advance(UNTIL_DUE);
    await billing.warnOfCards();
    expect(await warnings(userId)).toEqual([WARNING]);
  });

  it('is not reported if it was replaced, even without a webhook', async () => {
    const { userId, customer } = await start();
    await setCard(customer, { ...CARD, exp_year: 2030 });
    await billing.advance(UNTIL_DUE);
    await billing.warnOfCards();
    expect(await warnings(userId)).toEqual([]);
  });

  it('is reported again only for another card or another month', async () => {
    const { userId, customer, subscription } = await start();
    const first = await methodOf(subscription);
    await billing.advance(UNTIL_DUE);
    await billing.warnOfCards();
    await setCard(customer, { ...CARD, number: '5555555555554444' });
    await billing.advance(1);
    await billing.reconcile();
    await billing.api.subscriptions.update(subscription, { default_payment_method: first });
    await billing.reconcile();
    expect(await warnings(userId)).toEqual([WARNING, { ...WARNING, brand: 'mastercard', last4: '4444' }]);
  });

  it.each([
    [
      'that ends with its period',
      (user: { subscription: string }) =>
        billing.api.subscriptions.update(user.subscription, { cancel_at_period_end: true }),
    ],
    ['that has ended', ({ userId }: { userId: string }) => billing.revoke(userId)],
    ['of a deleted user', ({ userId }: { userId: string }) => billing.remove(userId)],
  ])('is not reported for a subscription %s', async (_, end) => {
    const user = await start();
    await end(user);
    await billing.advance(UNTIL_DUE);
    await billing.warnOfCards();
    await billing.reconcile();
    expect(await warnings(user.userId)).toEqual([]);
  });

  it('is not reported to a user with only a grant, and stays due while Stripe is away', async () => {
    const granted = await billing.register();
    await billing.grant(granted);
    const { userId } = await start();
    await billing.advance(UNTIL_DUE);
    await billing.sandbox.control('PUT', '/faults', { path: '/v1/subscriptions', status: 500, times: 50 });
    expect(await billing.warnOfCards()).toEqual({ done: 0, failed: 1 });
    await billing.sandbox.control('DELETE', '/faults');
    expect(await billing.warnOfCards()).toEqual({ done: 1, failed: 0 });
    expect(await warnings(userId)).toEqual([WARNING]);
    expect(await warnings(granted)).toEqual([]);
  });
});
