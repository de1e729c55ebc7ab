import { describe, expect, it } from 'vitest';
import type Stripe from 'stripe';
import { DAY, HOUR } from '../src/model/billing-cycle.rules.ts';
import {
  advance,
  firstItem,
  idOf,
  openCheckout,
  startSandbox,
  subscribe,
  type RunningSandbox,
} from './support.ts';

const FAILS_LATER = '4000000000000341';
const AUTHENTICATED_ALWAYS = '4000002760003184';

const pastDue = async (card = FAILS_LATER) => {
  const sandbox = await startSandbox();
  const { subscription, customer } = await subscribe(sandbox, card);
  await advance(sandbox, 31 * DAY);
  const { latest_invoice } = await sandbox.stripe.subscriptions.retrieve(subscription.id);
  return {
    sandbox,
    stripe: sandbox.stripe,
    customer,
    subscription: subscription.id,
    invoice: idOf(latest_invoice),
  };
};

const intentOf = async (stripe: Stripe, invoice: string): Promise<Stripe.PaymentIntent> => {
  const { payments } = await stripe.invoices.retrieve(invoice, {
    expand: ['payments.data.payment.payment_intent'],
  });
  return payments?.data[0]?.payment.payment_intent as Stripe.PaymentIntent;
};

const typesOf = async ({ stripe }: RunningSandbox, limit: number): Promise<string[]> =>
  (await stripe.events.list({ limit })).data.map(({ type }) => type).reverse();

describe('closed invoices', () => {
  it('a void invoice is not collected any more, and the subscription is no longer past due', async () => {
    const { sandbox, stripe, subscription, invoice } = await pastDue();
    const { status, body } = await sandbox.control('POST', `/invoices/${invoice}/void`);
    expect([status, body]).toMatchObject([200, { status: 'void', next_payment_attempt: null }]);
    expect((await intentOf(stripe, invoice)).status).toBe('canceled');
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('active');
    expect(await typesOf(sandbox, 3)).toEqual([
      'payment_intent.canceled',
      'invoice.voided',
      'customer.subscription.updated',
    ]);
    await expect(stripe.invoices.pay(invoice)).rejects.toThrow('void');
    await expect(stripe.invoices.voidInvoice(invoice)).rejects.toThrow('void');
  });

  it('an uncollectible invoice can still be paid', async () => {
    const { sandbox, stripe, subscription, invoice, customer } = await pastDue();
    await sandbox.control('POST', `/invoices/${invoice}/uncollectible`);
    expect((await stripe.invoices.retrieve(invoice)).status).toBe('uncollectible');
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('active');
    expect(await typesOf(sandbox, 2)).toEqual([
      'invoice.marked_uncollectible',
      'customer.subscription.updated',
    ]);
    await sandbox.control('POST', `/customers/${customer.id}/card`, { card: '4242424242424242' });
    expect((await stripe.invoices.pay(invoice)).status).toBe('paid');
  });

  it('an invoice that cannot be finalized stays a draft until it is finalized by hand', async () => {
    const sandbox = await startSandbox();
    const { stripe } = sandbox;
    const { subscription } = await subscribe(sandbox);
    await sandbox.control('PUT', '/settings', { finalizationFails: true });
    await advance(sandbox, 31 * DAY);
    const { latest_invoice } = await stripe.subscriptions.retrieve(subscription.id);
    const invoice = await stripe.invoices.retrieve(idOf(latest_invoice));
    expect(invoice).toMatchObject({
      status: 'draft',
      number: null,
      hosted_invoice_url: null,
      last_finalization_error: { code: 'customer_tax_location_invalid' },
    });
    expect(await typesOf(sandbox, 1)).toEqual(['invoice.finalization_failed']);
    expect(await stripe.invoices.finalizeInvoice(invoice.id)).toMatchObject({
      status: 'paid',
      last_finalization_error: null,
    });
    await expect(stripe.invoices.finalizeInvoice(invoice.id)).rejects.toThrow('already finalized');
  });
});

describe('authentication at renewal', () => {
  it('waits for the customer without a charge', async () => {
    const { stripe, subscription, invoice } = await pastDue(AUTHENTICATED_ALWAYS);
    expect(await intentOf(stripe, invoice)).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'use_stripe_sdk' },
    });
    expect((await stripe.charges.list()).data.map(({ status }) => status)).toEqual(['succeeded']);
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('past_due');
    expect((await stripe.events.list({ type: 'payment_intent.requires_action' })).data).toHaveLength(1);
  });
});

const payByDebit = async () => {
  const sandbox = await startSandbox({ at: '2026-11-20T00:00:00Z' });
  const { session, customer } = await openCheckout(sandbox.stripe);
  const { body } = await sandbox.control('POST', `/checkout_sessions/${session.id}/pay`, {
    method: 'bank_debit',
  });
  const { invoice } = body as unknown as { invoice: string };
  return {
    sandbox,
    stripe: sandbox.stripe,
    customer,
    session: session.id,
    subscription: body.subscription,
    invoice,
  };
};

describe('bank debits', () => {
  it('a debit leaves the invoice open until the bank confirms it', async () => {
    const { sandbox, stripe, session, subscription, invoice, customer } = await payByDebit();
    expect(await stripe.checkout.sessions.retrieve(session)).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
    });
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('incomplete');
    expect((await stripe.invoices.retrieve(invoice)).status).toBe('open');
    expect((await intentOf(stripe, invoice)).status).toBe('processing');
    await expect(stripe.invoices.pay(invoice)).rejects.toThrow('being processed');
    await advance(sandbox, 4 * DAY);
    await sandbox.control('POST', `/invoices/${invoice}/settle`, { outcome: 'succeeded' });
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('active');
    expect((await stripe.invoices.retrieve(invoice)).status).toBe('paid');
    expect((await stripe.checkout.sessions.retrieve(session)).payment_status).toBe('paid');
    expect(firstItem(await stripe.charges.list({ customer: customer.id }))).toMatchObject({
      paid: true,
      status: 'succeeded',
    });
    expect(await typesOf(sandbox, 1)).toEqual(['checkout.session.async_payment_succeeded']);
    expect((await sandbox.control('POST', `/invoices/${invoice}/settle`, { outcome: 'failed' })).status).toBe(
      400,
    );
  });

  it('a first payment that fails can be paid for 23 hours, then the subscription expires', async () => {
    const { sandbox, stripe, subscription, invoice } = await payByDebit();
    await advance(sandbox, DAY / 2);
    await sandbox.control('POST', `/invoices/${invoice}/settle`, { outcome: 'failed' });
    expect(await typesOf(sandbox, 1)).toEqual(['checkout.session.async_payment_failed']);
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('incomplete');
    expect((await intentOf(stripe, invoice)).status).toBe('requires_payment_method');
    await advance(sandbox, DAY / 2);
    const expired = await stripe.subscriptions.retrieve(subscription);
    expect(expired).toMatchObject({ status: 'incomplete_expired', ended_at: expired.created + 23 * HOUR });
    expect((await stripe.invoices.retrieve(invoice)).status).toBe('void');
  });

  it('a first payment that fails is mended by paying the invoice with a card', async () => {
    const { sandbox, stripe, subscription, invoice, customer } = await payByDebit();
    await sandbox.control('POST', `/invoices/${invoice}/settle`, { outcome: 'failed' });
    await sandbox.control('POST', `/customers/${customer.id}/card`, { card: '4242424242424242' });
    expect((await stripe.invoices.pay(invoice)).status).toBe('paid');
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('active');
  });

  it('a renewal that the bank returns is past due and tried again', async () => {
    const { sandbox, stripe, subscription, invoice } = await payByDebit();
    await sandbox.control('POST', `/invoices/${invoice}/settle`, { outcome: 'succeeded' });
    await advance(sandbox, 30 * DAY);
    const { status, latest_invoice } = await stripe.subscriptions.retrieve(subscription);
    expect(status).toBe('active');
    await sandbox.control('POST', `/invoices/${idOf(latest_invoice)}/settle`, { outcome: 'failed' });
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('past_due');
    await advance(sandbox, 3 * DAY);
    expect((await intentOf(stripe, idOf(latest_invoice))).status).toBe('processing');
    await sandbox.control('POST', `/invoices/${idOf(latest_invoice)}/settle`, { outcome: 'succeeded' });
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('active');
  });
});

describe('paused subscriptions', () => {
  it('a paused subscription is not billed; the next period begins when it resumes', async () => {
    const sandbox = await startSandbox({ at: '2026-11-20T00:00:00Z' });
    const { stripe } = sandbox;
    const { subscription } = await subscribe(sandbox);
    await sandbox.control('POST', `/subscriptions/${subscription.id}/pause`);
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('paused');
    await advance(sandbox, 60 * DAY);
    expect((await stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(1);
    await sandbox.control('POST', `/subscriptions/${subscription.id}/resume`);
    const resumed = await stripe.subscriptions.retrieve(subscription.id);
    const item = firstItem(resumed.items);
    expect(resumed.status).toBe('active');
    expect(new Date(item.current_period_start * 1000).toISOString().slice(0, 10)).toBe('2027-01-19');
    expect((await stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(2);
    expect((await sandbox.control('POST', `/subscriptions/${subscription.id}/resume`)).status).toBe(400);
  });

  it('a subscription resumed within its period keeps it', async () => {
    const sandbox = await startSandbox();
    const { subscription } = await subscribe(sandbox);
    await sandbox.control('POST', `/subscriptions/${subscription.id}/pause`);
    await sandbox.control('POST', `/subscriptions/${subscription.id}/resume`);
    const resumed = await sandbox.stripe.subscriptions.retrieve(subscription.id);
    expect(firstItem(resumed.items).current_period_end).toBe(
      firstItem(subscription.items).current_period_end,
    );
    expect(await typesOf(sandbox, 2)).toEqual([
      'customer.subscription.resumed',
      'customer.subscription.updated',
    ]);
  });
});
