import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { renewalResumed } from '@shortlist/contracts/events/billing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { days } from '@shortlist/contracts/durations';
import { uuidv7 } from 'uuidv7';
import { endRenewal } from '../src/plans/end-renewal.ts';
import { type Billing, codeOf, LATER_BAD_CARD, openBilling } from './support.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await openBilling();
});
afterEach(() => billing.sandbox.control('DELETE', '/faults'));
afterAll(() => billing.close());

type Entry = { action: string; before_state: string; after_state: string };

const audited = async (userId: string): Promise<{ action: string; after: { reason?: string } }[]> => {
  const rows: Entry[] = await billing.db.query('SELECT * FROM audit_log WHERE target_id = ? ORDER BY id', [
    userId,
  ]);
  return rows.map(({ action, after_state: after }) => ({ action, after: JSON.parse(after) as object }));
};

describe('an admin who unsubscribes a user', () => {
  it('changes nothing when the user is free, and nothing is audited', async () => {
    const userId = await billing.register();
    const sessionId = billing.sessionIn((await billing.openCheckout(userId)).url);
    const before = await billing.stateOf(userId);
    for (const when of ['now', 'period_end'] as const)
      expect((await billing.revoke(userId, { when })).data.plan).toBe('free');
    expect(await billing.stateOf(userId)).toEqual(before);
    expect(await audited(userId)).toEqual([]);
    expect(await billing.emitted(userId)).toEqual([]);
    // The user may be paying on this page.
    expect((await billing.api.checkout.sessions.retrieve(sessionId)).status).toBe('open');
  });

  it('is audited once with the reason, however often the request is sent', async () => {
    const { userId } = await billing.subscribe();
    await billing.advance(days(1));
    const revocations = [1, 2, 3].map(() => billing.revoke(userId, { reason: '  Refunded by phone ' }));
    for (const { data } of await Promise.all(revocations)) expect(data.plan).toBe('free');
    expect(await audited(userId)).toMatchObject([
      { action: 'plan.revoke', after: { reason: 'Refunded by phone' } },
    ]);
  });

  it('ends a subscription that Stripe still tries to charge although the user is free', async () => {
    const { userId, subscription } = await billing.subscribe(undefined, LATER_BAD_CARD);
    await billing.advance(days(32));
    await billing.reconcile();
    await billing.db.query('UPDATE subscribers SET paid = NULL WHERE user_id = ?', [userId]);
    expect((await billing.stateOf(userId)).plan).toBe('free');
    await billing.revoke(userId);
    expect((await billing.api.subscriptions.retrieve(subscription)).status).toBe('canceled');
  });
});

describe('an admin who ends a plan at the end of its period', () => {
  it('leaves the user premium until then, stops the renewal at Stripe and is audited with the reason', async () => {
    const { userId, subscription } = await billing.subscribe();
    const { periodEnd } = (await billing.read(userId)).data;
    const reply = await billing.revoke(userId, { when: 'period_end', reason: 'Team closed' });
    expect(reply).toMatchObject({
      data: { plan: 'premium', renews: false, periodEnd, continuation: 'ends', premiumUntil: periodEnd },
      outlook: { continuation: 'ends', premiumUntil: periodEnd },
    });
    const atStripe = await billing.api.subscriptions.retrieve(subscription);
    expect(atStripe).toMatchObject({ status: 'active', cancel_at_period_end: true });
    const stopped = ['PaymentSucceeded', 'SubscriptionChanged', 'RenewalStopped'];
    expect(await billing.emitted(userId)).toEqual(stopped);
    expect(await audited(userId)).toMatchObject([
      { action: 'plan.end_renewal', after: { reason: 'Team closed', paid: { graceUntil: null } } },
    ]);
    await billing.advance(days(32));
    await billing.endDuePlans();
    expect((await billing.stateOf(userId)).plan).toBe('free');
    expect(await billing.emitted(userId)).toEqual([...stopped, 'PlanRevoked']);
  });

  it('changes nothing the second time, and may still end the plan at once', async () => {
    const { userId } = await billing.subscribe();
    await billing.revoke(userId, { when: 'period_end' });
    await billing.revoke(userId, { when: 'period_end' });
    expect((await audited(userId)).map(({ action }) => action)).toEqual(['plan.end_renewal']);
    await billing.advance(days(1));
    expect((await billing.revoke(userId, { when: 'now' })).data.plan).toBe('free');
  });

  it('stops a second subscription too, whose open page was paid at the last moment', async () => {
    const { userId, customer: customerId } = await billing.subscribe();
    const { id: priceId } = await billing.stripe.findPrice();
    const order = {
      userId,
      customerId,
      priceId,
      amount: 5_900,
      credits: null,
      trialDays: 0,
      successUrl: 'https://a.test',
      cancelUrl: 'https://a.test',
    };
    const session = await billing.stripe.openCheckout(order, uuidv7());
    await billing.db.query(
      "INSERT INTO checkout_intents (id, user_id, kind, state, session_id, created_at) VALUES (?, ?, 'plan', 'open', ?, ?)",
      [uuidv7(), userId, session?.sessionId, billing.clock()],
    );
    const stripe: typeof billing.stripe = {
      ...billing.stripe,
      listOpenCheckouts: async (customer) => {
        await billing.pay(session?.sessionId ?? '');
        return billing.stripe.listOpenCheckouts(customer);
      },
    };
    await endRenewal({ ...billing, stripe }, userId, { ...billing.asAdmin, reason: undefined });
    const { data } = await billing.api.subscriptions.list({ customer: customerId });
    expect(data.map((one) => one.cancel_at_period_end)).toEqual([true, true]);
  });

  it('changes nothing about a granted plan, which ends by itself', async () => {
    const userId = await billing.register();
    await billing.grant(userId);
    const before = await billing.stateOf(userId);
    const reply = await billing.revoke(userId, { when: 'period_end' });
    expect(reply.data).toMatchObject({ continuation: 'granted', premiumUntil: before.granted?.end });
    expect(await billing.stateOf(userId)).toEqual(before);
    expect((await audited(userId)).map(({ action }) => action)).toEqual(['plan.grant']);
  });

  it('ends an unpaid subscription behind a granted plan, and leaves the grant', async () => {
    const service = await openBilling();
    await service.sandbox.control('PUT', '/settings', { retryDays: [3, 30] });
    const { userId, subscription } = await service.subscribe(undefined, LATER_BAD_CARD);
    await service.advance(days(32));
    await service.reconcile();
    await service.advance(days(8));
    await service.grant(userId);
    const { granted, row } = await service.stateOf(userId);
    expect(row).toMatchObject({ subscriptionStatus: 'past_due', renews: true });
    const reply = await service.revoke(userId, { when: 'period_end' });
    expect(reply).toMatchObject({ data: { plan: 'premium', premiumUntil: granted?.end } });
    expect((await service.api.subscriptions.retrieve(subscription)).status).toBe('canceled');
    await service.close();
  });

  it('is refused while a renewal is being collected, and nothing changes at Stripe', async () => {
    const service = await openBilling();
    const { userId, subscription } = await service.subscribe(undefined, LATER_BAD_CARD);
    await service.advance(days(32));
    expect(await service.revoke(userId, { when: 'period_end' }).catch(codeOf)).toBe(
      'billing.period_not_paid',
    );
    const atStripe = await service.api.subscriptions.retrieve(subscription);
    expect(atStripe).toMatchObject({ status: 'past_due', cancel_at_period_end: false });
    expect((await service.read(userId)).data.continuation).toBe('collecting');
    await service.close();
  });

  it('changes nothing when Stripe fails, and a repeated call completes it', async () => {
    const { userId } = await billing.subscribe();
    const before = await billing.stateOf(userId);
    await billing.sandbox.control('PUT', '/faults', {
      path: '/v1/subscriptions/:id',
      method: 'POST',
      status: 500,
      times: 5,
    });
    const input = { when: 'period_end' } as const;
    expect(await billing.revoke(userId, input).catch(codeOf)).toBe('billing.provider_unavailable');
    expect(await billing.stateOf(userId)).toEqual(before);
    expect(await audited(userId)).toEqual([]);
    await billing.sandbox.control('DELETE', '/faults');
    expect((await billing.revoke(userId, input)).data.renews).toBe(false);
  });

  it('is refused for a deleted user', async () => {
    const { userId } = await billing.subscribe();
    await billing.remove(userId);
    expect(await billing.revoke(userId, { when: 'period_end' }).catch(codeOf)).toBe('billing.user_not_found');
  });
});

describe('an admin who resumes a renewal', () => {
  const resume = (userId: string, reason?: string, version?: number) =>
    billing.call(
      billingEndpoints.resumePlan,
      { userId, ...(reason !== undefined && { reason }), ...(version !== undefined && { version }) },
      billing.asAdmin,
    );

  it('of an earlier version of the plan charges nobody who has resumed and canceled since', async () => {
    const { userId, subscription } = await billing.subscribe();
    const { version } = (await billing.revoke(userId, { when: 'period_end' })).planState;
    await resume(userId);
    await billing.revoke(userId, { when: 'period_end' });
    expect(await resume(userId, 'Undo', version).catch(codeOf)).toBe('billing.plan_changed');
    expect((await billing.api.subscriptions.retrieve(subscription)).cancel_at_period_end).toBe(true);
    const current = (await billing.stateOf(userId)).version;
    expect((await resume(userId, 'Undo', current)).data.renews).toBe(true);
  });

  it('makes the subscription renew again, and is audited with the reason', async () => {
    const { userId, subscription } = await billing.subscribe();
    await billing.revoke(userId, { when: 'period_end' });
    const { data } = await resume(userId, ' Asked by phone ');
    expect(data).toMatchObject({ plan: 'premium', renews: true, continuation: 'renews' });
    expect((await billing.api.subscriptions.retrieve(subscription)).cancel_at_period_end).toBe(false);
    expect((await audited(userId)).at(-1)).toMatchObject({
      action: 'plan.resume',
      after: { reason: 'Asked by phone', paid: { graceUntil: expect.any(String) as string } },
    });
    const [resumed] = await billing.emittedData(userId, renewalResumed);
    expect(resumed?.by).toBe(billing.asAdmin.caller.userId);
  });

  it('undoes what the user canceled, and may be undone', async () => {
    const { userId } = await billing.subscribe();
    const cancel = { userId, when: 'period_end' } as const;
    await billing.call(billingEndpoints.revokePlan, cancel, billing.asUser(userId));
    expect((await resume(userId)).data.renews).toBe(true);
    await billing.revoke(userId, { when: 'period_end' });
    expect((await billing.read(userId)).data).toMatchObject({ renews: false, canResume: true });
    // What the user did is not an act of an admin.
    expect((await audited(userId)).map(({ action }) => action)).toEqual(['plan.resume', 'plan.end_renewal']);
  });

  it('changes nothing and records nothing where nothing is to be resumed', async () => {
    const { userId } = await billing.subscribe();
    expect(await resume(userId).catch(codeOf)).toBe('billing.renewal_not_stopped');
    const granted = await billing.register();
    await billing.grant(granted);
    expect(await resume(granted).catch(codeOf)).toBe('billing.renewal_not_stopped');
    expect(await audited(userId)).toEqual([]);
    expect((await audited(granted)).map(({ action }) => action)).toEqual(['plan.grant']);
  });

  it('twice at the same moment resumes it once', async () => {
    const { userId } = await billing.subscribe();
    await billing.revoke(userId, { when: 'period_end' });
    const results = await Promise.all(
      [resume(userId), resume(userId)].map((one) => one.then(String, codeOf)),
    );
    expect(results.filter((result) => result === 'billing.renewal_not_stopped')).toHaveLength(1);
    expect((await audited(userId)).map(({ action }) => action)).toEqual(['plan.end_renewal', 'plan.resume']);
  });

  it('is refused for a deleted user', async () => {
    const { userId } = await billing.subscribe();
    await billing.revoke(userId, { when: 'period_end' });
    await billing.remove(userId);
    expect(await resume(userId).catch(codeOf)).toBe('billing.user_not_found');
  });
});

it.each([
  ['another time', { when: 'tomorrow' }],
  ['a reason of more than 300 characters', { reason: 'x'.repeat(301) }],
  ['a reason with control characters', { reason: 'a\u0000b' }],
])('unsubscribing refuses %s', async (_, input) => {
  const userId = await billing.register();
  const call = billing.call(billingEndpoints.revokePlan, { userId, ...(input as object) }, billing.asAdmin);
  expect(await call.catch(codeOf)).toBe('request.invalid');
});
