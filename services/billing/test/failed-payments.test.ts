import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { days, hours } from '@shortlist/contracts/durations';
import { paymentFailed } from '@shortlist/contracts/events/billing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { findInvoice } from '../src/records/invoice-queries.ts';
import { type Billing, LATER_BAD_CARD, openBilling, unknownEvent } from './support.ts';

/** Each payment of this card must be confirmed by its owner. */
const CONFIRMED_EACH_TIME = '4000002760003184';

let billing: Billing;
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
});
afterAll(() => billing.close());

const alerts = async () => (await billing.call(billingEndpoints.listAlerts, {}, billing.asAdmin)).data;
/** Reconciliation stores the missed events, and the retry job runs those with an action of their own. */
const catchUp = async (): Promise<void> => {
  await billing.reconcile();
  await billing.retryInbox();
};

describe('a renewal', () => {
  it('that waits for 3-D Secure names the page to confirm it', async () => {
    const { userId, customer } = await billing.subscribe(undefined, CONFIRMED_EACH_TIME);
    await billing.advance(days(31) + hours(1));
    await catchUp();
    await billing.emitted(userId);
    const [invoice] = (await billing.api.invoices.list({ customer, status: 'open' })).data;
    expect(invoice?.hosted_invoice_url).toMatch(/^http/);
    expect(await billing.emittedData(userId, paymentFailed)).toMatchObject([
      { attempt: 1, confirmUrl: invoice?.hosted_invoice_url },
    ]);
  });

  it('that the card declines names no page', async () => {
    const { userId } = await billing.subscribe(undefined, LATER_BAD_CARD);
    await billing.advance(days(31) + hours(1));
    await catchUp();
    await billing.emitted(userId);
    expect(await billing.emittedData(userId, paymentFailed)).toMatchObject([
      { attempt: 1, confirmUrl: null },
    ]);
  });

  it.each([
    ['voided', 'void', 'void'],
    ['given up as bad debt', 'uncollectible', 'uncollectible'],
  ])('whose invoice is %s is stored as such and pays for nothing', async (_, path, status) => {
    const { userId, customer } = await billing.subscribe(undefined, LATER_BAD_CARD);
    await billing.advance(days(31) + hours(1));
    await catchUp();
    const [invoice] = (await billing.api.invoices.list({ customer, status: 'open' })).data;
    await billing.sandbox.control('POST', `/invoices/${invoice?.id ?? ''}/${path}`);
    await catchUp();
    expect(await findInvoice(billing.db.manager, invoice?.id ?? '')).toMatchObject({ status, fee: null });
    expect((await billing.stateOf(userId)).paid).toMatchObject({ end: '2026-04-01T12:00:00.000Z' });
  });

  it('whose invoice Stripe cannot finalize raises an alert', async () => {
    const { userId } = await billing.subscribe();
    await billing.sandbox.control('PUT', '/settings', { finalizationFails: true });
    await billing.advance(days(31) + hours(1));
    await catchUp();
    expect(await alerts()).toMatchObject([{ kind: 'invoice_finalization_failed', userId, amount: 5_900 }]);
    expect((await alerts())[0]?.detail).toMatch(/\w/);
  });

  it('whose invoice has no currency yet raises an alert without an amount', async () => {
    const { userId, customer } = await billing.subscribe();
    const object = {
      object: 'invoice',
      id: 'in_draft',
      customer,
      last_finalization_error: { message: 'no tax' },
    };
    await billing.deliver(unknownEvent('invoice.finalization_failed', object));
    await billing.intake.stop();
    expect(await alerts()).toMatchObject([
      { kind: 'invoice_finalization_failed', userId, amount: null, currency: null, detail: 'no tax' },
    ]);
  });
});

describe('a refund', () => {
  it('whose event names only the charge is assigned to the charge', async () => {
    const { userId, invoice, customer } = await billing.subscribe();
    await billing.sandbox.control('POST', `/invoices/${invoice}/refund`);
    const event = (await billing.eventsOf(customer)).find(({ type }) => type === 'refund.created');
    const object = { ...event?.data.object, customer: null };
    await billing.deliver({ ...event, data: { object } });
    await billing.intake.stop();
    expect((await billing.stateOf(userId)).plan).toBe('free');
    expect(await billing.inbox(customer)).toMatchObject([{ type: 'refund.created', status: 'done' }]);
  });
});

describe('a full refund that the bank returns', () => {
  const refundAndFail = async () => {
    const subscribed = await billing.subscribe();
    await billing.advance(days(1));
    await billing.sandbox.control('POST', `/invoices/${subscribed.invoice}/refund`);
    await catchUp();
    expect((await billing.stateOf(subscribed.userId)).plan).toBe('free');
    const charge = (await billing.api.charges.list({ customer: subscribed.customer })).data[0]?.id ?? '';
    const [refund] = (await billing.api.refunds.list({ charge })).data;
    await billing.advance(days(5));
    await billing.sandbox.control('POST', `/refunds/${refund?.id ?? ''}/fail`);
    await catchUp();
    return { ...subscribed, refundId: refund?.id };
  };

  it('gives the plan back for the whole period that was paid, without a renewal', async () => {
    const { userId, subscription } = await refundAndFail();
    const { cancellation_details: details } = await billing.api.subscriptions.retrieve(subscription);
    expect(details?.comment).toBe('shortlist:refund');
    const { plan, paid } = await billing.stateOf(userId);
    expect({ plan, paid }).toMatchObject({
      plan: 'premium',
      paid: { end: '2026-04-01T12:00:00.000Z', graceUntil: null },
    });
    await billing.advance(days(26));
    await catchUp();
    await billing.endDuePlans();
    expect((await billing.stateOf(userId)).plan).toBe('free');
    expect(await billing.emitted(userId)).toEqual([
      'PaymentSucceeded',
      'PaymentRefunded',
      'PlanRevoked',
      'AlertRaised',
      'SubscriptionChanged',
      'PlanRevoked',
    ]);
  });

  it('is no longer an expense, and raises an alert', async () => {
    const { userId, refundId } = await refundAndFail();
    expect(await alerts()).toMatchObject([
      { kind: 'refund_failed', objectId: refundId, userId, amount: 5_900, currency: 'usd' },
    ]);
    const { data } = await billing.call(billingEndpoints.earnings, { period: 'month' }, billing.asAdmin);
    expect(data).toMatchObject({ earnings: 5_900, expenses: 201 });
  });

  it('does not give back a plan that the customer had canceled before', async () => {
    const { userId, invoice, subscription, customer } = await billing.subscribe();
    await billing.advance(days(1));
    await billing.api.subscriptions.cancel(subscription);
    await billing.sandbox.control('POST', `/invoices/${invoice}/refund`);
    await catchUp();
    const charge = (await billing.api.charges.list({ customer })).data[0]?.id ?? '';
    const [refund] = (await billing.api.refunds.list({ charge })).data;
    await billing.sandbox.control('POST', `/refunds/${refund?.id ?? ''}/fail`);
    await catchUp();
    expect((await billing.stateOf(userId)).plan).toBe('free');
  });
});
