import { describe, expect, it } from 'vitest';
import { startSandbox, subscribe, idOf } from './support.ts';

// The fields that the billing service reads, as dotted paths.
const FIELDS_READ_BY_BILLING: Record<string, string[]> = {
  customer: ['id', 'email', 'name', 'metadata', 'created', 'delinquent', 'livemode'],
  customerSettings: ['invoice_settings.default_payment_method'],
  session: [
    'id',
    'url',
    'status',
    'payment_status',
    'mode',
    'customer',
    'subscription',
    'invoice',
    'created',
    'client_reference_id',
    'metadata',
    'expires_at',
    'success_url',
    'amount_total',
    'currency',
    'livemode',
  ],
  subscription: [
    'id',
    'status',
    'customer',
    'created',
    'start_date',
    'cancel_at',
    'cancel_at_period_end',
    'canceled_at',
    'ended_at',
    'metadata',
    'currency',
    'latest_invoice',
    'livemode',
    'default_payment_method',
    'items.data.0.current_period_start',
    'items.data.0.current_period_end',
    'items.data.0.price.id',
    'items.data.0.price.unit_amount',
    'items.data.0.price.recurring.interval',
    'billing_cycle_anchor',
  ],
  invoice: [
    'id',
    'status',
    'number',
    'customer',
    'currency',
    'amount_due',
    'amount_paid',
    'amount_remaining',
    'total',
    'created',
    'billing_reason',
    'attempt_count',
    'next_payment_attempt',
    'hosted_invoice_url',
    'status_transitions.paid_at',
    'parent.subscription_details.subscription',
    'livemode',
    'period_start',
    'lines.data.0.period.start',
    'lines.data.0.period.end',
    'lines.data.0.pricing.price_details.price',
    'payments.data.0.payment.payment_intent',
    'payments.data.0.status',
    'customer_email',
    'period_end',
  ],
  charge: [
    'id',
    'amount',
    'amount_refunded',
    'refunded',
    'paid',
    'status',
    'created',
    'currency',
    'customer',
    'payment_intent',
    'balance_transaction.id',
    'balance_transaction.fee',
    'balance_transaction.net',
    'receipt_url',
    'refunds.data',
    'failure_code',
    'payment_method_details.card.last4',
  ],
  refund: [
    'id',
    'amount',
    'charge',
    'payment_intent',
    'status',
    'created',
    'currency',
    'balance_transaction',
  ],
  portal: ['id', 'url', 'customer', 'return_url'],
  event: ['id', 'type', 'created', 'api_version', 'livemode', 'data.object.id', 'request.idempotency_key'],
};

const valueAt = (node: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => {
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  }, node);

describe('Stripe responses', () => {
  it('contain every field that the billing service reads', async () => {
    const sandbox = await startSandbox();
    const { stripe } = sandbox;
    const { customer, session, subscription } = await subscribe(sandbox);
    const charge = (await stripe.charges.list({ customer: customer.id })).data[0];
    if (!charge) throw new Error('There is no charge.');
    const refund = await stripe.refunds.create({ charge: charge.id, amount: 100 });
    const responses: Record<string, object | undefined> = {
      customer: await stripe.customers.retrieve(customer.id),
      customerSettings: await stripe.customers.retrieve(customer.id),
      session: await stripe.checkout.sessions.retrieve(session.id),
      subscription: await stripe.subscriptions.retrieve(subscription.id),
      invoice: await stripe.invoices.retrieve(idOf(subscription.latest_invoice), { expand: ['payments'] }),
      charge: await stripe.charges.retrieve(charge.id, { expand: ['balance_transaction', 'refunds'] }),
      refund: await stripe.refunds.retrieve(refund.id),
      portal: await stripe.billingPortal.sessions.create({
        customer: customer.id,
        return_url: 'http://127.0.0.1:9/subscription',
      }),
      event: (await stripe.events.list({ type: 'invoice.paid' })).data[0],
    };
    const missing = Object.entries(FIELDS_READ_BY_BILLING).flatMap(([name, paths]) =>
      paths.filter((path) => valueAt(responses[name], path) === undefined).map((path) => `${name}.${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('omit fields that Stripe returns only on expansion', async () => {
    const sandbox = await startSandbox();
    const { stripe } = sandbox;
    const { session, subscription } = await subscribe(sandbox);
    expect(await stripe.invoices.retrieve(idOf(subscription.latest_invoice))).not.toHaveProperty('payments');
    expect(await stripe.checkout.sessions.retrieve(session.id)).not.toHaveProperty('line_items');
    expect(subscription).not.toHaveProperty('current_period_end');
  });
});
