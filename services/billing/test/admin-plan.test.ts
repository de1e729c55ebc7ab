import { randomUUID } from 'node:crypto';
import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { days, hours, minutes, monthsAfter } from '@shortlist/contracts/durations';
import { planGranted, planRevoked } from '@shortlist/contracts/events/billing';
import { userRegistered } from '@shortlist/contracts/events/identity';
import { profileUpdated } from '@shortlist/contracts/events/profile';
import { GRANT_MONTHS_MAX } from '@shortlist/contracts/limits';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { nextVersion } from '@shortlist/kit/data/version.rules';
import { startPruning } from '@shortlist/kit/messaging/pruning';
import { isLongRun } from '@shortlist/kit/testing/sample';
import { until } from '@shortlist/kit/testing/until';
import { SETTLED_EVENTS } from '../src/records/event-queries.ts';
import { type Billing, codeOf, openBilling, times } from './support.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await openBilling();
});
afterEach(() => billing.sandbox.control('DELETE', '/faults'));
afterAll(() => billing.close());

const statusOf = async (subscription: string): Promise<string> =>
  (await billing.api.subscriptions.retrieve(subscription)).status;

describe('a grant by an admin', () => {
  it('lasts a month, and a second grant during it changes nothing', async () => {
    const userId = await billing.register();
    await Promise.all(times(10).map(() => billing.grant(userId)));
    const end = (await billing.stateOf(userId)).granted?.end;
    expect(await billing.emitted(userId)).toEqual(['PlanGranted']);
    expect((await billing.read(userId)).data).toMatchObject({
      plan: 'premium',
      periodEnd: end,
      renews: false,
    });
  });

  it('ends when the admin chose, and the audit log has the reason', async () => {
    const userId = await billing.register();
    const end = new Date(billing.clock().getTime() + days(3)).toISOString();
    const { data } = await billing.grant(userId, { until: end, reason: ' Trial for the team ' });
    expect(data).toMatchObject({ plan: 'premium', periodEnd: end, continuation: 'granted' });
    const [entry] = await billing.db.query<{ after_state: string }[]>(
      "SELECT after_state FROM audit_log WHERE target_id = ? AND action = 'plan.grant'",
      [userId],
    );
    expect(JSON.parse(entry?.after_state ?? '')).toMatchObject({
      granted: { end },
      reason: 'Trial for the team',
    });
    const [granted] = await billing.emittedData(userId, planGranted);
    expect(granted?.planState.granted?.end).toBe(end);
    await billing.advance(days(3) - 1);
    await billing.endDuePlans();
    expect(await billing.emitted(userId)).toEqual(['PlanGranted']);
    await billing.advance(1);
    await billing.endDuePlans();
    expect(await billing.emitted(userId)).toEqual(['PlanGranted', 'PlanRevoked']);
    // Another one may follow.
    expect((await billing.grant(userId)).data.plan).toBe('premium');
  });

  it('of a job is given once, and taken back only while it is in force', async () => {
    const userId = await billing.register();
    const [grantId, other] = [randomUUID(), randomUUID()];
    const takeBack = async (id: string): Promise<boolean> =>
      (
        await billing.call(
          billingEndpoints.endGrant,
          { userId, grantId: id, reason: 'Undo' },
          billing.asAdmin,
        )
      ).ended;
    const key = `grant:${grantId}`;
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect((await billing.grant(userId, { grantId })).planState.granted?.key).toBe(key);
    expect(await billing.emitted(userId)).toEqual(['PlanGranted']);
    expect(await takeBack(other)).toBe(false);
    expect((await billing.read(userId)).data.plan).toBe('premium');
    expect([await takeBack(grantId), await takeBack(grantId)]).toEqual([true, false]);
    expect((await billing.read(userId)).data.plan).toBe('free');
    expect(await billing.emitted(userId)).toEqual(['PlanGranted', 'PlanRevoked']);
    const audited = await billing.db.query<{ after_state: string }[]>(
      "SELECT after_state FROM audit_log WHERE target_id = ? AND action = 'plan.revoke'",
      [userId],
    );
    expect(audited.map(({ after_state: after }) => JSON.parse(after) as object)).toMatchObject([
      { reason: 'Undo' },
    ]);
  });

  it('taken back leaves the period that was paid meanwhile', async () => {
    const userId = await billing.register();
    const grantId = randomUUID();
    await billing.grant(userId, { grantId });
    await billing.advance(days(40)); // the grant is over
    await billing.subscribe(userId);
    const input = { userId, grantId, reason: 'Undo' };
    expect(await billing.call(billingEndpoints.endGrant, input, billing.asAdmin)).toEqual({ ended: false });
    expect((await billing.read(userId)).data).toMatchObject({ plan: 'premium', renews: true });
  });

  it('is refused with an end that is over or after the last day of twelve months from now, and closes no page', async () => {
    const userId = await billing.register();
    const sessionId = billing.sessionIn((await billing.openCheckout(userId)).url);
    const now = billing.clock();
    const [latest, over] = [monthsAfter(now, GRANT_MONTHS_MAX), new Date(now.getTime() - 1)];
    for (const until of [now, over, new Date(latest.getTime() + hours(25)), new Date('2999-01-01')])
      expect(await billing.grant(userId, { until: until.toISOString() }).catch(codeOf)).toBe(
        'billing.grant_end',
      );
    const unreadable = { until: 'tomorrow' };
    expect(await billing.grant(userId, unreadable).catch(codeOf)).toBe('request.invalid');
    expect((await billing.api.checkout.sessions.retrieve(sessionId)).status).toBe('open');
    expect(await billing.emitted(userId)).toEqual([]);
    // The end of the last day of an admin west of here.
    const lastDay = new Date(latest.getTime() + hours(24));
    const { data } = await billing.grant(userId, { until: lastDay.toISOString() });
    expect(data.periodEnd).toBe(latest.toISOString());
    expect((await billing.stateOf(userId)).granted).toMatchObject({ months: GRANT_MONTHS_MAX });
    expect((await billing.api.checkout.sessions.retrieve(sessionId)).status).toBe('expired');
  });

  it('of more than a month says for how many, in its event and in the audit log', async () => {
    const after = async (until: (now: Date) => Date): Promise<unknown[]> => {
      const userId = await billing.register();
      await billing.grant(userId, { until: until(billing.clock()).toISOString(), reason: 'A long pilot' });
      const { granted } = await billing.stateOf(userId);
      const [event] = await billing.emittedData(userId, planGranted);
      expect(event?.planState.granted).toEqual(granted);
      const [entry] = await billing.db.query<{ after_state: string }[]>(
        "SELECT after_state FROM audit_log WHERE target_id = ? AND action = 'plan.grant'",
        [userId],
      );
      expect(JSON.parse(entry?.after_state ?? '')).toMatchObject({ granted, reason: 'A long pilot' });
      const lasts = Date.parse(granted?.end ?? '') - Date.parse(granted?.start ?? '');
      return [granted?.months, lasts];
    };
    const monthsMs = (count: number): number => {
      const now = billing.clock();
      return monthsAfter(now, count).getTime() - now.getTime();
    };
    const later = (ms: number) => (now: Date) => new Date(now.getTime() + ms);
    expect(await after(later(days(20)))).toEqual([undefined, days(20)]);
    expect(await after(later(monthsMs(1)))).toEqual([undefined, monthsMs(1)]);
    // The day on which the month ends is its last one, to the end of the day elsewhere.
    expect(await after(later(monthsMs(1) + hours(23)))).toEqual([undefined, monthsMs(1)]);
    expect(await after(later(monthsMs(1) + days(2)))).toEqual([2, monthsMs(1) + days(2)]);
    expect(await after(later(monthsMs(12)))).toEqual([12, monthsMs(12)]);
    expect(await after(later(monthsMs(12) + 1))).toEqual([12, monthsMs(12)]);
  });

  it('of six months that ends in the third by each way stays as granted but for its end', async () => {
    const grantId = randomUUID();
    const ways: ((userId: string) => Promise<unknown>)[] = [
      (userId) => billing.revoke(userId),
      (userId) =>
        billing.call(billingEndpoints.endGrant, { userId, grantId, reason: 'Undo' }, billing.asAdmin),
    ];
    for (const end of ways) {
      const userId = await billing.register();
      const until = monthsAfter(billing.clock(), 6).toISOString();
      await billing.grant(userId, { until, grantId });
      const { granted } = await billing.stateOf(userId);
      await billing.advance(days(70));
      await billing.endDuePlans();
      expect((await billing.read(userId)).data).toMatchObject({ plan: 'premium', periodEnd: until });
      await end(userId);
      const after = await billing.stateOf(userId);
      expect(after).toMatchObject({ plan: 'free' });
      expect(after.granted).toEqual({ ...granted, end: billing.clock().toISOString() });
      expect(await billing.emitted(userId)).toEqual(['PlanGranted', 'PlanRevoked']);
      await billing.advance(days(120));
      await billing.endDuePlans();
      expect(await billing.emitted(userId)).toEqual(['PlanGranted', 'PlanRevoked']);
    }
  });

  it('neither shortens nor prolongs a grant that is in force', async () => {
    const userId = await billing.register();
    const inDays = (count: number) => new Date(billing.clock().getTime() + days(count)).toISOString();
    await billing.grant(userId, { until: inDays(9) });
    const before = await billing.stateOf(userId);
    await billing.grant(userId, { until: inDays(2), reason: 'Shorter' });
    await billing.grant(userId, { until: inDays(20), reason: 'Longer' });
    expect(await billing.stateOf(userId)).toEqual(before);
    const audited: unknown[] = await billing.db.query(
      "SELECT 1 FROM audit_log WHERE target_id = ? AND action = 'plan.grant'",
      [userId],
    );
    expect(audited).toHaveLength(1);
  });

  it('of six months gives way to a payment, and is in force again from its end', async () => {
    const service = await openBilling();
    const { userId, subscription } = await service.subscribe();
    await service.sandbox.control('POST', `/subscriptions/${subscription}/pause`);
    await service.advance(days(31 + 8));
    await service.reconcile();
    await service.endDuePlans();
    const until = monthsAfter(service.clock(), 6).toISOString();
    await service.grant(userId, { until });
    const { granted } = await service.stateOf(userId);
    await service.advance(days(3));
    await service.sandbox.control('POST', `/subscriptions/${subscription}/resume`);
    await service.reconcile();
    const during = await service.stateOf(userId);
    expect(during.granted).toEqual(granted);
    const { data } = await service.read(userId);
    expect(data).toMatchObject({ continuation: 'renews', periodEnd: during.paid?.end, premiumUntil: until });
    const end = { userId, when: 'period_end' } as const;
    await service.call(billingEndpoints.revokePlan, end, service.asAdmin);
    await service.advance(days(40));
    await service.reconcile();
    await service.endDuePlans();
    const revoked = async (): Promise<string[]> =>
      (await service.emittedData(userId, planRevoked)).map(({ reason }) => reason);
    const before = await revoked();
    expect((await service.read(userId)).data).toMatchObject({
      plan: 'premium',
      continuation: 'granted',
      periodEnd: until,
    });
    await service.advance(days(180));
    await service.reconcile();
    await service.endDuePlans();
    expect((await service.read(userId)).data.plan).toBe('free');
    expect(await revoked()).toEqual([...before, 'grant_end']);
    await service.close();
  });

  it('F11: concurrent with a payment event, in many rounds, both take effect and each is emitted once', async () => {
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
      const emitted = await billing.emitted(userId);
      expect({ plan, isBought: bought !== null }).toEqual({ plan: 'premium', isBought: true });
      expect(emitted.filter((name) => name === 'PaymentSucceeded')).toHaveLength(1);
      expect(version, 'one after the other').toBe(nextVersion(0, billing.clock()) + emitted.length - 1);
      const audited: unknown[] = await billing.db.query(
        "SELECT 1 FROM audit_log WHERE target_id = ? AND action = 'plan.grant'",
        [userId],
      );
      expect(audited.length).toBe(emitted.filter((name) => name === 'PlanGranted').length);
    };
    for (const _ of times(isLongRun ? 10 : 2)) await Promise.all(times(10).map(round));
  });

  it('F12: revoked on the 30th of March and bought again on the 31st, the plan is premium until the end of April', async () => {
    const service = await openBilling(); // the sandbox's clock cannot be set back
    service.setTime(new Date('2026-03-30T15:00:00Z'));
    const { userId } = await service.subscribe();
    service.setTime(new Date('2026-03-30T16:00:00Z'));
    expect((await service.revoke(userId)).data.plan).toBe('free');
    service.setTime(new Date('2026-03-31T09:00:00Z'));
    await service.subscribe(userId);
    expect((await service.read(userId)).data).toMatchObject({
      plan: 'premium',
      periodEnd: '2026-04-30T09:00:00.000Z',
    });
    await service.reconcile();
    expect((await service.stateOf(userId)).plan).toBe('premium');
    await service.close();
  });

  it("X23 a revocation ends premium at once and emits it although Stripe's clock is ahead of ours", async () => {
    const service = await openBilling();
    const { userId } = await service.subscribe();
    await service.sandbox.control('POST', '/clock/advance', { seconds: 30 });
    expect((await service.revoke(userId)).data.plan).toBe('free');
    expect(await service.emitted(userId)).toEqual(['PaymentSucceeded', 'PlanRevoked']);
    await service.advance(minutes(2));
    await service.reconcile();
    expect((await service.emitted(userId)).filter((name) => name === 'PlanRevoked')).toHaveLength(1);
    await service.close();
  });

  it('F11: is not erased by an unrelated event', async () => {
    const userId = await billing.register();
    await billing.openCheckout(userId);
    await billing.grant(userId);
    const before = await billing.stateOf(userId);
    await billing.reconcile();
    expect(await billing.stateOf(userId)).toMatchObject({ granted: before.granted, version: before.version });
  });
});

describe('a revocation by an admin', () => {
  it('ends the subscription at Stripe and the plan at once; repeating it changes nothing', async () => {
    const { userId, subscription } = await billing.subscribe();
    await billing.advance(days(1));
    expect((await billing.revoke(userId)).data).toMatchObject({ plan: 'free', renews: false });
    expect(await statusOf(subscription)).toBe('canceled');
    expect((await billing.revoke(userId)).data.plan).toBe('free');
    expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded', 'PlanRevoked']);
  });

  it('ends every subscription that could still be charged, including one that is not stored', async () => {
    const { userId, subscription, customer } = await billing.subscribe();
    const second = await billing.api.checkout.sessions.create({
      mode: 'subscription',
      customer,
      client_reference_id: userId,
      line_items: [{ price: (await billing.stripe.findPrice()).id, quantity: 1 }],
      success_url: 'https://shortlist.test/',
    });
    const other = await billing.pay(second.id);
    await billing.advance(days(1));
    await billing.revoke(userId);
    expect([await statusOf(subscription), await statusOf(other.subscription)]).toEqual([
      'canceled',
      'canceled',
    ]);
    expect((await billing.stateOf(userId)).plan).toBe('free');
  });

  it('ends a grant and a paid period together', async () => {
    const userId = await billing.register();
    await billing.grant(userId);
    const before = await billing.stateOf(userId);
    await billing.advance(days(1));
    await billing.revoke(userId);
    expect(await billing.stateOf(userId)).toMatchObject({
      plan: 'free',
      version: nextVersion(before.version, billing.clock()),
    });
    expect(await billing.emitted(userId)).toEqual(['PlanGranted', 'PlanRevoked']);
  });

  it.each([
    ['fails at the first call', '/v1/subscriptions', 'GET'],
    ['fails at the cancellation', '/v1/subscriptions/:id', 'DELETE'],
  ])('changes nothing when Stripe %s', async (_, path, method) => {
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

  it('is completed by a repeated call if the connection was lost after the cancellation', async () => {
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
    expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded', 'PlanRevoked']);
  });

  it('is for admins and the user who leaves, and returns 404 for an unknown user', async () => {
    const userId = await billing.register();
    const { billingEndpoints } = await import('@shortlist/contracts/api/billing');
    expect(
      await billing.call(billingEndpoints.revokePlan, { userId }, billing.asUser(uuidv7())).catch(codeOf),
    ).toBe('request.not_found');
    // Any version of UUID is a valid id; an unknown one is not found.
    for (const unknownId of [uuidv7(), randomUUID()])
      expect(await billing.revoke(unknownId).catch(codeOf)).toBe('billing.user_not_found');
  });
});

describe('a deleted user', () => {
  it('is in no stored payload; settled events are pruned after thirty days, failed ones stay', async () => {
    const { userId, customer } = await billing.subscribe();
    for (const event of await billing.eventsOf(customer)) await billing.deliver(event);
    await until('its events to be done', async () =>
      (await billing.inbox(customer)).every(({ status }) => status !== 'pending'),
    );
    await billing.remove(userId);
    await billing.untilUnread(userId); // a read settles failed events too
    const payloads: { payload: string }[] = await billing.db.query(
      'SELECT DISTINCT payload FROM stripe_events WHERE customer_id = ?',
      [customer],
    );
    expect(payloads).toEqual([{ payload: '{}' }]);
    await billing.db.query('UPDATE stripe_events SET due_at = ? WHERE customer_id = ?', [
      new Date(billing.clock().getTime() - days(31)),
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

  it('has the subscription canceled at Stripe, and late events restore nothing', async () => {
    const { userId, subscription, customer } = await billing.subscribe();
    await billing.advance(1_000);
    await billing.remove(userId);
    await until('a canceled subscription', async () => (await statusOf(subscription)) === 'canceled');
    const emitted = await billing.emitted(userId);
    await billing.register(userId);
    const name = { email: 'ada@people.test', firstName: 'Ada', lastName: 'Back', organizationName: 'x' };
    await billing.publish(profileUpdated, userId, { version: 9, ...name });
    for (const event of await billing.eventsOf(customer)) await billing.deliver(event);
    await until('its events to be processed', async () =>
      (await billing.inbox(customer)).every(({ status }) => status !== 'pending'),
    );
    const { row } = await billing.stateOf(userId);
    expect(row).toMatchObject({ email: '', name: '', subscriptionStatus: 'canceled' });
    expect(await billing.emitted(userId)).toEqual(emitted);
    expect(await billing.openCheckout(userId).catch(codeOf)).toBe('billing.user_not_found');
    expect(await billing.grant(userId).catch(codeOf)).toBe('billing.user_not_found');
  });

  it('has the subscription canceled by reconciliation when Stripe was unavailable at the deletion', async () => {
    const { userId, subscription } = await billing.subscribe();
    await billing.sandbox.control('PUT', '/faults', { path: '/v1/', status: 500, times: 20 });
    await billing.remove(userId);
    await billing.sandbox.control('DELETE', '/faults');
    await billing.reconcile();
    expect(await statusOf(subscription)).toBe('canceled');
  });
});

describe('out-of-order events and duplicate events', () => {
  it('H3: a profile update that arrives before the registration keeps the newest name', async () => {
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

  it('H4: a registration that is delivered ten times is one subscriber', async () => {
    const userId = await billing.register();
    for (const _ of times(10)) await billing.register(userId);
    expect(await billing.db.query('SELECT 1 FROM subscribers WHERE user_id = ?', [userId])).toHaveLength(1);
    expect(userRegistered.type).toContain('UserRegistered');
  });
});
