import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { problemsOf } from './published.ts';
import { addPlan, firstItem, idOf, type RunningSandbox, startSandbox, subscribe } from './support.ts';

const METADATA = { pack: 'credits', credits: '250' };

const addPack = async (stripe: Stripe): Promise<Stripe.Price> =>
  stripe.prices.create({ currency: 'usd', unit_amount: 1_900, product_data: { name: '250 credits' } });

const openPayment = async (
  { stripe }: RunningSandbox,
  customer?: string,
): Promise<Stripe.Checkout.Session> => {
  const price = await addPack(stripe);
  return stripe.checkout.sessions.create({
    mode: 'payment',
    customer: customer ?? (await stripe.customers.create({ email: 'ada@example.com' })).id,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: 'http://127.0.0.1:9/done?xsl={CHECKOUT_SESSION_ID}',
    payment_intent_data: { metadata: METADATA },
    invoice_creation: { enabled: true, invoice_data: { metadata: METADATA } },
  });
};

const pay = async ({ control, stripe }: RunningSandbox, session: string, payment: object = {}) => {
  const { status, body } = await control('POST', `/checkout_sessions/${session}/pay`, payment);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return stripe.checkout.sessions.retrieve(session);
};

describe('a session in payment mode', () => {
  it('is paid once, and its invoice has the metadata of the order', async () => {
    const sandbox = await startSandbox();
    const { stripe } = sandbox;
    const session = await pay(sandbox, (await openPayment(sandbox)).id);
    expect(session).toMatchObject({ status: 'complete', payment_status: 'paid', subscription: null });
    const invoice = await stripe.invoices.retrieve(idOf(session.invoice));
    expect(invoice).toMatchObject({ status: 'paid', amount_paid: 1_900, metadata: METADATA, parent: null });
    const intent = await stripe.paymentIntents.retrieve(idOf(session.payment_intent));
    expect(intent).toMatchObject({ status: 'succeeded', metadata: METADATA, setup_future_usage: null });
    expect((await stripe.subscriptions.list({ status: 'all' })).data).toEqual([]);
  });

  it('leaves the card of a subscription alone', async () => {
    const sandbox = await startSandbox();
    const { stripe } = sandbox;
    const { customer, subscription } = await subscribe(sandbox);
    await pay(sandbox, (await openPayment(sandbox, customer.id)).id, { card: '5555555555554444' });
    const after = await stripe.subscriptions.retrieve(subscription.id);
    expect(after.default_payment_method).toBe(subscription.default_payment_method);
    const { invoice_settings: settings } = (await stripe.customers.retrieve(customer.id)) as Stripe.Customer;
    expect(settings.default_payment_method).toBe(subscription.default_payment_method);
  });

  it('has no finished invoice before a bank debit has succeeded', async () => {
    const sandbox = await startSandbox();
    const { stripe } = sandbox;
    const session = await pay(sandbox, (await openPayment(sandbox)).id, { method: 'bank_debit' });
    const invoice = idOf(session.invoice);
    expect(session.payment_status).toBe('unpaid');
    expect((await stripe.invoices.retrieve(invoice)).status).toBe('draft');
    await sandbox.control('POST', `/invoices/${invoice}/settle`, { outcome: 'succeeded' });
    expect((await stripe.invoices.retrieve(invoice)).status).toBe('paid');
    expect((await stripe.checkout.sessions.retrieve(session.id)).payment_status).toBe('paid');
  });

  it.each<[string, (plan: string) => Partial<Stripe.Checkout.SessionCreateParams>, string]>([
    ['a recurring price', (price) => ({ line_items: [{ price, quantity: 1 }] }), 'passed a recurring price'],
    [
      'data of a subscription',
      () => ({ subscription_data: { description: 'Premium' } }),
      'You can not pass `subscription_data`',
    ],
    ['no invoice', () => ({ invoice_creation: { enabled: false } }), '`invoice_creation` only'],
  ])('is refused with %s', async (_, change, message) => {
    const { stripe } = await startSandbox();
    const [pack, plan] = [await addPack(stripe), await addPlan(stripe)];
    const creating = stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price: pack.id, quantity: 1 }],
      success_url: 'http://127.0.0.1:9/',
      invoice_creation: { enabled: true },
      ...change(plan.id),
    });
    await expect(creating).rejects.toThrow(message);
  });

  it('has the fields that Stripe publishes, in each of its events', async () => {
    const sandbox = await startSandbox();
    const { stripe } = sandbox;
    const session = await pay(sandbox, (await openPayment(sandbox)).id);
    const charge = firstItem(await stripe.charges.list());
    await stripe.refunds.create({ charge: charge.id, amount: 100 });
    await pay(sandbox, (await openPayment(sandbox)).id, { method: 'bank_debit' });
    const events = await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 });
    expect(events.map(({ type }) => type)).toContain('checkout.session.completed');
    const objects = [session, ...events.map(({ data }) => data.object)];
    expect(problemsOf(JSON.parse(JSON.stringify(objects)) as { object: string }[])).toEqual([]);
  });
});
