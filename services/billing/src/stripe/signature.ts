import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { Stripe } from 'stripe';
import { customerOfObject } from './from-stripe.ts';

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
        return stripe.webhooks.constructEvent(
          body,
          header ?? '',
          secret,
          TOLERANCE_SECONDS,
          undefined,
          receivedAt,
        );
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) break; // signed, but not readable
      }
    }
    throw createError('billing.signature_refused');
  };
};

export type SignatureCheck = ReturnType<typeof createSignatureCheck>;

/** The customer that an event speaks of, or null. */
export const customerOf = (event: Stripe.Event): string | null => customerOfObject(event.data.object);
