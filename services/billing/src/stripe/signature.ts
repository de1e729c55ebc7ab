import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { Stripe } from 'stripe';
import { customerOfObject } from './from-stripe.ts';

const TOLERANCE_SECONDS = 300;

/** What billing uses of a delivered event. `customerId` is the customer of the event's object, `livemode` whether money is real. */
export type DeliveredEvent = { eventId: string; type: string; customerId: string | null; livemode: boolean };
export type SignatureCheck = (body: Buffer, header: string | undefined) => DeliveredEvent;

/**
 * Returns a function that parses a delivery whose signature matches one of the secrets and is at most five minutes old. It throws
 * `billing.signature_refused` for any other.
 */
export const createSignatureCheck = (
  stripe: Stripe,
  { secrets, clock }: { secrets: readonly string[]; clock: Clock },
): SignatureCheck => {
  const parse = (body: Buffer, header: string, secret: string): Stripe.Event => {
    const receivedAt = clock().getTime();
    return stripe.webhooks.constructEvent(body, header, secret, TOLERANCE_SECONDS, undefined, receivedAt);
  };
  return (body, header = '') => {
    for (const secret of secrets) {
      try {
        const { id: eventId, type, livemode, data } = parse(body, header, secret);
        return { eventId, type, livemode, customerId: customerOfObject(data.object) };
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) break; // the signature matches, but the body is not an event
      }
    }
    throw createError('billing.signature_refused');
  };
};
