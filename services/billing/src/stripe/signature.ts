import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { Stripe } from 'stripe';
import { customerOfObject } from './from-stripe.ts';

const TOLERANCE_SECONDS = 300;

/** Parses a delivery whose signature matches one of the secrets and is at most five minutes old. Throws `billing.signature_refused`. */
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
        if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) break; // the signature matches, but the body is not an event
      }
    }
    throw createError('billing.signature_refused');
  };
};

export type SignatureCheck = ReturnType<typeof createSignatureCheck>;

/** The id of the customer of an event's object, or null. */
export const customerOf = (event: Stripe.Event): string | null => customerOfObject(event.data.object);
