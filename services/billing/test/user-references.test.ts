import { billingEndpoints } from '@shortlist/contracts/api/billing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findInvoice } from '../src/records/invoice-queries.ts';
import { type Billing, openBilling } from './support.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await openBilling();
});
afterAll(() => billing.close());

const find = async (reference: string): Promise<string[]> =>
  (await billing.call(billingEndpoints.findUsersByReference, { reference }, billing.asAdmin)).data;

it('a user is found by each whole identifier of their plan and its payment at Stripe, and not by a part of one', async () => {
  await billing.subscribe();
  const { userId, subscription, invoice } = await billing.subscribe();
  const { customerId } = (await billing.read(userId)).data;
  const row = await findInvoice(billing.db.manager, invoice);
  const references = [customerId, subscription, invoice, row?.number, row?.chargeId, row?.paymentIntentId];
  for (const reference of references) {
    expect(reference).toMatch(/^.{4,}$/);
    expect(await find(reference ?? ''), reference ?? '').toEqual([userId]);
    expect(await find((reference ?? '').slice(0, -1))).toEqual([]);
  }
  expect(row?.paymentIntentId).toMatch(/^pi_/);
  expect(await find((row?.number ?? '').toLowerCase())).toEqual([userId]);
});

it('no user is found by an id of another kind, or by the name of an inherited property', async () => {
  for (const reference of ['re_1', 'constructor_1', '__proto__', '']) {
    const found = find(reference);
    await (reference === '' ? expect(found).rejects.toThrow() : expect(found).resolves.toEqual([]));
  }
});
