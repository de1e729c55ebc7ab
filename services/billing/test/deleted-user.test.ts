import { SYSTEM_ACTOR_ID } from '@shortlist/contracts/api/audit';
import { days, hours, minutes } from '@shortlist/contracts/durations';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { type UserDeleted, userDeleted } from '@shortlist/contracts/events/identity';
import { inTransaction } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { until } from '@shortlist/kit/testing/until';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openCheckout } from '../src/checkout/open-checkout.ts';
import { planSale } from '../src/checkout/sales.ts';
import { closeDeletedUser, eraseUser } from '../src/erase-user.ts';
import { refreshSubscriber } from '../src/refresh/refresh-subscriber.ts';
import { type Billing, codeOf, LATER_BAD_CARD, openBilling, times } from './support.ts';

let billing: Billing;
// One service for each test: the sandbox's clock cannot be set back.
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
});
afterAll(() => billing.close());

const stripeIsDown = (): Promise<unknown> =>
  billing.sandbox.control('PUT', '/faults', { path: '/v1/', status: 500, times: 1_000 });
const stripeIsBack = (): Promise<unknown> => billing.sandbox.control('DELETE', '/faults');

/** A registered user whose payment page is open. */
const openPage = async (): Promise<{ userId: string; sessionId: string }> => {
  const userId = await billing.register();
  const sessionId = billing.sessionIn((await billing.openCheckout(userId)).url);
  return { userId, sessionId };
};
const deletionOf = (userId: string, at = billing.clock()): CloudEvent<UserDeleted> =>
  eventOf(userDeleted, userId, { by: 'admin', generation: 1 }, { time: at.toISOString() });
const sessionStatus = async (sessionId: string): Promise<string | null> =>
  (await billing.api.checkout.sessions.retrieve(sessionId)).status;
const openSessionsOf = async (userId: string): Promise<number> => {
  const { customerId } = (await billing.stateOf(userId)).row;
  const sessions = await billing.api.checkout.sessions.list({ customer: customerId ?? '', status: 'open' });
  return sessions.data.length;
};
const isClosing = async (userId: string): Promise<boolean> => (await billing.stateOf(userId)).row.closing;
const chargesOf = async (customer: string): Promise<number[]> =>
  (await billing.api.charges.list({ customer })).data.map(
    ({ amount, amount_refunded: refunded }) => amount - refunded,
  );
const statusesOf = async (customer: string): Promise<string[]> =>
  (await billing.api.subscriptions.list({ customer, status: 'all' })).data.map(({ status }) => status);
const invoicesOf = (userId: string): Promise<object[]> =>
  billing.db.query('SELECT status, amount, refunded FROM invoices WHERE user_id = ? ORDER BY paid_at', [
    userId,
  ]);
const auditOf = (userId: string): Promise<object[]> =>
  billing.db.query('SELECT action, actor_id AS actorId FROM audit_log WHERE target_id = ?', [userId]);

const alertsOf = (userId: string): Promise<object[]> =>
  billing.db.query('SELECT kind, amount, currency, detail FROM alerts WHERE user_id = ?', [userId]);

const ALERT = { kind: 'payment_of_deleted_user', amount: 5_900, currency: 'usd' };
const REFUNDED_ALERT = { ...ALERT, detail: 'It was refunded in full.' };
const REFUND = { action: 'payment.refund', actorId: SYSTEM_ACTOR_ID };
const REFUNDED = { status: 'paid', amount: 5_900, refunded: 5_900 };

/** Everything that a late payment leads to: nothing is kept, nothing is charged again, and it happens once. */
const assertRefunded = async (userId: string, customer: string): Promise<void> => {
  expect(await chargesOf(customer)).toEqual([0]);
  expect((await billing.api.refunds.list({ limit: 100 })).data).toHaveLength(1);
  expect(await statusesOf(customer)).toEqual(['canceled']);
  expect(await invoicesOf(userId)).toEqual([REFUNDED]);
  expect(await auditOf(userId)).toEqual([REFUND]);
  expect(await alertsOf(userId)).toEqual([REFUNDED_ALERT]);
  expect(await billing.emitted(userId)).toEqual(['AlertRaised']);
  expect(await isClosing(userId)).toBe(false);
};

describe('the deletion of a user', () => {
  it('closes the payment page that is still open', async () => {
    const { userId, sessionId } = await openPage();
    await billing.remove(userId);
    await until('the end of the session', async () => (await sessionStatus(sessionId)) === 'expired');
    await until('the end of the closing', async () => !(await isClosing(userId)));
    expect(await billing.pay(sessionId)).toMatchObject({ error: { type: 'invalid_request_error' } });
  });

  it('closes the page later when Stripe is unavailable', async () => {
    const { userId, sessionId } = await openPage();
    await stripeIsDown();
    await billing.remove(userId);
    await billing.reconcile().catch(codeOf);
    expect(await isClosing(userId)).toBe(true);
    await stripeIsBack();
    await billing.reconcile();
    expect(await sessionStatus(sessionId)).toBe('expired');
    expect(await isClosing(userId)).toBe(false);
  });

  it('closes a page whose address was lost', async () => {
    const userId = await billing.register();
    await billing.sandbox.control('PUT', '/faults', {
      path: '/v1/checkout/sessions',
      method: 'POST',
      reset: true,
      times: 2,
    });
    expect(await billing.openCheckout(userId).catch(codeOf)).toBe('billing.provider_unavailable');
    expect(await openSessionsOf(userId)).toBe(1);
    await billing.remove(userId);
    await until('the end of the closing', async () => !(await isClosing(userId)));
    expect(await openSessionsOf(userId)).toBe(0);
  });

  it('closes a page that Stripe creates after the deletion', async () => {
    const userId = await billing.register();
    // We give the call up, and Stripe processes it later.
    let processLate = (): Promise<unknown> => Promise.reject(new Error('no call'));
    const stripe: typeof billing.stripe = {
      ...billing.stripe,
      openCheckout: (...call) => {
        processLate = () => billing.stripe.openCheckout(...call);
        return Promise.reject(createError('billing.provider_unavailable'));
      },
    };
    const parts = { ...billing, stripe, publicUrl: 'https://shortlist.test' };
    const user = { userId, email: `${userId}@people.test`, name: 'Ada Lovelace' };
    expect(await openCheckout(parts, planSale('month'), user).catch(codeOf)).toBe(
      'billing.provider_unavailable',
    );
    await billing.remove(userId);
    await billing.reconcile();
    expect([await openSessionsOf(userId), await isClosing(userId)]).toEqual([0, true]);
    await processLate();
    expect(await openSessionsOf(userId)).toBe(1);
    await billing.reconcile();
    expect([await openSessionsOf(userId), await isClosing(userId)]).toEqual([0, false]);
  });

  it('stops waiting for the page of a failed order after an hour', async () => {
    const userId = await billing.register();
    await billing.sandbox.control('PUT', '/faults', {
      path: '/v1/checkout/sessions',
      method: 'POST',
      status: 500,
      times: 1,
    });
    expect(await billing.openCheckout(userId).catch(codeOf)).toBe('billing.provider_unavailable');
    await billing.remove(userId);
    await billing.advance(hours(1));
    await billing.reconcile();
    expect(await isClosing(userId)).toBe(true);
    await billing.advance(1);
    await billing.reconcile();
    expect(await isClosing(userId)).toBe(false);
  });

  it('closes a page that is being opened at the same time', async () => {
    const userId = await billing.register();
    const stripe: typeof billing.stripe = {
      ...billing.stripe,
      openCheckout: async (order, key) => {
        const session = await billing.stripe.openCheckout(order, key);
        await billing.remove(userId);
        return session;
      },
    };
    const parts = { ...billing, stripe, publicUrl: 'https://shortlist.test' };
    const user = { userId, email: `${userId}@people.test`, name: 'Ada Lovelace' };
    expect(await openCheckout(parts, planSale('month'), user).catch(codeOf)).toBe('billing.user_not_found');
    expect(await openSessionsOf(userId)).toBe(0);
    await billing.reconcile();
    expect(await isClosing(userId)).toBe(false);
  });
});

describe('a payment of a deleted user', () => {
  it('on a page that could not be closed is refunded in full, once', async () => {
    const { userId, sessionId } = await openPage();
    await stripeIsDown();
    await billing.remove(userId);
    const { customer } = await billing.pay(sessionId);
    await stripeIsBack();
    await billing.reconcile();
    for (const event of await billing.eventsOf(customer)) await billing.deliver(event);
    await until('its events to be processed', async () =>
      (await billing.inbox(customer)).every(({ status }) => status !== 'pending'),
    );
    await Promise.all(times(3).map(() => closeDeletedUser(billing, userId)));
    await assertRefunded(userId, customer);
  });

  it('that no webhook had reported before the deletion is refunded in full', async () => {
    const { userId, sessionId } = await openPage();
    const { customer } = await billing.pay(sessionId);
    await billing.remove(userId);
    await until('the end of the closing', async () => !(await isClosing(userId)));
    await assertRefunded(userId, customer);
  });

  it('that was read from Stripe during the deletion is refunded before it is recorded', async () => {
    const { userId, sessionId } = await openPage();
    const { customer } = await billing.pay(sessionId);
    let isFirst = true;
    const stripe: typeof billing.stripe = {
      ...billing.stripe,
      readCustomer: async (customerId) => {
        const snapshot = await billing.stripe.readCustomer(customerId);
        if (isFirst) {
          isFirst = false;
          await billing.remove(userId);
        }
        return snapshot;
      },
    };
    await refreshSubscriber({ ...billing, stripe }, userId, { by: 'test', reason: 'test', waitMs: 0 });
    await assertRefunded(userId, customer);
  });

  it.each([
    ['after the refund', true],
    ['before the refund', false],
  ])('is refunded once when the process dies %s', async (_, isRefunded) => {
    const { userId, sessionId } = await openPage();
    const { customer } = await billing.pay(sessionId);
    // Without the consumer, which would close the user at Stripe by itself.
    await inTransaction(billing.db, (tx) => eraseUser(tx, deletionOf(userId)));
    let reads = 0;
    const dies = (): Promise<never> => Promise.reject(new Error('dies here'));
    const readCustomer: typeof billing.stripe.readCustomer = (customerId) => {
      reads += 1;
      return reads > 1 ? dies() : billing.stripe.readCustomer(customerId);
    };
    const refundInvoice = isRefunded ? billing.stripe.refundInvoice : dies;
    const stripe = { ...billing.stripe, readCustomer, refundInvoice };
    await closeDeletedUser({ ...billing, stripe }, userId);
    expect((await billing.api.refunds.list()).data).toHaveLength(isRefunded ? 1 : 0);
    expect(await isClosing(userId)).toBe(true);
    await billing.reconcile();
    await assertRefunded(userId, customer);
  });

  it('that was recorded before the deletion was known is refunded, once', async () => {
    const { userId, sessionId } = await openPage();
    const deletedAt = billing.clock();
    await billing.advance(minutes(1));
    const { customer } = await billing.pay(sessionId);
    await billing.confirm(userId, sessionId);
    await inTransaction(billing.db, (tx) => eraseUser(tx, deletionOf(userId, deletedAt)));
    for (const _ of times(2)) await closeDeletedUser(billing, userId);
    expect(await chargesOf(customer)).toEqual([0]);
    expect(await auditOf(userId)).toEqual([REFUND]);
    expect(await alertsOf(userId)).toEqual([REFUNDED_ALERT]);
  });

  it('in the second of the deletion is refunded, also if it was recorded before the deletion was known', async () => {
    const { userId, sessionId } = await openPage();
    const deletedAt = billing.clock();
    const { customer } = await billing.pay(sessionId);
    await billing.confirm(userId, sessionId);
    await inTransaction(billing.db, (tx) => eraseUser(tx, deletionOf(userId, deletedAt)));
    for (const _ of times(2)) await closeDeletedUser(billing, userId);
    expect(await chargesOf(customer)).toEqual([0]);
    expect(await alertsOf(userId)).toEqual([REFUNDED_ALERT]);
  });

  it('by a renewal is refunded, and the payment from before the deletion is not', async () => {
    const { userId, customer } = await billing.subscribe();
    await billing.advance(1_000);
    await stripeIsDown();
    await billing.remove(userId);
    await billing.advance(days(31));
    await stripeIsBack();
    await billing.reconcile();
    expect(await chargesOf(customer)).toEqual([0, 5_900]);
    expect(await statusesOf(customer)).toEqual(['canceled']);
    expect(await invoicesOf(userId)).toEqual([{ ...REFUNDED, refunded: 0 }, REFUNDED]);
    expect(await auditOf(userId)).toEqual([REFUND]);
    expect(await alertsOf(userId)).toEqual([REFUNDED_ALERT]);
  });

  it('cannot be made on the page of a formerly open invoice', async () => {
    await billing.sandbox.control('PUT', '/settings', { retryDays: [7, 14, 21] });
    const { userId, customer } = await billing.subscribe(undefined, LATER_BAD_CARD);
    await billing.advance(days(32));
    await billing.reconcile();
    await billing.remove(userId);
    await until('the end of the closing', async () => !(await isClosing(userId)));
    const { data } = await billing.api.invoices.list({ customer });
    expect(data.map(({ status }) => status)).toEqual(['void', 'paid']);
    expect(await alertsOf(userId)).toEqual([]);
  });

  it('that an operator has partly refunded is refunded for the rest', async () => {
    const { userId, sessionId } = await openPage();
    await stripeIsDown();
    await billing.remove(userId);
    const { customer, invoice } = await billing.pay(sessionId);
    await billing.sandbox.control('POST', `/invoices/${invoice}/refund`, { amount: 900 });
    await stripeIsBack();
    await billing.reconcile();
    expect(await chargesOf(customer)).toEqual([0]);
    expect(await invoicesOf(userId)).toEqual([REFUNDED]);
  });
});

it('a payment of a deleted user that its bank disputes is recorded although Stripe refuses to refund it', async () => {
  const { userId, sessionId } = await openPage();
  await stripeIsDown();
  await billing.remove(userId);
  const { customer, invoice } = await billing.pay(sessionId);
  await billing.sandbox.control('POST', `/invoices/${invoice}/dispute`);
  await stripeIsBack();
  await billing.reconcile();
  expect(await statusesOf(customer)).toEqual(['canceled']);
  expect(await invoicesOf(userId)).toEqual([{ ...REFUNDED, refunded: 0 }]);
  expect(await auditOf(userId)).toEqual([]);
  const detail = 'It could not be refunded in full. Refund it in Stripe.';
  expect(await alertsOf(userId)).toEqual([
    expect.objectContaining({ kind: 'dispute_opened' }),
    { ...ALERT, detail },
  ]);
  expect(await isClosing(userId)).toBe(false);
});

describe('an unsubscription by an admin', () => {
  it('closes the payment page that is still open', async () => {
    const { userId, sessionId } = await openPage();
    await billing.grant(userId);
    await billing.revoke(userId);
    expect(await sessionStatus(sessionId)).toBe('expired');
    await billing.openCheckout(userId);
    expect(await openSessionsOf(userId)).toBe(1);
  });

  it('ends the plan of a user who has just paid on the open page', async () => {
    const { userId, sessionId } = await openPage();
    const { customer } = await billing.pay(sessionId);
    await billing.revoke(userId);
    expect((await billing.stateOf(userId)).plan).toBe('free');
    expect(await statusesOf(customer)).toEqual(['canceled']);
  });
});
