import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { nextVersion } from '@shortlist/kit/data/version.rules';
import { until } from '@shortlist/kit/testing/until';
import { type Billing, codeOf, GOOD_CARD, openBilling, START, times } from './support.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await openBilling();
});
afterAll(() => billing.close());

const invoicesOf = (userId: string): Promise<object[]> =>
  billing.db.query('SELECT invoice_id, status, amount, currency FROM invoices WHERE user_id = ?', [userId]);

describe('the first payment', () => {
  it('F7: is confirmed by the success page alone, with every webhook lost', async () => {
    const { userId, customer, invoice } = await billing.subscribe();
    expect(await billing.read(userId)).toMatchObject({
      data: {
        plan: 'premium',
        periodStart: '2026-03-01T12:00:00.000Z',
        periodEnd: '2026-04-01T12:00:00.000Z',
        renews: true,
        customerId: customer,
        lastPayment: { amount: 5900, currency: 'usd' },
      },
      planState: { paid: { key: invoice } },
    });
    expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded']);
    expect(await billing.inbox(customer)).toEqual([]);
  });

  it('F7: webhooks that come later change and emit nothing', async () => {
    const { userId, customer } = await billing.subscribe();
    const before = await billing.stateOf(userId);
    for (const event of await billing.eventsOf(customer))
      expect((await billing.deliver(event)).status).toBe(200);
    await until('its events to be processed', async () =>
      (await billing.inbox(customer)).every(({ status }) => status !== 'pending'),
    );
    expect(await billing.stateOf(userId)).toEqual(before);
    expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded']);
    expect(await invoicesOf(userId)).toHaveLength(1);
  });

  it('takes effect by the webhook alone when the user does not return from the payment page', async () => {
    const userId = uuidv7();
    await billing.sandbox.control('PUT', '/webhooks', { drop: false });
    await billing.pay(billing.sessionIn((await billing.openCheckout(userId)).url));
    await until('Premium', async () => (await billing.stateOf(userId)).plan === 'premium');
    await billing.sandbox.control('PUT', '/webhooks', { drop: true });
    expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded']);
  });

  it('V2: twenty concurrent success pages and the webhooks take effect once', async () => {
    const userId = uuidv7();
    const sessionId = billing.sessionIn((await billing.openCheckout(userId)).url);
    const { customer } = await billing.pay(sessionId);
    const events = await billing.eventsOf(customer);
    await Promise.all([
      ...times(20).map(() => billing.confirm(userId, sessionId).catch(codeOf)),
      ...events.map((event) => billing.deliver(event)),
    ]);
    await until('its events to be done', async () => {
      await billing.retryInbox();
      return (await billing.inbox(customer)).every(({ status }) => ['done', 'ignored'].includes(status));
    });
    expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded']);
    expect((await billing.stateOf(userId)).version, 'one change').toBe(nextVersion(0, START));
  });

  it('V2: the same invoice in events of other ids takes effect once', async () => {
    const { userId, customer } = await billing.subscribe();
    const paid = (await billing.eventsOf(customer)).find(({ type }) => type === 'invoice.paid');
    for (const copy of times(5))
      await billing.deliver({ ...paid, id: `evt_another_${userId}_${copy}`.slice(0, 60) });
    await until('its events to be done', async () =>
      (await billing.inbox(customer)).every(({ status }) => status === 'done'),
    );
    expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded']);
  });

  it('F7: of amount 0 by a coupon makes premium for its period, is emitted once, and earns nothing', async () => {
    const userId = await billing.register();
    const sessionId = billing.sessionIn((await billing.openCheckout(userId)).url);
    const { customer, invoice, subscription } = await billing.pay(sessionId, GOOD_CARD, 100);
    const earnings = async () =>
      (await billing.call(billingEndpoints.earnings, { period: 'month' }, billing.asAdmin)).data;
    const before = await earnings();
    expect(await billing.confirm(userId, sessionId)).toMatchObject({
      data: { plan: 'premium', periodEnd: '2026-04-01T12:00:00.000Z', lastPayment: { amount: 0 } },
      planState: { version: nextVersion(0, START), paid: { key: invoice } },
    });
    for (const event of await billing.eventsOf(customer)) await billing.deliver(event);
    await until('its events to be processed', async () =>
      (await billing.inbox(customer)).every(({ status }) => status !== 'pending'),
    );
    expect((await billing.reconcile()).repaired.filter((repair) => repair.userId === userId)).toEqual([]);
    expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded']);
    expect(await invoicesOf(userId)).toMatchObject([{ invoice_id: invoice, status: 'paid', amount: 0 }]);
    expect(await earnings()).toEqual(before);
    expect((await billing.api.subscriptions.retrieve(subscription)).status).toBe('active');
    expect(await billing.openCheckout(userId).catch(codeOf)).toBe('billing.already_subscribed');
  });

  it('H7: without the broker a payment is confirmed, and its event is published when the broker is back', async () => {
    billing.bus.setDown(true);
    const { userId } = await billing.subscribe();
    expect((await billing.read(userId)).data.plan).toBe('premium');
    billing.bus.setDown(false);
    const published = () => billing.bus.published('billing.events').filter(({ key }) => key === userId);
    await until('the event', () => published().length === 1);
  });
});
