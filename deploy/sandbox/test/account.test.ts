import { describe, expect, it } from 'vitest';
import type Stripe from 'stripe';
import { DAY } from '../src/model/billing-cycle.rules.ts';
import { addPlan, advance, firstItem, idOf, openCheckout, startSandbox, subscribe } from './support.ts';

describe('portal configurations', () => {
  it('a portal session needs the default configuration or a named one', async () => {
    const { stripe } = await startSandbox({ config: { settings: { portalConfigured: false } } });
    const { id: customer } = await stripe.customers.create({});
    await expect(stripe.billingPortal.sessions.create({ customer })).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      statusCode: 400,
      message: expect.stringContaining('No configuration provided') as string,
    });
    expect((await stripe.billingPortal.configurations.list()).data).toEqual([]);
    const { id: configuration } = await stripe.billingPortal.configurations.create({
      name: 'Shortlist',
      features: { payment_method_update: { enabled: true }, subscription_cancel: { enabled: true } },
      metadata: { plan: 'premium' },
    });
    expect(firstItem(await stripe.billingPortal.configurations.list({ active: true }))).toMatchObject({
      id: configuration,
      is_default: false,
      features: { subscription_cancel: { mode: 'at_period_end' }, invoice_history: { enabled: false } },
      metadata: { plan: 'premium' },
    });
    const session = await stripe.billingPortal.sessions.create({ customer, configuration });
    expect(session.configuration).toBe(configuration);
    await expect(stripe.billingPortal.sessions.create({ customer })).rejects.toThrow('No configuration');
    const missing = stripe.billingPortal.sessions.create({ customer, configuration: 'bpc_missing' });
    await expect(missing).rejects.toMatchObject({ code: 'resource_missing', param: 'configuration' });
  });

  it('the default configuration is listed once it was saved', async () => {
    const { stripe } = await startSandbox();
    const defaults = await stripe.billingPortal.configurations.list({ is_default: true });
    expect(defaults.data).toMatchObject([{ is_default: true, active: true }]);
  });
});

describe('payouts', () => {
  it('the available balance is paid out, fees and refunds deducted', async () => {
    const sandbox = await startSandbox();
    const { stripe } = sandbox;
    const { customer } = await subscribe(sandbox);
    const charge = firstItem(await stripe.charges.list({ customer: customer.id }));
    await stripe.refunds.create({ charge: charge.id, amount: 900 });
    expect((await sandbox.control('POST', '/payouts')).status).toBe(400);
    await advance(sandbox, 2 * DAY);
    await sandbox.control('POST', '/payouts');
    const payout = firstItem(
      await stripe.payouts.list({ status: 'paid', expand: ['data.balance_transaction'] }),
    );
    expect(payout).toMatchObject({
      amount: 5900 - 201 - 900,
      currency: 'usd',
      balance_transaction: { amount: -4799, fee: 0, type: 'payout' },
    });
    expect((await stripe.events.list({ limit: 2 })).data.map(({ type }) => type)).toEqual([
      'payout.paid',
      'payout.created',
    ]);
    await advance(sandbox, 3 * DAY);
    expect((await sandbox.control('POST', '/payouts')).status).toBe(400);
  });
});

describe('tax and promotion codes at checkout', () => {
  const create = async (stripe: Stripe, more: Partial<Stripe.Checkout.SessionCreateParams>) => {
    const price = await addPlan(stripe);
    const customer = await stripe.customers.create({ email: 'ada@example.com' });
    return stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: price.id, quantity: 1 }],
      success_url: 'http://127.0.0.1:9/paid',
      ...more,
    });
  };

  it.each([
    [{ automatic_tax: { enabled: true } }, 'requires a valid address'],
    [{ tax_id_collection: { enabled: true } }, 'requires updating business name'],
  ])('%j is refused for a customer whose details are not saved', async (params, message) => {
    const { stripe } = await startSandbox();
    await expect(create(stripe, params)).rejects.toThrow(message);
  });

  it('tax is added to every invoice of the subscription', async () => {
    const sandbox = await startSandbox();
    const { stripe } = sandbox;
    const session = await create(stripe, {
      automatic_tax: { enabled: true },
      tax_id_collection: { enabled: true },
      allow_promotion_codes: true,
      customer_update: { address: 'auto', name: 'auto' },
    });
    expect(session).toMatchObject({
      allow_promotion_codes: true,
      automatic_tax: { enabled: true },
      tax_id_collection: { enabled: true },
    });
    await sandbox.control('POST', `/checkout_sessions/${session.id}/pay`, { percentOff: 50 });
    await advance(sandbox, 31 * DAY);
    const paid = await stripe.checkout.sessions.retrieve(session.id);
    expect(paid.total_details).toMatchObject({ amount_discount: 2950, amount_tax: 236 });
    const { data } = await stripe.invoices.list({ subscription: idOf(paid.subscription) });
    expect(
      data.map(({ subtotal, total, amount_paid, total_taxes }) => {
        return [subtotal, total, amount_paid, total_taxes?.[0]?.amount];
      }),
    ).toEqual([
      [5900, 6372, 6372, 472],
      [5900, 3186, 3186, 236],
    ]);
  });

  it('an update of the customer needs a customer', async () => {
    const { stripe } = await startSandbox();
    const { price } = await openCheckout(stripe);
    const session = stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: price.id, quantity: 1 }],
      success_url: 'http://127.0.0.1:9/paid',
      customer_update: { address: 'auto' },
    });
    await expect(session).rejects.toThrow('only be used with `customer`');
  });
});
