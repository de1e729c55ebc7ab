import { randomUUID } from 'node:crypto';
import { userRegistered } from '@shortlist/contracts/events/identity';
import { profileUpdated } from '@shortlist/contracts/events/profile';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { startPruning } from '@shortlist/kit/messaging/pruning';
import { until } from '@shortlist/kit/testing/until';
import { SETTLED_EVENTS } from '../src/stripe/inbox.ts';
import { type Billing, codeOf, DAY, openBilling, times } from './support.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await openBilling();
});
afterEach(() => billing.sandbox.control('DELETE', '/faults'));
afterAll(() => billing.close());

const statusOf = async (subscription: string): Promise<string> =>
  (await billing.api.subscriptions.retrieve(subscription)).status;

describe("an admin's grant", () => {
  it('lasts a month, and a second one while it lasts changes nothing', async () => {
    const userId = await billing.register();
    await Promise.all(times(10).map(() => billing.grant(userId)));
    const end = (await billing.stateOf(userId)).granted?.end;
    expect(await billing.told(userId)).toEqual(['PlanGranted']);
    expect((await billing.read(userId)).data).toMatchObject({
      plan: 'premium',
      periodEnd: end,
      renews: false,
    });
  });

  it("F11: and a payment's event at the same moment, a hundred times, leave both, each told once", async () => {
    const round = async (): Promise<void> => {
      const userId = await billing.register();
      const sessionId = billing.sessionIn((await billing.openCheckout(userId)).url);
      const { customer } = await billing.pay(sessionId);
      const paid = (await billing.eventsOf(customer)).find(({ type }) => type === 'invoice.paid');
      await Promise.all([billing.grant(userId), billing.deliver(paid ?? {})]);
      await until('its events to be done', async () =>
        (await billing.inbox(customer)).every(({ status }) => status === 'done'),
      );
      const { paid: bought, plan, version } = await billing.stateOf(userId);
      const told = await billing.told(userId);
      expect({ plan, isBought: bought !== null }).toEqual({ plan: 'premium', isBought: true });
      expect(told.filter((name) => name === 'PaymentSucceeded')).toHaveLength(1);
      expect(version).toBe(told.length);
      const audited: unknown[] = await billing.db.query(
        "SELECT 1 FROM audit_log WHERE target_id = ? AND action = 'plan.grant'",
        [userId],
      );
      expect(audited.length).toBe(told.filter((name) => name === 'PlanGranted').length);
    };
    for (const _ of times(10)) await Promise.all(times(10).map(round));
  });

  it('F12: of the 30th of March, bought again on the 31st, is premium until the end of April', async () => {
    const own = await openBilling(); // the provider's clock only goes on
    own.setTime(new Date('2026-03-30T15:00:00Z'));
    const { userId } = await own.subscribe();
    own.setTime(new Date('2026-03-30T16:00:00Z'));
    expect((await own.revoke(userId)).data.plan).toBe('free');
    own.setTime(new Date('2026-03-31T09:00:00Z'));
    await own.subscribe(userId);
    expect((await own.read(userId)).data).toMatchObject({
      plan: 'premium',
      periodEnd: '2026-04-30T09:00:00.000Z',
    });
    await own.reconcile();
    expect((await own.stateOf(userId)).plan).toBe('premium');
    await own.close();
  });

  it("X23 ends premium at once and tells of it, though the provider's clock is ahead of ours", async () => {
    const own = await openBilling();
    const { userId } = await own.subscribe();
    await own.sandbox.control('POST', '/clock/advance', { seconds: 30 });
    expect((await own.revoke(userId)).data.plan).toBe('free');
    expect(await own.told(userId)).toEqual(['PaymentSucceeded', 'PlanRevoked']);
    await own.advance(120_000);
    await own.reconcile();
    expect((await own.told(userId)).filter((name) => name === 'PlanRevoked')).toHaveLength(1);
    await own.close();
  });

  it('F11: is not erased by an event that has nothing to do with it', async () => {
    const userId = await billing.register();
    await billing.openCheckout(userId);
    await billing.grant(userId);
    const before = await billing.stateOf(userId);
    await billing.reconcile();
    expect(await billing.stateOf(userId)).toMatchObject({ granted: before.granted, version: before.version });
  });
});

describe('Unsubscribe by an admin', () => {
  it("ends the provider's subscription and the plan at once; a second time is harmless", async () => {
    const { userId, subscription } = await billing.subscribe();
    await billing.advance(DAY);
    expect((await billing.revoke(userId)).data).toMatchObject({ plan: 'free', renews: false });
    expect(await statusOf(subscription)).toBe('canceled');
    expect((await billing.revoke(userId)).data.plan).toBe('free');
    expect(await billing.told(userId)).toEqual(['PaymentSucceeded', 'PlanRevoked']);
  });

  it('ends every subscription that could still take money, also one that we had not heard of', async () => {
    const { userId, subscription, customer } = await billing.subscribe();
    const second = await billing.api.checkout.sessions.create({
      mode: 'subscription',
      customer,
      client_reference_id: userId,
      line_items: [{ price: (await billing.api.prices.list({ limit: 1 })).data[0]?.id ?? '', quantity: 1 }],
      success_url: 'https://shortlist.test/',
    });
    const other = await billing.pay(second.id);
    await billing.advance(DAY);
    await billing.revoke(userId);
    expect([await statusOf(subscription), await statusOf(other.subscription)]).toEqual([
      'canceled',
      'canceled',
    ]);
    expect((await billing.stateOf(userId)).plan).toBe('free');
  });

  it('ends a grant and what was paid together', async () => {
    const userId = await billing.register();
    await billing.grant(userId);
    const before = await billing.stateOf(userId);
    await billing.advance(DAY);
    await billing.revoke(userId);
    expect(await billing.stateOf(userId)).toMatchObject({ plan: 'free', version: before.version + 1 });
    expect(await billing.told(userId)).toEqual(['PlanGranted', 'PlanRevoked']);
  });

  it.each([
    ['cannot be reached at the first call', '/v1/subscriptions', 'GET'],
    ['fails at the cancellation', '/v1/subscriptions/:id', 'DELETE'],
  ])('does nothing by halves when the provider %s', async (_, path, method) => {
    const { userId, subscription } = await billing.subscribe();
    await billing.advance(1_000);
    const before = await billing.stateOf(userId);
    await billing.sandbox.control('PUT', '/faults', { path, method, status: 500, times: 5 });
    expect(await billing.revoke(userId).catch(codeOf)).toBe('billing.provider_unavailable');
    expect(await billing.stateOf(userId)).toEqual(before);
    await billing.sandbox.control('DELETE', '/faults');
    expect(await statusOf(subscription)).toBe('active');
    expect((await billing.revoke(userId)).data.plan).toBe('free');
  });

  it('is completed by the next try when the line was cut after the cancellation', async () => {
    const { userId } = await billing.subscribe();
    await billing.advance(1_000);
    await billing.sandbox.control('PUT', '/faults', {
      path: '/v1/subscriptions/:id',
      method: 'DELETE',
      reset: true,
      times: 2,
    });
    expect(await billing.revoke(userId).catch(codeOf)).toBe('billing.provider_unavailable');
    expect((await billing.revoke(userId)).data.plan).toBe('free');
    expect(await billing.told(userId)).toEqual(['PaymentSucceeded', 'PlanRevoked']);
  });

  it('is for admins only, and says 404 for nobody', async () => {
    const userId = await billing.register();
    const { billingEndpoints } = await import('@shortlist/contracts/api/billing');
    expect(
      await billing.ask(billingEndpoints.revokePlan, { userId }, billing.asUser(userId)).catch(codeOf),
    ).toBe('session.forbidden');
    // Whatever kind of UUID an address names: one that is nobody's is not found, rather than not readable.
    for (const nobody of [uuidv7(), randomUUID()])
      expect(await billing.revoke(nobody).catch(codeOf)).toBe('billing.user_not_found');
  });
});

describe('a person who is gone', () => {
  it('is in no payload that was stored; settled events go after thirty days, waiting ones stay', async () => {
    const { userId, customer } = await billing.subscribe();
    for (const event of await billing.eventsOf(customer)) await billing.deliver(event);
    await until('its events to be done', async () =>
      (await billing.inbox(customer)).every(({ status }) => status !== 'pending'),
    );
    await billing.remove(userId);
    const payloads: { payload: string }[] = await billing.db.query(
      'SELECT DISTINCT payload FROM stripe_events WHERE customer_id = ?',
      [customer],
    );
    expect(payloads).toEqual([{ payload: '{}' }]);
    await billing.db.query('UPDATE stripe_events SET due_at = ? WHERE customer_id = ?', [
      new Date(billing.clock().getTime() - 31 * DAY),
      customer,
    ]);
    await billing.db.query(
      "UPDATE stripe_events SET status = 'failed' WHERE customer_id = ? AND type = 'invoice.paid'",
      [customer],
    );
    const pruning = startPruning({ ...billing, more: [SETTLED_EVENTS] });
    await until('pruning', async () => (await billing.inbox(customer)).length === 1);
    await pruning.stop();
    expect(await billing.inbox(customer)).toMatchObject([{ type: 'invoice.paid', status: 'failed' }]);
  });

  it('is cancelled at the provider, and late facts and events bring nothing back', async () => {
    const { userId, subscription, customer } = await billing.subscribe();
    await billing.remove(userId);
    await until('a canceled subscription', async () => (await statusOf(subscription)) === 'canceled');
    const told = await billing.told(userId);
    await billing.register(userId);
    const name = { email: 'ada@people.test', firstName: 'Ada', lastName: 'Back', organizationName: 'x' };
    await billing.publish(profileUpdated, userId, { version: 9, ...name });
    for (const event of await billing.eventsOf(customer)) await billing.deliver(event);
    await until('its events to be read', async () =>
      (await billing.inbox(customer)).every(({ status }) => status !== 'pending'),
    );
    const { row } = await billing.stateOf(userId);
    expect(row).toMatchObject({ email: '', name: '', subscriptionStatus: 'canceled' });
    expect(await billing.told(userId)).toEqual(told);
    expect(await billing.openCheckout(userId).catch(codeOf)).toBe('billing.user_not_found');
    expect(await billing.grant(userId).catch(codeOf)).toBe('billing.user_not_found');
  });

  it('is cancelled later when the provider was away at the time', async () => {
    const { userId, subscription } = await billing.subscribe();
    await billing.sandbox.control('PUT', '/faults', { path: '/v1/', status: 500, times: 20 });
    await billing.remove(userId);
    await billing.sandbox.control('DELETE', '/faults');
    await billing.reconcile();
    expect(await statusOf(subscription)).toBe('canceled');
  });

  it('who pays on a page that was still open is charged no second time', async () => {
    const userId = await billing.register();
    const sessionId = billing.sessionIn((await billing.openCheckout(userId)).url);
    await billing.remove(userId);
    const { subscription } = await billing.pay(sessionId);
    await billing.reconcile();
    expect(await statusOf(subscription)).toBe('canceled');
    expect(await billing.told(userId)).toEqual([]);
  });
});

describe('out-of-order events and duplicate events', () => {
  it('H3: a profile that is changed before the person is heard of keeps the newest name', async () => {
    const userId = uuidv7();
    const name = {
      email: `${userId}@people.test`,
      firstName: 'Grace',
      lastName: 'Hopper',
      organizationName: 'x',
    };
    await billing.publish(profileUpdated, userId, { version: 2, ...name });
    await billing.register(userId);
    expect((await billing.stateOf(userId)).row.name).toBe('Grace Hopper');
  });

  it('H4: a registration that comes ten times is one person', async () => {
    const userId = await billing.register();
    for (const _ of times(10)) await billing.register(userId);
    expect(await billing.db.query('SELECT 1 FROM subscribers WHERE user_id = ?', [userId])).toHaveLength(1);
    expect(userRegistered.type).toContain('UserRegistered');
  });
});
