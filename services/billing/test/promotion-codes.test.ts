import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { days, monthsAfter } from '@shortlist/contracts/durations';
import type { Interval } from '@shortlist/contracts/plan';
import { loadConfig } from '@shortlist/kit/process/config';
import type { Stripe } from 'stripe';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { variables } from '../src/config.ts';
import { type Billing, openBilling, START } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  billing = await openBilling({ checkout: { promotionCodes: true } });
});
afterEach(() => billing.close());

const createCode = async (coupon: Stripe.CouponCreateParams): Promise<string> => {
  const { id } = await billing.api.coupons.create(coupon);
  const { code } = await billing.api.promotionCodes.create({
    promotion: { type: 'coupon', coupon: id },
    code: 'WELCOME',
  });
  return code;
};
type Paid = { customer: string; invoice: string; error?: { message: string } };
const payWith = async (promotionCode: string, interval?: Interval) => {
  const userId = uuidv7();
  const sessionId = billing.sessionIn((await billing.openCheckout(userId, interval)).url);
  const paid = await billing.sandbox.control<Paid>('POST', `/checkout_sessions/${sessionId}/pay`, {
    promotionCode,
  });
  return { userId, sessionId, ...paid };
};
const read = async (userId: string) => (await billing.read(userId)).data;

it('codes are taken unless the operator turns them off', () => {
  const { STRIPE_PROMOTION_CODES } = variables;
  const read = (env: Record<string, string>) => loadConfig({ STRIPE_PROMOTION_CODES }, env);
  expect(read({})).toEqual({ STRIPE_PROMOTION_CODES: true });
  expect(read({ STRIPE_PROMOTION_CODES: 'false' })).toEqual({ STRIPE_PROMOTION_CODES: false });
});

describe('a code of 100 %', () => {
  it.each(['month', 'year'] as const)(
    'gives the plan for a %s without a charge, and without MRR',
    async (interval) => {
      await createCode({ percent_off: 100, duration: 'forever', name: 'Friends' });
      const { userId, sessionId, customer, invoice } = await payWith('WELCOME', interval);
      expect((await billing.confirm(userId, sessionId)).data).toMatchObject({
        plan: 'premium',
        interval,
        renews: true,
        lastPayment: { amount: 0 },
        discount: { name: 'Friends', percentOff: 100, amountOff: null, endsAt: null },
      });
      expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded']);
      expect((await billing.stateOf(userId)).paid?.key).toBe(invoice);
      expect((await billing.api.charges.list({ customer })).data).toEqual([]);
      const months = interval === 'year' ? 12 : 1;
      await billing.reconcileAt(monthsAfter(START, months));
      expect(await read(userId)).toMatchObject({
        plan: 'premium',
        problem: null,
        periodEnd: monthsAfter(START, 2 * months).toISOString(),
      });
      expect(await billing.paidOf(customer)).toEqual([0, 0]);
      expect(await billing.mrrOf(userId)).toEqual([]);
    },
  );

  it('takes effect by the webhook alone, and ends with the plan', async () => {
    await createCode({ percent_off: 100, duration: 'forever' });
    const { userId, customer } = await payWith('WELCOME');
    for (const event of await billing.eventsOf(customer)) await billing.deliver(event);
    await billing.untilUnread(userId);
    expect((await billing.stateOf(userId)).plan).toBe('premium');
    await billing.revoke(userId);
    expect(await read(userId)).toMatchObject({ plan: 'free', discount: null });
  });

  it('of the first month is followed by the price', async () => {
    await createCode({ percent_off: 100, duration: 'once' });
    const { userId, sessionId, customer } = await payWith('WELCOME');
    await billing.confirm(userId, sessionId);
    expect(await read(userId)).toMatchObject({ plan: 'premium', discount: null });
    expect(await billing.mrrOf(userId)).toEqual([]);
    await billing.reconcileAt(monthsAfter(START, 1));
    expect(await billing.paidOf(customer)).toEqual([0, 5_900]);
    expect(await billing.mrrOf(userId)).toEqual(['new 5900']);
  });

  it('changes to a year without a charge', async () => {
    await createCode({ percent_off: 100, duration: 'forever' });
    const { userId, sessionId } = await payWith('WELCOME');
    await billing.confirm(userId, sessionId);
    await billing.advance(days(3));
    const asUser = billing.asUser(userId);
    const { data } = await billing.call(
      billingEndpoints.previewInterval,
      { userId, interval: 'year' },
      asUser,
    );
    expect(data).toMatchObject({ amount: 0, credit: 0, price: 0 });
    const { interval, amount, currency, prorationAt } = data;
    const confirmed = { userId, interval, amount, currency, prorationAt };
    const changed = await billing.call(billingEndpoints.changeInterval, confirmed, asUser);
    expect(changed.data).toMatchObject({ interval: 'year', plan: 'premium' });
    expect(changed.planState.paid).toMatchObject({ months: 12 });
  });
});

describe('a discount', () => {
  it('of three months lowers the charges and the MRR while it lasts', async () => {
    await createCode({ percent_off: 50, duration: 'repeating', duration_in_months: 3, name: 'Spring' });
    const { userId, sessionId, customer } = await payWith('WELCOME');
    await billing.confirm(userId, sessionId);
    expect(await read(userId)).toMatchObject({
      price: { amount: 5_900 },
      lastPayment: { amount: 2_950 },
      discount: { name: 'Spring', percentOff: 50, endsAt: monthsAfter(START, 3).toISOString() },
    });
    for (const month of [1, 2, 3]) await billing.reconcileAt(monthsAfter(START, month));
    expect(await billing.paidOf(customer)).toEqual([2_950, 2_950, 2_950, 5_900]);
    expect(await read(userId)).toMatchObject({ discount: null });
    expect(await billing.mrrOf(userId)).toEqual(['new 2950', 'expansion 2950']);
  });

  it('that has ended is not shown, although nothing was read since', async () => {
    await createCode({ percent_off: 50, duration: 'repeating', duration_in_months: 1 });
    const { userId, sessionId } = await payWith('WELCOME');
    await billing.confirm(userId, sessionId);
    expect((await read(userId)).discount).toMatchObject({ percentOff: 50 });
    billing.setTime(monthsAfter(START, 1));
    expect((await read(userId)).discount).toBeNull();
  });

  it('of an amount is taken off a year, which is worth a twelfth of the rest', async () => {
    await createCode({ amount_off: 9_000, currency: 'usd', duration: 'forever' });
    const { userId, sessionId, customer } = await payWith('WELCOME', 'year');
    await billing.confirm(userId, sessionId);
    expect((await read(userId)).discount).toMatchObject({ amountOff: 9_000, currency: 'usd' });
    expect(await billing.paidOf(customer)).toEqual([50_000]);
    expect(await billing.mrrOf(userId)).toEqual(['new 4167']);
  });

  it('of an amount in another currency is refused at Stripe, and nothing is paid', async () => {
    await createCode({ amount_off: 1_000, currency: 'eur', duration: 'forever' });
    const { userId, error } = await payWith('WELCOME');
    expect(error?.message).toBe('This code is invalid.');
    expect((await billing.stateOf(userId)).plan).toBe('free');
  });

  it('that an operator gives is found by reconciliation', async () => {
    await createCode({ percent_off: 20, duration: 'forever', name: 'Kept' });
    const { userId, sessionId } = await payWith('WELCOME');
    await billing.confirm(userId, sessionId);
    await billing.db.query('UPDATE subscribers SET discount = NULL WHERE user_id = ?', [userId]);
    const { repaired } = await billing.reconcile();
    expect(repaired).toMatchObject([{ userId }]);
    expect((await read(userId)).discount).toMatchObject({ name: 'Kept' });
    expect((await billing.reconcile()).repaired).toEqual([]);
  });
});
