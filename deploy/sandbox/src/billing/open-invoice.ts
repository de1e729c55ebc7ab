import type Stripe from 'stripe';
import { emit } from '../model/emit-event.ts';
import { buildInvoicePayment } from '../stripe/invoice-payments.ts';
import { buildPaymentIntent } from '../stripe/payment-intents.ts';
import { now, type World } from '../context.ts';

const addPayment = (world: World, invoice: Stripe.Invoice): void => {
  const intent = buildPaymentIntent(world, invoice);
  const payment = buildInvoicePayment(world, invoice, intent.id);
  world.state.paymentIntents.set(intent.id, intent);
  world.state.invoicePayments.set(payment.id, payment);
};

/** Numbers a draft and makes it due; from here on it can be paid. */
export const openInvoice = (world: World, invoice: Stripe.Invoice, customer: Stripe.Customer): void => {
  const sequence = customer.next_invoice_sequence ?? 1;
  customer.next_invoice_sequence = sequence + 1;
  if (invoice.amount_due > 0) addPayment(world, invoice);
  invoice.status = 'open';
  invoice.number = `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`;
  invoice.status_transitions.finalized_at = now(world);
  invoice.effective_at = now(world);
  invoice.ending_balance = 0;
  invoice.automatically_finalizes_at = null;
  invoice.hosted_invoice_url = `${world.publicUrl}/i/${invoice.id}`;
  emit(world, 'invoice.finalized', invoice);
};
