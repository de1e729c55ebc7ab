import { auditEndpoint } from '@shortlist/contracts/api/audit';
import { minutes } from '@shortlist/contracts/durations';
import { stripeEventEndpoints } from '@shortlist/contracts/api/system';
import { cursorOf } from '@shortlist/kit/data/newest-first';
import { countRowsRead } from '@shortlist/kit/testing/databases';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  insertStripeEvent,
  listEventsInState,
  postponeEvents,
  settleEvents,
} from '../src/records/event-queries.ts';
import { type Billing, openBilling, START, times } from './support.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await openBilling();
});
afterAll(() => billing.close());
beforeEach(() => billing.db.query('DELETE FROM stripe_events'));

type Stored = { id: string; customerId?: string | null; minute?: number; type?: string; payload?: string };
const store = async (stored: Stored): Promise<void> => {
  const { id, customerId = 'cus_unknown', minute = 0, type = 'invoice.paid', payload = '{}' } = stored;
  const receivedAt = new Date(START.getTime() + minute * 60_000);
  await insertStripeEvent(billing.db.manager, { eventId: id, type, customerId, payload, receivedAt });
};
const fail = async (stored: Stored, error = 'Error: Stripe is not responding'): Promise<void> => {
  await store(stored);
  await postponeEvents(billing.db.manager, [stored.id], error);
};
const { getStripeEvent, getStripeStatus, listStripeEvents, replayStripeEvent, replayStripeEvents } =
  stripeEventEndpoints;
const list = (state: 'failed' | 'pending' | 'done' | 'ignored', more: object = {}) =>
  billing.ask(listStripeEvents, { state, ...more }, billing.asAdmin);
/** The stored events of a test in the order of their next attempt. Those about the account, which Stripe may send at any time, have no customer. */
const listStored = (): Promise<{ id: string; status: string }[]> =>
  billing.db.query(
    'SELECT event_id AS id, status FROM stripe_events WHERE customer_id IS NOT NULL ORDER BY due_at',
  );
const statuses = async (): Promise<Record<string, string>> => {
  const rows = await listStored();
  return Object.fromEntries(rows.map(({ id, status }) => [id, status]));
};

describe('the stored webhooks', () => {
  it('are listed by their state, newest first, in pages without gaps or repetitions', async () => {
    for (const minute of [0, 1, 1, 2]) await fail({ id: `evt_${minute}${uuidv7().slice(-6)}`, minute });
    await store({ id: 'evt_pending' });
    const first = await list('failed', { limit: 2 });
    expect(first.data.map(({ receivedAt }) => Date.parse(receivedAt) - START.getTime())).toEqual([
      120_000, 60_000,
    ]);
    const second = await list('failed', { limit: 2, before: first.next ?? '' });
    expect(second.next).toBeNull();
    const ids = [...first.data, ...second.data].map(({ eventId }) => eventId);
    expect(new Set(ids).size).toBe(4);
    const pending = (await list('pending')).data.map(({ eventId, error }) => [eventId, error]);
    expect(pending).toContainEqual(['evt_pending', null]);
  });

  it('are listed in pages of long ago without reading what is newer', async () => {
    const { db } = billing;
    const rows = times(4_000).map((minute) => {
      const at = new Date(START.getTime() + minutes(minute));
      return [`evt_${minute}`, 'invoice.paid', '{}', 'done', at, at];
    });
    const columns = 'event_id, type, payload, status, received_at, due_at';
    await db.query(`INSERT INTO stripe_events (${columns}) VALUES ?`, [rows]);
    await db.query('ANALYZE TABLE stripe_events');
    const at = new Date(START.getTime() + minutes(2_500)).toISOString();
    const query = { state: 'done', before: cursorOf({ at, id: 'evt_' }), limit: 10 } as const;
    const { result, rowsRead } = await countRowsRead(db, (tx) => listEventsInState(tx, query));
    expect(result.map(({ eventId }) => eventId)).toEqual(times(10).map((index) => `evt_${2_499 - index}`));
    expect(rowsRead).toBeLessThan(100);
  });

  it('show their error and payload without secrets', async () => {
    const payload = JSON.stringify({ id: 'in_1', client_secret: 'pi_1_secret' });
    await fail({ id: 'evt_1', payload }, 'Error: refused sk_test_51Habcdefgh');
    const { data } = await billing.ask(getStripeEvent, { eventId: 'evt_1' }, billing.asAdmin);
    expect(data).toMatchObject({ state: 'failed', attempts: 1, error: 'Error: refused (hidden)' });
    expect(JSON.parse(data.payload)).toEqual({ id: 'in_1', client_secret: '(hidden)' });
    await expect(billing.ask(getStripeEvent, { eventId: 'evt_none' }, billing.asAdmin)).rejects.toMatchObject(
      { code: 'billing.event_not_found' },
    );
  });

  it('are counted with the last reconciliation and the budget', async () => {
    const { checked, failed } = await billing.reconcile();
    await billing.db.query('DELETE FROM stripe_events'); // what Stripe's list had
    await fail({ id: 'evt_1' });
    await store({ id: 'evt_2' });
    await settleEvents(billing.db.manager, ['evt_2'], { status: 'done' });
    const { data } = await billing.ask(getStripeStatus, {}, billing.asAdmin);
    expect(data.events).toMatchObject({ today: 2, handledToday: 1, failed: 1, waiting: 0 });
    expect(data.reconciliation.last).toEqual({ endedAt: START.toISOString(), checked, failed, repaired: 0 });
    expect(data.calls).toEqual({ used: 3, limit: 80 });
  });
});

describe('a replay', () => {
  it('handles a webhook after those of its customer that failed before it, and is audited', async () => {
    await fail({ id: 'evt_late', customerId: 'cus_1', minute: 2 });
    await fail({ id: 'evt_early', customerId: 'cus_1', minute: 0 });
    await fail({ id: 'evt_between', customerId: 'cus_1', minute: 1 });
    await fail({ id: 'evt_other', customerId: 'cus_2', minute: 0 });
    const { data } = await billing.ask(replayStripeEvent, { eventId: 'evt_between' }, billing.asAdmin);
    expect(data.failed + data.left).toBe(0);
    expect(await statuses()).toMatchObject({ evt_late: 'failed', evt_other: 'failed' });
    expect((await statuses())['evt_early']).not.toBe('failed');
    const { userId: actorId } = billing.asAdmin.caller;
    const audit = await billing.ask(
      auditEndpoint,
      { actorId, action: 'system.replay_webhook' },
      billing.asAdmin,
    );
    expect(audit.data[0]).toMatchObject({ after: { events: 'evt_early, evt_between' } });
  });

  it('of all leaves no failed one behind, and leaves the retry job the same order', async () => {
    for (const minute of [2, 0, 1]) await fail({ id: `evt_${minute}`, customerId: `cus_${minute}`, minute });
    await billing.ask(replayStripeEvents, {}, billing.asAdmin);
    await until('all to be handled', async () => !Object.values(await statuses()).includes('failed'));
    expect((await listStored()).map(({ id }) => id)).toEqual(['evt_0', 'evt_1', 'evt_2']);
  });

  it('changes nothing when nothing has failed, and records nothing', async () => {
    await store({ id: 'evt_1' });
    const caller = { role: 'admin', userId: uuidv7() } as const;
    const { data } = await billing.ask(replayStripeEvents, {}, { caller });
    expect(data).toEqual({ done: 0, failed: 0, left: 0 });
    const audit = await billing.ask(auditEndpoint, { actorId: caller.userId }, billing.asAdmin);
    expect(audit.data).toEqual([]);
  });

  it('refuses one without effect, such as one of the other mode, and an unknown one', async () => {
    await store({ id: 'evt_1' });
    await settleEvents(billing.db.manager, ['evt_1'], { status: 'ignored', why: 'other mode' });
    const replay = (eventId: string) => billing.ask(replayStripeEvent, { eventId }, billing.asAdmin);
    await expect(replay('evt_1')).rejects.toMatchObject({ code: 'billing.event_ignored' });
    await expect(replay('evt_none')).rejects.toMatchObject({ code: 'billing.event_not_found' });
    expect(await statuses()).toEqual({ evt_1: 'ignored' });
  });
});
