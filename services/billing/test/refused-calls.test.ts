import { uuidv7 } from 'uuidv7';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runChecks } from '../src/setup/setup-monitor.ts';
import { type Billing, codeOf, openBilling } from './support.ts';

let billing: Billing;
beforeEach(async () => {
  billing = await openBilling();
});
afterEach(() => billing.close());

const customerOf = async (userId: string): Promise<string | null> =>
  (await billing.stateOf(userId)).row.customerId;
/** As after the database was restored: the customer is unknown here, and their email has changed since. */
const forgetCustomer = async (customer: string): Promise<void> => {
  await billing.api.customers.update(customer, { email: 'other@people.test' });
  await billing.db.query('UPDATE subscribers SET customer_id = NULL, customer_key = NULL');
};
const opens = expect.objectContaining({ url: expect.any(String) as string }) as object;

describe("the search for a user's customer", () => {
  it('that Stripe refuses to the account finds none, and the check of the account reports it', async () => {
    await billing.sandbox.control('PUT', '/settings', { searchAllowed: false });
    expect(await billing.openCheckout(uuidv7())).toEqual(opens);
    const checks = await runChecks(billing.account, billing.expected);
    expect(checks.find(({ name }) => name === 'customer_search')).toMatchObject({
      ok: true,
      detail: expect.stringContaining('refuses the search') as string,
    });
  });

  it('finds a customer whose record was lost', async () => {
    const userId = await billing.register();
    await billing.openCheckout(userId);
    const customer = (await customerOf(userId)) ?? '';
    await forgetCustomer(customer);
    await billing.openCheckout(userId);
    expect(await customerOf(userId)).toBe(customer);
  });

  it('that still returns a deleted customer finds none', async () => {
    const userId = await billing.register();
    await billing.openCheckout(userId);
    const customer = (await customerOf(userId)) ?? '';
    await forgetCustomer(customer);
    await billing.api.customers.del(customer);
    const query = `metadata['userId']:'${userId}'`;
    expect((await billing.api.customers.search({ query })).data).toHaveLength(1);
    expect(await billing.openCheckout(userId)).toEqual(opens);
    expect(await customerOf(userId)).not.toBe(customer);
  });
});

describe('a call that Stripe refuses', () => {
  it('because of the email is reported at the field, not as an unavailable Stripe', async () => {
    const userId = await billing.register();
    await billing.db.query("UPDATE subscribers SET email = 'ada lovelace@people.test'");
    const refused = await billing.openCheckout(userId).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'billing.email_refused',
      fields: { email: expect.any(String) as string },
    });
  });

  it('for another reason says that trying again does not help', async () => {
    await billing.sandbox.control('PUT', '/faults', { path: '/v1/checkout/sessions', status: 403 });
    expect(await billing.openCheckout(uuidv7()).catch(codeOf)).toBe('billing.provider_refused');
  });

  it.each([
    [409, 1],
    [429, 4],
    [500, 1],
  ])('with %d may be tried again', async (status, times) => {
    await billing.sandbox.control('PUT', '/faults', { path: '/v1/checkout/sessions', status, times });
    expect(await billing.openCheckout(uuidv7()).catch(codeOf)).toBe('billing.provider_unavailable');
  });
});
