import { uuidv7 } from 'uuidv7';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CheckoutOptions } from '../src/stripe/checkouts.ts';
import { openBilling } from './support.ts';

const openSession = async (checkout: Partial<CheckoutOptions>) => {
  const billing = await openBilling({ checkout });
  onTestFinished(billing.close);
  const { url } = await billing.openCheckout(uuidv7());
  return { billing, session: await billing.api.checkout.sessions.retrieve(billing.sessionIn(url)) };
};

describe('the options of a checkout', () => {
  it('are off unless the operator turns them on', async () => {
    const { session } = await openSession({});
    expect(session).toMatchObject({ allow_promotion_codes: null, automatic_tax: { enabled: false } });
    expect(session.tax_id_collection).toBeUndefined();
  });

  it.each<[Partial<CheckoutOptions>, object]>([
    [{ automaticTax: true }, { automatic_tax: { enabled: true } }],
    [{ taxIds: true }, { tax_id_collection: { enabled: true } }],
    [{ promotionCodes: true }, { allow_promotion_codes: true }],
  ])('%j opens a session that Stripe accepts for an existing customer', async (options, expected) => {
    expect((await openSession(options)).session).toMatchObject(expected);
  });

  it('tax is paid on top of the price, and the plan starts', async () => {
    const { billing, session } = await openSession({ automaticTax: true });
    const userId = session.client_reference_id ?? '';
    const { invoice } = await billing.pay(session.id);
    expect((await billing.api.invoices.retrieve(invoice)).total).toBe(6_372);
    expect((await billing.confirm(userId, session.id)).data).toMatchObject({
      plan: 'premium',
      lastPayment: { amount: 6_372 },
    });
  });
});
