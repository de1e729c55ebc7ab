import type { Stripe } from 'stripe';
import { isInvalidRequest } from './errors.ts';

const intentOf = ({ payment: { payment_intent: intent } }: Stripe.InvoicePayment): string | null =>
  typeof intent === 'string' ? intent : (intent?.id ?? null);

/**
 * Refunds what was paid for an invoice and has not been refunded. The idempotency keys are derived from the invoice, so a repeated
 * call refunds once. Returns Stripe's reason for a refusal, for example of a disputed payment, or null.
 */
export const refundInvoice = async (stripe: Stripe, invoiceId: string): Promise<string | null> => {
  const { data } = await stripe.invoicePayments.list({ invoice: invoiceId, status: 'paid', limit: 100 });
  const intents = data.map(intentOf).filter((id) => id !== null);
  try {
    for (const intent of intents) {
      const idempotencyKey = `refund:${invoiceId}:${intent}`;
      await stripe.refunds.create(
        { payment_intent: intent, metadata: { invoice: invoiceId } },
        { idempotencyKey },
      );
    }
    return null;
  } catch (error) {
    if (isInvalidRequest(error)) return error.message;
    throw error;
  }
};
