import type { CloudEvent } from '@shortlist/contracts/events/define';
import { type UserDeleted, userDeleted } from '@shortlist/contracts/events/identity';
import { inTransaction } from '@shortlist/kit/data/db';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lateEvents, redactedEntries } from '../src/migrations.ts';
import { endRenewal } from '../src/plans/end-renewal.ts';
import { revokePlan } from '../src/plans/grant-plan.ts';
import { eraseUser } from '../src/sync/close-deleted.ts';
import { createPoller } from '../src/sync/poll-events.ts';
import { insertStripeEvent } from '../src/sync/queries.ts';
import { reconcileEvents } from '../src/sync/reconcile.ts';
import { type Billing, openBilling, unknownEvent } from './support.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await openBilling();
});
afterAll(() => billing.close());

const ADDRESS = 'ana.souza@talent.test';
const NAME = 'Ana Souza';
const PERSON = {
  customer_email: ADDRESS,
  receipt_email: ADDRESS,
  customer_name: NAME,
  customer_details: { email: ADDRESS, name: NAME },
  billing_details: { email: ADDRESS, name: NAME, address: { line1: 'Rua da Aurora 1' } },
  evidence: { customer_email_address: ADDRESS, customer_name: NAME },
  metadata: { email: ADDRESS },
  lines: { data: [{ description: NAME, metadata: { email: ADDRESS } }] },
};
/** An event of each kind of object that Stripe sends with a person in it. */
const eventsAbout = (customer: string) => [
  unknownEvent('invoice.paid', { object: 'invoice', id: 'in_late', customer, ...PERSON }),
  unknownEvent('checkout.session.completed', { object: 'checkout.session', id: 'cs', customer, ...PERSON }),
  unknownEvent('charge.dispute.created', { object: 'dispute', id: 'dp', charge: 'ch_none', ...PERSON }),
  unknownEvent('customer.updated', { object: 'customer', id: customer, email: ADDRESS, name: NAME }),
  unknownEvent('charge.updated', {
    object: 'charge',
    id: 'ch_late',
    customer: { id: customer, email: ADDRESS, name: NAME },
    ...PERSON,
  }),
  unknownEvent('customer.subscription.updated', {
    object: 'subscription',
    id: 'sub_late',
    customer,
    ...PERSON,
    items: { data: [{ metadata: { email: ADDRESS }, price: { lookup_key: 'x', metadata: { name: NAME } } }] },
  }),
];
const deliverAll = async (customer: string): Promise<void> => {
  for (const event of eventsAbout(customer)) expect((await billing.deliver(event)).status).toBe(200);
};
const stored = async (): Promise<string> =>
  JSON.stringify(await billing.db.query('SELECT * FROM stripe_events'));
const expectNoPerson = async (): Promise<void> => {
  expect(await stored()).not.toMatch(/ana\.souza|Ana Souza|Aurora/);
};
const deletionOf = (subject: string): CloudEvent<UserDeleted> =>
  eventOf(userDeleted, subject, { by: 'admin', generation: 1 }, { time: billing.clock().toISOString() });

describe('no event of Stripe is stored with a person in it', () => {
  it('before, during and after the deletion of the user', async () => {
    const { userId, customer } = await billing.subscribe();
    await deliverAll(customer);
    await expectNoPerson();
    await inTransaction(billing.db, async (tx) => {
      await eraseUser(tx, deletionOf(userId));
      await deliverAll(customer);
    });
    await expectNoPerson();
    await deliverAll(customer);
    await expectNoPerson();
  });

  it('when it is found by reconciliation, or by polling', async () => {
    const { userId, customer } = await billing.subscribe();
    await billing.api.customers.update(customer, { email: ADDRESS, name: NAME });
    await billing.remove(userId);
    await billing.db.query('DELETE FROM stripe_events');
    const types = ['customer.updated', 'invoice.paid', 'checkout.session.completed'];
    await reconcileEvents({ ...billing, result: { checked: 0, failed: 0, repaired: [] } }, types);
    expect(await stored()).toContain(customer);
    await expectNoPerson();
    await billing.db.query('DELETE FROM stripe_events');
    await createPoller({
      ...billing,
      intake: { add: () => undefined, stop: () => Promise.resolve() },
    }).poll();
    expect(await stored()).toContain(customer);
    await expectNoPerson();
  });

  it('that an earlier version has stored after the deletion is redacted by the upgrade', async () => {
    const { userId, customer } = await billing.subscribe();
    await billing.remove(userId);
    const remaining = await billing.subscribe();
    const raw = { type: 'invoice.paid', payload: JSON.stringify(PERSON), receivedAt: billing.clock() };
    await insertStripeEvent(billing.db.manager, { ...raw, eventId: 'evt_late', customerId: customer });
    await insertStripeEvent(billing.db.manager, {
      ...raw,
      eventId: 'evt_remaining',
      customerId: remaining.customer,
    });
    const runner = billing.db.createQueryRunner();
    await new lateEvents().up(runner);
    await runner.release();
    const rows = await billing.db.query<{ event_id: string }[]>(
      'SELECT event_id FROM stripe_events WHERE payload LIKE ?',
      [`%${ADDRESS}%`],
    );
    expect(rows).toEqual([{ event_id: 'evt_remaining' }]);
  });
});

describe('the entries of the audit log about a deleted user', () => {
  const REASON = 'Ana Souza wrote "stop\\it" to us';
  const entries = async (userId: string) =>
    billing.db.query<{ action: string; before_state: string; after_state: string }[]>(
      "SELECT action, before_state, after_state FROM audit_log WHERE target_id = ? AND action LIKE 'plan.%'",
      [userId],
    );
  const revoke = (userId: string) => billing.revoke(userId, { reason: REASON });
  const expectRedacted = async (userId: string): Promise<void> => {
    const rows = await entries(userId);
    expect(JSON.stringify(rows)).not.toContain('Ana');
    for (const { after_state: after } of rows) JSON.parse(after);
    expect(rows.map(({ action }) => action)).toContain('plan.revoke');
  };

  it('say no more what an admin wrote', async () => {
    const { userId } = await billing.subscribe();
    await revoke(userId);
    expect(JSON.stringify(await entries(userId))).toContain('Ana');
    await billing.remove(userId);
    await expectRedacted(userId);
  });

  it.each([
    ['a plan', revokePlan],
    ['a renewal', endRenewal],
  ])('are not added when the deletion comes while %s is being ended', async (_what, end) => {
    const { userId } = await billing.subscribe();
    let isRemoved = false;
    const removed = async (order: Promise<void>): Promise<void> => {
      await order;
      if (isRemoved) return; // the deletion itself cancels subscriptions
      isRemoved = true;
      await billing.remove(userId);
    };
    const stripe: typeof billing.stripe = {
      ...billing.stripe,
      cancelSubscription: (...order) => removed(billing.stripe.cancelSubscription(...order)),
      endAtPeriodEnd: (...order) => removed(billing.stripe.endAtPeriodEnd(...order)),
    };
    const { caller } = billing.asAdmin;
    const ended = end({ ...billing, stripe }, userId, { caller, reason: REASON });
    await expect(ended).rejects.toMatchObject({ code: 'billing.user_not_found' });
    expect(JSON.stringify(await entries(userId))).not.toContain('Ana');
  });

  it('that an earlier version left as they were are redacted by the upgrade', async () => {
    const { userId } = await billing.subscribe();
    await revoke(userId);
    await billing.db.query('UPDATE subscribers SET deleted_at = NOW(3) WHERE user_id = ?', [userId]);
    const runner = billing.db.createQueryRunner();
    await new redactedEntries().up(runner);
    await runner.release();
    await expectRedacted(userId);
  });
});
