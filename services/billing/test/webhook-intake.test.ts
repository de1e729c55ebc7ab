import { STRIPE_WEBHOOK_PATH } from '@shortlist/contracts/api/billing';
import { minutes } from '@shortlist/contracts/durations';
import { databaseNow } from '@shortlist/kit/data/db';
import { createMetrics, type Metrics } from '@shortlist/kit/process/metrics';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { storedPayload } from '../src/stripe/stripe-event.ts';
import { insertStripeEvent, postponeEvents, settleEvents } from '../src/records/event-queries.ts';
import { type Billing, unknownEvent, OLD_SECRET, openBilling, signed, START, times } from './support.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await openBilling();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await billing.sandbox.control('DELETE', '/faults');
});
afterAll(() => billing.close());

const event = () => unknownEvent('invoice.paid', { object: 'invoice', id: 'in_1', customer: 'cus_unknown' });
type Stored = { status: string; why: string | null; payload: string; attempts: number };
const stored = async (id: string): Promise<Stored | undefined> => {
  const rows: Stored[] = await billing.db.query(
    'SELECT status, last_error AS why, payload, attempts FROM stripe_events WHERE event_id = ?',
    [id],
  );
  return rows[0];
};
const refusals = async (): Promise<number> =>
  Number(/refused_total\{.*\} (\d+)/.exec(await billing.metrics.text())?.[1]);
const settled = async (id: string) => {
  await until(
    'the event to be processed',
    async () => !['pending', undefined].includes((await stored(id))?.status),
  );
  return stored(id);
};

/** How often a customer was read from Stripe. */
const readsIn = async (metrics: Metrics): Promise<number> =>
  Number(/_count\{.*operation="GET \/v1\/subscriptions".* (\d+)$/m.exec(await metrics.text())?.[1]);

it('events of one customer that arrive together lead to one refresh, after the last of them', async () => {
  const metrics = createMetrics('billing');
  const quiet = await openBilling({ metrics, limits: { quietMs: 2_000 } });
  const { customer } = await quiet.subscribe();
  const reads = () => readsIn(metrics);
  const before = await reads();
  const events = await quiet.eventsOf(customer);
  expect(events.length).toBeGreaterThan(4);
  for (const one of events) expect((await quiet.deliver(one)).status).toBe(200);
  expect(await quiet.retryInbox()).toEqual({ retried: 0, failed: 0 });
  expect(await reads(), 'nothing is read while events arrive').toBe(before);
  await until('every event to be settled', async () =>
    (await quiet.inbox(customer)).every(({ status }) => status !== 'pending'),
  );
  expect(await reads()).toBe(before + 1);
  await quiet.close();
});

it('of two runs that process the events of a customer at once, one reads the customer', async () => {
  const metrics = createMetrics('billing');
  const other = await openBilling({ metrics });
  const { customer } = await other.subscribe();
  await other.intake.stop(); // as if its process ended: the retry job processes what is stored
  for (const one of await other.eventsOf(customer)) await other.deliver(one);
  const reads = () => readsIn(metrics);
  const before = await reads();
  await Promise.all([other.retryInbox(), other.retryInbox()]);
  expect((await other.inbox(customer)).every(({ status }) => status !== 'pending')).toBe(true);
  expect(await reads()).toBe(before + 1);
  await other.close();
});

it('the success page settles the events that arrived before it, without a refresh of their own', async () => {
  const metrics = createMetrics('billing');
  const quiet = await openBilling({ metrics, limits: { quietMs: 4_000 } });
  const userId = uuidv7();
  const sessionId = quiet.sessionIn((await quiet.openCheckout(userId)).url);
  const { customer } = await quiet.pay(sessionId);
  for (const one of await quiet.eventsOf(customer)) await quiet.deliver(one);
  await quiet.confirm(userId, sessionId);
  expect((await quiet.inbox(customer)).every(({ status }) => status !== 'pending')).toBe(true);
  await quiet.intake.stop();
  expect(await readsIn(metrics)).toBe(1);
  expect(await quiet.stateOf(userId)).toMatchObject({ plan: 'premium' });
  await quiet.close();
});

describe('F1: a delivery is refused with 400 and not stored', () => {
  const later = (seconds: number): Date => new Date(START.getTime() + seconds * 1_000);
  it.each([
    ['without a signature', () => ''],
    ['with an invented signature', () => 't=1,v1=00'],
    ['with an unknown signature scheme', (body: string) => signed(body, { at: START }).replace('v1=', 'v0=')],
    ['with a signature of another body', (body: string) => signed(`${body} `, { at: START })],
    ['signed with a wrong secret', (body: string) => signed(body, { secret: 'whsec_wrong', at: START })],
    ['signed 301 seconds ago', (body: string) => signed(body, { at: later(-301) })],
    ['signed for 301 seconds from now', (body: string) => signed(body, { at: later(301) })],
  ])('%s', async (_, sign) => {
    const sent = event();
    const before = await refusals();
    const response = await billing.deliver(sent, sign(JSON.stringify(sent)));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'billing.signature_refused' } });
    expect(await stored(sent.id)).toBeUndefined();
    const after = await refusals();
    expect(after).toBe(before + 1);
  });

  const valid = unknownEvent('invoice.paid', { object: 'invoice', id: 'in_1' });
  it.each([
    'not JSON',
    '',
    'null',
    '[]',
    '{}',
    '1',
    '"evt_1"',
    ...[
      { id: null },
      { id: ['evt_1'] },
      { id: 'é' },
      { id: 'e'.repeat(65) },
      { type: 7 },
      { livemode: 'no' },
    ].map((change) => JSON.stringify({ ...valid, ...change })),
    ...[{}, null, [], { object: null }, { object: 'in_1' }].map((data) => JSON.stringify({ ...valid, data })),
  ])('when it is signed but not an event: %s', async (body) => {
    const response = await fetch(`${billing.url}${STRIPE_WEBHOOK_PATH}`, {
      method: 'POST',
      headers: { 'stripe-signature': signed(body, { at: START }) },
      body,
    });
    expect(response.status).toBe(400);
    // Not counted: events of the sandbox still arrive.
    const sql = "SELECT event_id FROM stripe_events WHERE event_id = ? OR event_id NOT LIKE 'evt%'";
    expect(await billing.db.query(sql, [valid.id])).toEqual([]);
  });
});

describe('a delivery', () => {
  it.each([['new'], ['old']])(
    'F1: signed with the %s secret is accepted while both are in use',
    async (name) => {
      const sent = event();
      const secret = name === 'old' ? { secret: OLD_SECRET } : {};
      const header = signed(JSON.stringify(sent), { ...secret, at: START });
      expect((await billing.deliver(sent, header)).status).toBe(200);
      expect((await stored(sent.id))?.payload).toBe(storedPayload(sent));
    },
  );

  it('F1: signed by a clock that is four minutes ahead is accepted', async () => {
    const sent = event();
    const at = new Date(START.getTime() + minutes(4));
    expect((await billing.deliver(sent, signed(JSON.stringify(sent), { at }))).status).toBe(200);
  });

  it('F2: is acknowledged once stored, without a call to Stripe', async () => {
    const { customer } = await billing.subscribe();
    const first = (await billing.eventsOf(customer)).find(({ type }) => type === 'invoice.paid');
    await billing.sandbox.control('PUT', '/faults', { path: '/v1/', delayMs: 2_000, times: 50 });
    expect((await billing.deliver(first ?? {})).status).toBe(200);
    expect(await stored(first?.id ?? '')).toMatchObject({ status: 'pending' }); // before Stripe responds
    await billing.sandbox.control('DELETE', '/faults');
    await settled(first?.id ?? '');
  });

  it('F2: is not acknowledged when it cannot be stored', async () => {
    const sent = event();
    await billing.db.query('RENAME TABLE stripe_events TO stripe_events_away');
    try {
      expect((await billing.deliver(sent)).status).toBeGreaterThanOrEqual(500);
    } finally {
      await billing.db.query('RENAME TABLE stripe_events_away TO stripe_events');
    }
    expect((await billing.deliver(sent)).status).toBe(200);
  });

  it('F3: repeated a hundred times, twenty at once, is one row and one effect, and each is acknowledged', async () => {
    const userId = await billing.register();
    const { customer } = await billing.pay(billing.sessionIn((await billing.openCheckout(userId)).url));
    const paid = (await billing.eventsOf(customer)).find(({ type }) => type === 'invoice.paid');
    const statuses: number[] = [];
    const client = async (): Promise<void> => {
      for (const _ of times(5)) statuses.push((await billing.deliver(paid ?? {})).status);
    };
    await Promise.all(times(20).map(client));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(statuses).toHaveLength(100);
    expect(await settled(paid?.id ?? '')).toMatchObject({ status: 'done' });
    expect(await billing.inbox(customer)).toHaveLength(1);
    expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded']);
  });

  it('X20: whose process died before processing it or before responding is processed by the retry job', async () => {
    const userId = await billing.register();
    const { customer } = await billing.pay(billing.sessionIn((await billing.openCheckout(userId)).url));
    const paid = (await billing.eventsOf(customer)).find(({ type }) => type === 'invoice.paid');
    const eventId = paid?.id ?? '';
    const row = { type: 'invoice.paid', customerId: customer, payload: '{}', receivedAt: START };
    await insertStripeEvent(billing.db.manager, { eventId, ...row });
    expect((await billing.deliver(paid ?? {})).status).toBe(200); // Stripe got no response and delivers again
    expect(await billing.inbox(customer)).toMatchObject([{ status: 'pending' }]);
    expect(await billing.retryInbox()).toEqual({ retried: 1, failed: 0 });
    expect(await billing.inbox(customer)).toMatchObject([{ status: 'done' }]);
    expect(await billing.emitted(userId)).toEqual(['PaymentSucceeded']);
  });

  it('that keeps failing is retried with a doubled delay, at most an hour', async () => {
    const { id } = event();
    const row = { eventId: id, type: 'invoice.paid', customerId: 'cus_x', payload: '{}', receivedAt: START };
    await insertStripeEvent(billing.db.manager, row);
    for (const [attempts, seconds] of [
      [0, 2],
      [3, 16],
      [9, 1_024],
      [10, 2_048],
      [11, 3_600],
      [40, 3_600],
    ] as const) {
      await billing.db.query('UPDATE stripe_events SET attempts = ? WHERE event_id = ?', [attempts, id]);
      const before = await databaseNow(billing.db.manager);
      await postponeEvents(billing.db.manager, [id], 'away');
      const [failed]: { attempts: number; due: Date }[] = await billing.db.query(
        'SELECT attempts, due_at AS due FROM stripe_events WHERE event_id = ?',
        [id],
      );
      const after = await databaseNow(billing.db.manager);
      expect(failed?.attempts).toBe(attempts + 1);
      expect(failed?.due.getTime()).toBeGreaterThanOrEqual(before.getTime() + seconds * 1_000);
      expect(failed?.due.getTime()).toBeLessThanOrEqual(after.getTime() + seconds * 1_000);
    }
    await settleEvents(billing.db.manager, [id], { status: 'ignored' });
  });

  it('that could not be processed keeps its error and is retried later', async () => {
    const userId = await billing.register();
    const { customer } = await billing.pay(billing.sessionIn((await billing.openCheckout(userId)).url));
    const paid = (await billing.eventsOf(customer)).find(({ type }) => type === 'invoice.paid');
    await billing.sandbox.control('PUT', '/faults', { path: '/v1/subscriptions', status: 500, times: 2 });
    await billing.deliver(paid ?? {});
    expect(await settled(paid?.id ?? '')).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('not responding') as string,
    });
    expect(await billing.retryInbox()).toMatchObject({ retried: 0 });
    await billing.advance(3_000);
    expect(await billing.retryInbox()).toMatchObject({ failed: 1 });
    await billing.advance(5_000);
    expect(await billing.retryInbox()).toMatchObject({ failed: 0 });
    expect((await billing.stateOf(userId)).plan).toBe('premium');
    expect(await stored(paid?.id ?? '')).toEqual({
      status: 'done',
      why: null,
      attempts: 3,
      payload: paid && storedPayload(paid),
    });
  });
});

describe('F5: an event is stored, ignored and acknowledged, and grants nothing', () => {
  const ofCustomer = async (type: string, more: object = {}) => {
    const userId = await billing.register();
    await billing.openCheckout(userId);
    const customer = (await billing.stateOf(userId)).row.customerId;
    const sent = unknownEvent(type, { object: 'invoice', id: 'in_2', customer, status: 'paid' }, more);
    expect((await billing.deliver(sent)).status).toBe(200);
    const row = await settled(sent.id);
    expect((await billing.stateOf(userId)).plan).toBe('free');
    expect(await billing.emitted(userId)).toEqual([]);
    return row;
  };

  it('of an unknown type', async () => {
    expect(await ofCustomer('a.type.of.tomorrow')).toMatchObject({ status: 'ignored' });
  });

  it('of the other mode, with a warning in the log', async () => {
    const warned = vi.spyOn(billing.log, 'warn');
    expect(await ofCustomer('invoice.paid', { livemode: true })).toMatchObject({
      status: 'ignored',
      why: 'other mode',
    });
    expect(warned.mock.calls).toMatchObject([[{ type: 'invoice.paid', why: 'other mode' }, 'event ignored']]);
  });

  it('of an unknown customer, and of none', async () => {
    const warned = vi.spyOn(billing.log, 'warn');
    const unknown = event();
    await billing.deliver(unknown);
    expect(await settled(unknown.id)).toMatchObject({ status: 'ignored', why: 'unknown customer' });
    expect(warned.mock.calls).toMatchObject([
      [{ eventId: unknown.id, why: 'unknown customer' }, 'event ignored'],
    ]);
    const none = unknownEvent('invoice.paid', { object: 'invoice', id: 'in_3' });
    await billing.deliver(none);
    expect(await settled(none.id)).toMatchObject({ status: 'ignored', why: 'names no customer' });
  });

  it('that reports a payment which Stripe does not list', async () => {
    expect(await ofCustomer('invoice.paid')).toMatchObject({ status: 'done' });
  });

  it.each([
    ['another price', { unit_amount: 100, currency: 'usd' }],
    ['another currency', { unit_amount: 5900, currency: 'eur' }],
  ])('for a subscription at %s', async (_, price) => {
    const userId = await billing.register();
    await billing.openCheckout(userId);
    const customer = (await billing.stateOf(userId)).row.customerId ?? '';
    const { id } = await billing.api.prices.create({
      ...price,
      recurring: { interval: 'month' },
      product_data: { name: 'Something else' },
    });
    const session = await billing.api.checkout.sessions.create({
      mode: 'subscription',
      customer,
      client_reference_id: userId,
      line_items: [{ price: id, quantity: 1 }],
      success_url: 'https://shortlist.test/',
    });
    await billing.pay(session.id);
    for (const sent of await billing.eventsOf(customer)) {
      expect((await billing.deliver(sent)).status).toBe(200);
      expect(await settled(sent.id)).toMatchObject({
        payload: storedPayload(sent),
      });
    }
    await billing.confirm(userId, session.id);
    expect(await billing.stateOf(userId)).toMatchObject({
      plan: 'free',
      row: { problem: { kind: 'other_subscription' } },
    });
  });
});
