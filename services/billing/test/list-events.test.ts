import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { EVENT_TABLE } from '../src/inbox/event-table.ts';
import { listEvents } from '../src/inbox/poll-events.ts';
import { findCursor } from '../src/reconcile/queries.ts';
import { reconcileEvents } from '../src/reconcile/reconcile.ts';
import { type Billing, openBilling, START, times } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
});
afterAll(() => billing.close());

/** More types than Stripe lists at once, the last of which has events. */
const manyTypes = [...times(44).map((index) => `imagined.type_${index}`), 'invoice.paid'];

describe("the list of Stripe's events", () => {
  it('is refused by Stripe for more than twenty types at once', async () => {
    const refused = billing.api.events.list({ types: manyTypes });
    await expect(refused).rejects.toMatchObject({ statusCode: 400, param: 'types' });
  });

  it('is read in several lists for more types, each with all of its pages', async () => {
    await billing.subscribe();
    await billing.subscribe();
    const found = [];
    for await (const page of listEvents(billing.stripe, { types: manyTypes, since: START }))
      found.push(...page);
    expect(found.map(({ type }) => type)).toEqual(['invoice.paid', 'invoice.paid']);
  });

  it('lets reconciliation read more types than that', async () => {
    const { customer } = await billing.subscribe();
    const run = { ...billing, result: { checked: 0, failed: 0, repaired: [] } };
    await reconcileEvents(run, [...manyTypes, ...Object.keys(EVENT_TABLE)]);
    expect((await billing.inbox(customer)).map(({ type }) => type)).toContain('invoice.paid');
    expect(await findCursor(billing.db.manager, 'events')).toBe(START.toISOString());
  });
});
