import { emailChanged } from '@shortlist/contracts/events/identity';
import { until } from '@shortlist/kit/testing/until';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { type Billing, openBilling } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  await billing?.close();
  billing = await openBilling();
});
afterAll(() => billing.close());

const change = (userId: string, email: string, version: number): Promise<void> =>
  billing.publish(emailChanged, userId, {
    email,
    version,
    changeId: uuidv7(),
    generation: 1,
    keptSessionId: '',
  });
const emailAt = async (customer: string): Promise<string | null> => {
  const found = await billing.api.customers.retrieve(customer);
  return found.deleted ? null : found.email;
};
const isDue = async (userId: string): Promise<boolean> => (await billing.stateOf(userId)).row.emailDue;
const settled = (userId: string): Promise<void> => until('the update', async () => !(await isDue(userId)));
/** A user with a customer at Stripe. */
const customerOf = async (): Promise<{ userId: string; customer: string }> => {
  const { userId, customer } = await billing.subscribe(await billing.register());
  return { userId, customer };
};

it('A13 a changed address reaches the customer at Stripe', async () => {
  const { userId, customer } = await customerOf();
  await change(userId, 'new@people.test', 2);
  await settled(userId);
  expect(await emailAt(customer)).toBe('new@people.test');
});

it('A13 an older event restores no older address, here and at Stripe', async () => {
  const { userId, customer } = await customerOf();
  await change(userId, 'third@people.test', 3);
  await change(userId, 'second@people.test', 2);
  await settled(userId);
  expect((await billing.stateOf(userId)).row.email).toBe('third@people.test');
  expect(await emailAt(customer)).toBe('third@people.test');
});

it('A13 an update that fails at Stripe is made by reconciliation', async () => {
  const { userId, customer } = await customerOf();
  await billing.sandbox.control('PUT', '/faults', { path: '/v1/customers', status: 500, times: 1_000 });
  await change(userId, 'new@people.test', 2);
  await billing.reconcile();
  expect(await isDue(userId)).toBe(true);
  await billing.sandbox.control('DELETE', '/faults');
  await billing.reconcile();
  expect(await isDue(userId)).toBe(false);
  expect(await emailAt(customer)).toBe('new@people.test');
});

it('A13 a customer that is created later has the new address', async () => {
  const userId = await billing.register();
  await change(userId, 'new@people.test', 2);
  await settled(userId);
  const { customer } = await billing.subscribe(userId);
  expect(await emailAt(customer)).toBe('new@people.test');
});

it('A13 a checkout succeeds after its customer could not be created under the former address', async () => {
  const userId = await billing.register();
  await billing.sandbox.control('PUT', '/faults', { path: '/v1/customers', status: 500, times: 1_000 });
  await expect(billing.openCheckout(userId)).rejects.toMatchObject({ code: 'billing.provider_unavailable' });
  await billing.sandbox.control('DELETE', '/faults');
  const { row } = await billing.stateOf(userId);
  await billing.api.customers.create(
    { email: row.email, name: row.name, metadata: { userId } },
    { idempotencyKey: row.customerKey ?? '' },
  );
  await change(userId, 'new@people.test', 2);
  await settled(userId);
  expect((await billing.subscribe(userId)).userId).toBe(userId);
});

it('A13 the address of an admin makes no subscriber, and that of a deleted user stays removed', async () => {
  const adminId = uuidv7();
  await change(adminId, 'root@people.test', 2);
  await expect(billing.stateOf(adminId)).rejects.toThrow('no such subscriber');
  const userId = await billing.register();
  await billing.remove(userId);
  await change(userId, 'new@people.test', 2);
  expect((await billing.stateOf(userId)).row.email).toBe('');
});
