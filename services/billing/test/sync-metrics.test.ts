import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { uuidv7 } from 'uuidv7';
import { asService } from '@shortlist/kit/http/http-client';
import { insertStripeEvent, postponeEvents, settleEvents } from '../src/records/event-queries.ts';
import { type Billing, openBilling, START, unknownEvent } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
});
afterAll(() => billing.close());

const value = async (name: string, labels = ''): Promise<number> =>
  Number(
    new RegExp(`^${name}\\{${labels}.*\\} (\\d+(?:\\.\\d+)?)$`, 'm').exec(await billing.metrics.text())?.[1],
  );

describe('the metrics of the inbox', () => {
  it('count unprocessed events by status, and have the wait of the oldest', async () => {
    expect(await value('stripe_inbox_oldest_seconds')).toBe(0);
    const common = { type: 'invoice.paid', customerId: null, payload: '{}' };
    const old = new Date(START.getTime() - 400_000);
    await insertStripeEvent(billing.db.manager, { ...common, eventId: 'evt_old', receivedAt: old });
    await insertStripeEvent(billing.db.manager, { ...common, eventId: 'evt_new', receivedAt: START });
    await postponeEvents(billing.db.manager, ['evt_old'], 'Stripe is away');
    expect(await value('stripe_inbox_events', 'status="pending"')).toBe(1);
    expect(await value('stripe_inbox_events', 'status="failed"')).toBe(1);
    expect(await value('stripe_inbox_oldest_seconds')).toBe(400);
    await settleEvents(billing.db.manager, ['evt_old', 'evt_new'], { status: 'done' });
    expect(await value('stripe_inbox_oldest_seconds')).toBe(0);
  });

  it('count deliveries by type, those without effect together', async () => {
    const deliver = async (type: string): Promise<void> => {
      const sent = unknownEvent(type, { object: 'invoice', id: 'in_1', customer: 'cus_unknown' });
      expect((await billing.deliver(sent)).status).toBe(200);
    };
    await deliver('invoice.paid');
    await deliver('tax_rate.created');
    await deliver('topup.created');
    expect(await value('stripe_webhooks_received_total', 'type="invoice.paid"')).toBe(1);
    expect(await value('stripe_webhooks_received_total', 'type="other"')).toBe(2);
  });
});

describe('the metrics of reconciliation', () => {
  it('count its runs and what it repaired', async () => {
    expect(await value('reconciliation_runs_total')).toBe(0);
    await billing.call(billingEndpoints.reconcile, {}, asService());
    expect(await value('reconciliation_repairs_total')).toBe(0);
    await billing.pay(billing.sessionIn((await billing.openCheckout(uuidv7())).url));
    await billing.call(billingEndpoints.reconcile, {}, asService());
    expect(await value('reconciliation_runs_total')).toBe(2);
    expect(await value('reconciliation_repairs_total')).toBeGreaterThan(0);
  });
});
