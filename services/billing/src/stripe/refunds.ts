import type { Stripe } from 'stripe';
import { isInvalidRequest } from './errors.ts';

const intentOf = ({ payment: { payment_intent: intent } }: Stripe.InvoicePayment): string | null =>
  typeof intent === 'string' ? intent : (intent?.id ?? null);

type Part = { invoiceId: string; intent: string };

const refundPart = async (stripe: Stripe, { invoiceId, intent }: Part): Promise<string | null> => {
  const idempotencyKey = `refund:${invoiceId}:${intent}`;
  const params = { payment_intent: intent, metadata: { invoice: invoiceId } };
  try {
    await stripe.refunds.create(params, { idempotencyKey });
    return null;
  } catch (error) {
    if (isInvalidRequest(error)) return error.message;
    throw error;
  }
};

/**
 * Refunds what was paid for an invoice and has not been refunded. The idempotency keys are derived from the invoice, so a repeated
 * call refunds once. Returns Stripe's reason for a refusal, for example of a disputed payment, or null. A refused part does not keep
 * the other parts.
 */
export const refundInvoice = async (stripe: Stripe, invoiceId: string): Promise<string | null> => {
  const { data } = await stripe.invoicePayments.list({ invoice: invoiceId, status: 'paid', limit: 100 });
  const intents = data.map(intentOf).filter((id) => id !== null);
  let refusal: string | null = null;
  for (const intent of intents) refusal = (await refundPart(stripe, { invoiceId, intent })) ?? refusal;
  return refusal;
};
