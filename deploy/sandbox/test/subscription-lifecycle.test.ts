import { describe, expect, it } from 'vitest';
import { DAY } from '../src/model/billing-cycle.rules.ts';
import { addPlan, openCheckout, startSandbox, subscribe, idOf, firstItem } from './support.ts';

describe('subscription lifecycle', () => {
  it('a price is found by its lookup key, with its product expanded', async () => {
    const { stripe } = await startSandbox();
    const price = await addPlan(stripe);
    const found = await stripe.prices.list({
      lookup_keys: ['premium_monthly'],
      active: true,
      expand: ['data.product'],
    });
    expect(found.data.map(({ id }) => id)).toEqual([price.id]);
    expect(found.data[0]?.product).toMatchObject({ object: 'product', name: 'Shortlist Premium' });
    expect(price).toMatchObject({ unit_amount: 5900, type: 'recurring', recurring: { interval: 'month' } });
    expect(String(price.unit_amount_decimal)).toBe('5900');
    await expect(addPlan(stripe)).rejects.toThrow('already uses that lookup key');
  });

  it('a customer is created, updated, found by email and deleted', async () => {
    const { stripe } = await startSandbox();
    const { id } = await stripe.customers.create({
      email: 'ada@example.com',
      metadata: { user: '1', old: 'x' },
    });
    const changed = await stripe.customers.update(id, { name: 'Ada', metadata: { old: '', more: 'y' } });
    expect(changed).toMatchObject({ name: 'Ada', metadata: { user: '1', more: 'y' } });
    expect(changed.metadata).not.toHaveProperty('old');
    expect((await stripe.customers.list({ email: 'ada@example.com' })).data).toHaveLength(1);
    expect((await stripe.customers.list({ email: 'ADA@example.com' })).data).toHaveLength(0);
    expect(await stripe.customers.del(id)).toMatchObject({ id, deleted: true });
    expect(await stripe.customers.retrieve(id)).toEqual({ id, object: 'customer', deleted: true });
    await expect(stripe.customers.update(id, { name: 'x' })).rejects.toMatchObject({
      code: 'resource_missing',
    });
  });

  it('an open checkout session has a page URL and keeps its metadata', async () => {
    const { stripe, url } = await startSandbox();
    const { session, customer } = await openCheckout(stripe);
    expect(session).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      customer: customer.id,
      client_reference_id: 'user-1',
      metadata: { intent: 'i-1' },
      subscription: null,
      amount_total: 5900,
      currency: 'usd',
      url: `${url}/c/pay/${session.id}`,
    });
    expect(session.expires_at - session.created).toBe(DAY);
    const listed = await stripe.checkout.sessions.list({ customer: customer.id, status: 'open' });
    expect(listed.data.map(({ id }) => id)).toEqual([session.id]);
    expect((await stripe.checkout.sessions.expire(session.id)).status).toBe('expired');
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toThrow('can be expired');
  });

  it('payment creates a subscription, a paid invoice, a charge and its fee', async () => {
    const sandbox = await startSandbox({ at: '2026-11-20T09:41:00Z' });
    const { stripe } = sandbox;
    const { session, customer, price, subscription } = await subscribe(sandbox);
    const item = firstItem(subscription.items);
    expect(subscription).toMatchObject({
      status: 'active',
      customer: customer.id,
      metadata: { user: 'user-1' },
    });
    expect(item.price.id).toBe(price.id);
    expect(new Date(item.current_period_end * 1000).toISOString()).toBe('2026-12-20T09:41:00.000Z');

    const paid = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['subscription', 'customer', 'invoice', 'line_items'],
    });
    expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid', url: null });
    expect(paid.subscription).toMatchObject({ id: subscription.id, object: 'subscription' });
    expect(paid.customer).toMatchObject({ id: customer.id, email: 'ada@example.com' });
    expect(paid.invoice).toMatchObject({ status: 'paid', amount_paid: 5900 });
    expect(paid.line_items?.data[0]?.price?.id).toBe(price.id);

    const invoices = await stripe.invoices.list({
      subscription: subscription.id,
      expand: ['data.payments.data.payment.payment_intent'],
    });
    const invoice = firstItem(invoices);
    expect(invoice).toMatchObject({
      billing_reason: 'subscription_create',
      attempt_count: 1,
      status: 'paid',
    });
    expect(invoice.parent?.subscription_details?.subscription).toBe(subscription.id);
    expect(firstItem(invoice.lines).period).toEqual({
      start: item.current_period_start,
      end: item.current_period_end,
    });
    const intent = invoice.payments?.data[0]?.payment.payment_intent;
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 5900 });
  });

  it('a 100 % coupon produces a paid invoice of zero without a charge; the renewal costs the full price', async () => {
    const { stripe, control } = await startSandbox();
    const { session, customer } = await openCheckout(stripe);
    const { body } = await control('POST', `/checkout_sessions/${session.id}/pay`, { percentOff: 100 });
    expect(body).toMatchObject({
      status: 'complete',
      payment_status: 'no_payment_required',
      amount_subtotal: 5900,
      amount_total: 0,
      total_details: { amount_discount: 5900 },
    });
    const paid = await stripe.checkout.sessions.retrieve(session.id);
    const invoice = await stripe.invoices.retrieve(idOf(paid.invoice), { expand: ['payments'] });
    expect(invoice).toMatchObject({
      status: 'paid',
      subtotal: 5900,
      total: 0,
      amount_due: 0,
      amount_paid: 0,
    });
    expect(invoice.total_discount_amounts).toMatchObject([{ amount: 5900 }]);
    expect(invoice.payments?.data).toEqual([]);
    expect((await stripe.charges.list({ customer: customer.id })).data).toEqual([]);
    await control('POST', '/clock/advance', { seconds: 31 * DAY });
    expect(firstItem(await stripe.invoices.list({ customer: customer.id }))).toMatchObject({
      billing_reason: 'subscription_cycle',
      amount_paid: 5900,
    });
  });

  it('a payment intent expands down to the provider’s fee', async () => {
    const sandbox = await startSandbox();
    const { stripe } = sandbox;
    const { subscription } = await subscribe(sandbox);
    const payments = await stripe.invoicePayments.list({ invoice: idOf(subscription.latest_invoice) });
    const id = idOf(payments.data[0]?.payment.payment_intent);
    const intent = await stripe.paymentIntents.retrieve(id, {
      expand: ['latest_charge', 'latest_charge.balance_transaction'],
    });
    expect(intent.latest_charge).toMatchObject({
      paid: true,
      payment_method_details: { card: { last4: '4242', brand: 'visa' } },
      balance_transaction: { amount: 5900, fee: 201, net: 5699, type: 'charge' },
    });
    const movements = await stripe.balanceTransactions.list({ type: 'charge' });
    expect(movements.data).toHaveLength(1);
    expect((await stripe.charges.list({ payment_intent: id })).data).toHaveLength(1);
  });

  it('a subscription is cancelled at period end, resumed and cancelled at once', async () => {
    const sandbox = await startSandbox();
    const { stripe } = sandbox;
    const { subscription, customer } = await subscribe(sandbox);
    const ending = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    expect(ending).toMatchObject({
      cancel_at_period_end: true,
      status: 'active',
      cancel_at: subscription.items.data[0]?.current_period_end,
    });
    const resumed = await stripe.subscriptions.update(subscription.id, {
      cancel_at_period_end: false,
      metadata: { by: 'admin' },
    });
    expect(resumed).toMatchObject({ cancel_at_period_end: false, cancel_at: null, canceled_at: null });
    expect(await stripe.subscriptions.cancel(subscription.id)).toMatchObject({ status: 'canceled' });
    await expect(stripe.subscriptions.cancel(subscription.id)).rejects.toMatchObject({ statusCode: 404 });
    const listed = async (status?: 'all' | 'canceled') =>
      (await stripe.subscriptions.list({ customer: customer.id, ...(status && { status }) })).data.length;
    expect([await listed(), await listed('all'), await listed('canceled')]).toEqual([0, 1, 1]);
  });

  it('deletion of a customer ends their subscription', async () => {
    const sandbox = await startSandbox();
    const { stripe } = sandbox;
    const { subscription, customer } = await subscribe(sandbox);
    await stripe.customers.del(customer.id);
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('canceled');
    const types = (await stripe.events.list({ limit: 2 })).data.map(({ type }) => type);
    expect(types).toEqual(['customer.deleted', 'customer.subscription.deleted']);
  });
});
