import { until } from '@shortlist/kit/testing/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EVENT_TABLE, type EventAction } from '../src/inbox/event-table.ts';
import { type Billing, openBilling, unknownEvent } from './support.ts';

const TYPE = 'customer.source.expiring';
const table = EVENT_TABLE as Record<string, EventAction>;

let billing: Billing;
let actions: string[] = [];
beforeAll(async () => {
  billing = await openBilling();
});
afterEach(() => {
  actions = [];
  delete table[TYPE];
});
afterAll(() => billing.close());

const deliver = async (customer: string): Promise<void> => {
  const event = unknownEvent(TYPE, { object: 'card', id: 'card_1', customer });
  expect((await billing.deliver(event)).status).toBe(200);
};
const statusOf = async (customer: string): Promise<string | undefined> =>
  (await billing.inbox(customer)).find(({ type }) => type === TYPE)?.status;

const record: EventAction = (_parts, { type }) => {
  actions.push(type);
  return Promise.resolve();
};

describe('an event type with its own action', () => {
  it('runs its action once for each event', async () => {
    table[TYPE] = record;
    const { customer } = await billing.subscribe();
    await deliver(customer);
    await until('the event to be done', async () => (await statusOf(customer)) === 'done');
    expect(actions).toEqual([TYPE]);
  });

  it('is not settled by the refresh for another event of the customer', async () => {
    table[TYPE] = () => Promise.reject(new Error('unavailable'));
    const { customer } = await billing.subscribe();
    await deliver(customer);
    await until('the action to fail', async () => (await statusOf(customer)) === 'failed');
    for (const event of await billing.eventsOf(customer)) await billing.deliver(event);
    await until('the other events to be processed', async () =>
      (await billing.inbox(customer)).every(({ type, status }) => type === TYPE || status !== 'pending'),
    );
    expect(await statusOf(customer)).toBe('failed');
    table[TYPE] = record;
    await billing.advance(3_000);
    await billing.retryInbox();
    expect(await statusOf(customer)).toBe('done');
    expect(actions).toEqual([TYPE]);
  });

  it('runs for an event that reconciliation found, by the retry job', async () => {
    const { customer } = await billing.subscribe();
    table['invoice.created'] = record;
    try {
      await billing.reconcile();
      expect(actions).toEqual([]);
      await billing.retryInbox();
      expect(actions).toContain('invoice.created');
      expect((await billing.inbox(customer)).every(({ status }) => status === 'done')).toBe(true);
    } finally {
      delete table['invoice.created'];
    }
  });
});
