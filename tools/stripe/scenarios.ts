import type { Stripe } from 'stripe';
import type { Scenario } from './recording.ts';

const openCheckout = async (stripe: Stripe, customer: string, price: string): Promise<string> => {
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price, quantity: 1 }],
    success_url: 'https://example.com/paid?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://example.com/back',
    client_reference_id: 'user-1',
    metadata: { intent: 'intent-1' },
    subscription_data: { metadata: { user: 'user-1' } },
  });
  return session.id;
};

const chargeOf = async (stripe: Stripe, customer: string): Promise<string> =>
  (await stripe.charges.list({ customer })).data[0]?.id ?? '';

const latestInvoiceOf = async (stripe: Stripe, subscription: string): Promise<string> => {
  const { latest_invoice } = await stripe.subscriptions.retrieve(subscription);
  return typeof latest_invoice === 'string' ? latest_invoice : (latest_invoice?.id ?? '');
};

/** A call that Stripe refuses; the recording has its reply. */
const refused = async (call: Promise<unknown>): Promise<void> => {
  await call.catch(() => undefined);
};

const payCheckout =
  (card: 'accepted' | 'authenticated'): Scenario =>
  async ({ stripe, ...world }) => {
    const session = await openCheckout(stripe, await world.addCustomer(), await world.findPrice());
    await world.payCheckout(session, card);
    await stripe.checkout.sessions.retrieve(session, { expand: ['line_items'] });
    await refused(stripe.checkout.sessions.expire(session));
  };

const declineRenewals =
  (schedule?: number[]): Scenario =>
  async ({ stripe, subscribe, replaceCard, advance, retryOn }) => {
    if (schedule) await retryOn(schedule);
    const { customer, subscription } = await subscribe();
    await replaceCard(customer, 'declined later');
    await advance(32);
    for (const days of [3, 3, 3, 8, 8]) {
      await advance(days);
      await stripe.subscriptions.retrieve(subscription);
    }
  };

const closeDispute =
  (outcome: 'won' | 'lost'): Scenario =>
  async ({ stripe, subscribe, ...world }) => {
    const { customer, invoice } = await subscribe({ card: 'disputed' });
    const dispute = await world.dispute(invoice);
    await refused(stripe.refunds.create({ charge: await chargeOf(stripe, customer) }));
    if (outcome === 'won') await world.winDispute(dispute);
    else await stripe.disputes.close(dispute);
    await stripe.disputes.retrieve(dispute);
  };

const debit =
  (outcome: 'succeeded' | 'failed'): Scenario =>
  async ({ stripe, subscribe, settleDebit }) => {
    const { subscription, invoice } = await subscribe({ debit: outcome });
    await stripe.subscriptions.retrieve(subscription);
    await settleDebit(invoice, outcome);
    await stripe.invoices.retrieve(invoice, { expand: ['payments'] });
  };

const buyWithCoupon =
  (percentOff: number): Scenario =>
  async ({ subscribe, advance }) => {
    await subscribe({ percentOff });
    await advance(32);
  };

/** By the names of their files in a recording. */
export const SCENARIOS: Record<string, Scenario> = {
  'first-payment': ({ subscribe }) => subscribe(),
  'checkout-paid': payCheckout('accepted'),
  'checkout-with-3-d-secure': payCheckout('authenticated'),
  '3-d-secure-at-renewal': async ({ stripe, subscribe, replaceCard, advance }) => {
    const { customer, subscription } = await subscribe();
    await replaceCard(customer, 'authenticated');
    await advance(32);
    const invoice = await latestInvoiceOf(stripe, subscription);
    await stripe.invoices.retrieve(invoice, { expand: ['payments.data.payment.payment_intent'] });
    await refused(stripe.invoices.pay(invoice));
  },
  renewals: async ({ subscribe, advance }) => {
    await subscribe();
    for (const days of [32, 31, 31]) await advance(days);
  },
  'declined-renewal-paid-later': async ({ stripe, subscribe, replaceCard, advance }) => {
    const { customer, subscription } = await subscribe();
    await replaceCard(customer, 'declined later');
    await advance(32);
    const invoice = await latestInvoiceOf(stripe, subscription);
    await refused(stripe.invoices.pay(invoice));
    await replaceCard(customer, 'accepted');
    await stripe.invoices.pay(invoice);
    await refused(stripe.invoices.pay(invoice));
  },
  'declined-renewals': declineRenewals(),
  'declined-renewals-tried-once-more': declineRenewals([1]),
  'declined-renewals-over-three-weeks': declineRenewals([7, 14, 21]),
  'refunds-in-part-and-in-full': async ({ stripe, subscribe }) => {
    const charge = await chargeOf(stripe, (await subscribe()).customer);
    await stripe.refunds.create({ charge, amount: 1_000, reason: 'requested_by_customer' });
    await refused(stripe.refunds.create({ charge, amount: 5_900 }));
    await stripe.refunds.create({ charge });
    await refused(stripe.refunds.create({ charge }));
  },
  'failed-refund': async ({ stripe, subscribe, failRefund }) => {
    const charge = await chargeOf(stripe, (await subscribe({ card: 'refund fails' })).customer);
    const { id } = await stripe.refunds.create({ charge });
    await failRefund(id);
    await stripe.refunds.retrieve(id);
  },
  'dispute-won': closeDispute('won'),
  'dispute-lost': closeDispute('lost'),
  'bank-debit-succeeds': debit('succeeded'),
  'bank-debit-fails': debit('failed'),
  'coupon-of-100-percent': buyWithCoupon(100),
  'coupon-of-25-percent': buyWithCoupon(25),
  tax: async ({ subscribe, advance }) => {
    await subscribe({ isTaxed: true });
    await advance(32);
  },
  'two-currencies': async ({ subscribe, advance }) => {
    await subscribe({ currency: 'usd' });
    await subscribe({ currency: 'eur' });
    await advance(32);
  },
  'portal-changes': async ({ stripe, subscribe, replaceCard }) => {
    const { customer, subscription } = await subscribe();
    const { id: configuration } = await stripe.billingPortal.configurations.create({
      features: {
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true, mode: 'at_period_end' },
      },
    });
    await stripe.billingPortal.sessions.create({
      customer,
      configuration,
      return_url: 'https://example.com/',
    });
    // What the payer then does on the portal's pages.
    await replaceCard(customer, 'accepted');
    await stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
    await stripe.subscriptions.update(subscription, { cancel_at_period_end: false });
  },
  'cancellation-at-period-end': async ({ stripe, subscribe, advance }) => {
    const { subscription } = await subscribe();
    await stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
    await advance(32);
    await refused(stripe.subscriptions.update(subscription, { cancel_at_period_end: false }));
  },
  'cancellation-at-once': async ({ stripe, subscribe }) => {
    const { subscription } = await subscribe();
    await stripe.subscriptions.cancel(subscription);
    await refused(stripe.subscriptions.cancel(subscription));
  },
  'paused-collection': async ({ stripe, subscribe, advance, pause, resume }) => {
    const { subscription } = await subscribe();
    await pause(subscription);
    await advance(40);
    await stripe.subscriptions.retrieve(subscription);
    await resume(subscription);
  },
  'void-and-uncollectible-invoices': async ({ stripe, subscribe, replaceCard, advance }) => {
    for (const close of ['voidInvoice', 'markUncollectible'] as const) {
      const { customer, subscription } = await subscribe();
      await replaceCard(customer, 'declined later');
      await advance(32);
      const invoice = await latestInvoiceOf(stripe, subscription);
      await stripe.invoices[close](invoice);
      await replaceCard(customer, 'accepted');
      await refused(stripe.invoices.pay(invoice));
    }
  },
  'events-read-backwards': async ({ stripe, subscribe, advance, settle }) => {
    const { subscription } = await subscribe();
    await advance(32);
    await stripe.subscriptions.cancel(subscription);
    await settle();
    // Each event keeps the object of its time, whatever order it is read in.
    for (const type of ['customer.subscription.deleted', 'invoice.paid', 'customer.subscription.created']) {
      const { data } = await stripe.events.list({ type, limit: 1 });
      for (const { id } of data) await stripe.events.retrieve(id);
    }
  },
};
