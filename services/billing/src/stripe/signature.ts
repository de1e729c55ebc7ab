import type { Clock } from '@shortlist/kit/clock';
import { coded } from '@shortlist/kit/errors';
import { Stripe } from 'stripe';

const TOLERANCE_SECONDS = 300;

/** Reads a delivery whose signature matches one of our secrets and is at most five minutes old. Throws otherwise. */
export const createSignatureCheck = (
  stripe: Stripe,
  { secrets, clock }: { secrets: readonly string[]; clock: Clock },
) => {
  return (body: Buffer, header: string | undefined): Stripe.Event => {
    for (const secret of secrets) {
      try {
        const receivedAt = clock().getTime();
        return stripe.webhooks.constructEvent(body, header ?? '', {
          secret,
          tolerance: TOLERANCE_SECONDS,
          receivedAt,
        });
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) break; // signed, but not readable
      }
    }
    throw coded('billing.signature_refused');
  };
};

export type SignatureCheck = ReturnType<typeof createSignatureCheck>;

/** The customer that an event speaks of, or null. */
export const customerOf = (event: Stripe.Event): string | null => {
  const object = event.data.object as {
    object: string;
    id?: string;
    customer?: string | { id: string } | null;
  };
  if (object.object === 'customer') return object.id ?? null;
  return typeof object.customer === 'string' ? object.customer : (object.customer?.id ?? null);
};
