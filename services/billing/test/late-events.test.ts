import type { CloudEvent } from '@shortlist/contracts/events/define';
import { type UserDeleted, userDeleted } from '@shortlist/contracts/events/identity';
import { inTransaction } from '@shortlist/kit/data/db';
import { eventOf } from '@shortlist/kit/testing/event-of';
import { insertUserRows, listTablesWith } from '@shortlist/kit/testing/user-rows';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endRenewal } from '../src/plans/end-renewal.ts';
import { revokePlan } from '../src/plans/grant-plan.ts';
import { eraseUser } from '../src/erase-user.ts';
import { createPoller } from '../src/inbox/poll-events.ts';
import { reconcileEvents } from '../src/reconcile/reconcile.ts';
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

describe('no event of Stripe is stored with personal data', () => {
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
});

/** Accounting, the payment pages that were opened, the row that keeps a late event from bringing the user back, the redacted log. */
const KEPT = [
  'alerts',
  'audit_log',
  'checkout_intents',
  'disputes',
  'invoices',
  'revenue_movements',
  'subscribers',
  'subscriptions',
];

it('the deletion of a user leaves rows in no other tables than these', async () => {
  const userId = await billing.register();
  const tables = await insertUserRows(billing.db, userId);
  expect(await listTablesWith(billing.db, userId)).toEqual(tables);
  await billing.remove(userId);
  expect(await listTablesWith(billing.db, userId)).toEqual(KEPT);
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

  it('no longer contain what an admin wrote', async () => {
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
    const removed = async <T>(order: Promise<T>): Promise<T> => {
      const response = await order;
      if (isRemoved) return response; // the deletion itself cancels subscriptions
      isRemoved = true;
      await billing.remove(userId);
      return response;
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
});
