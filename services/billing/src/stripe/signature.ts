import { inSeconds, minutes } from '@shortlist/contracts/durations';
import type { Clock } from '@shortlist/kit/process/clock';
import { AppError, createError } from '@shortlist/kit/process/errors';
import Joi from 'joi';
import { Stripe } from 'stripe';
import { storedPayload } from './event-object.ts';
import { customerOfObject } from './from-stripe.ts';

const TOLERANCE_SECONDS = inSeconds(minutes(5));

/** What billing uses of a delivered event. `customerId` is the customer of the event's object, `livemode` whether money is real. */
export type DeliveredEvent = {
  eventId: string;
  type: string;
  customerId: string | null;
  livemode: boolean;
  /** What is stored of it. */
  payload: string;
};
export type SignatureCheck = (body: Buffer, header: string | undefined) => DeliveredEvent;

/** Signed JSON need not be an event: any program that knows the secret can sign. */
const eventSchema = Joi.object<Stripe.Event>({
  id: Joi.string()
    .pattern(/^[\x21-\x7e]{1,64}$/)
    .required(),
  type: Joi.string()
    .pattern(/^[\x21-\x7e]{1,80}$/)
    .required(),
  livemode: Joi.boolean().strict().required(),
  data: Joi.object({ object: Joi.object().unknown().required() }).unknown().required(),
})
  .unknown()
  .required();

const parseEvent = (payload: unknown): DeliveredEvent => {
  const result = eventSchema.validate(payload);
  if (result.error !== undefined) throw createError('request.malformed', { cause: result.error });
  const { id: eventId, type, livemode, data } = result.value;
  return {
    eventId,
    type,
    livemode,
    customerId: customerOfObject(data.object),
    payload: storedPayload({ data }),
  };
};

/** Whether a signature says that it was made later than clocks differ. Stripe's library refuses only signatures that are too old. */
const isAhead = (header: string, receivedAt: Date): boolean =>
  header
    .split(',')
    .map((item) => item.split('='))
    .some(
      ([name, value = '']) =>
        name === 't' && Number.parseInt(value, 10) > receivedAt.getTime() / 1_000 + TOLERANCE_SECONDS,
    );

/**
 * Returns a function that parses a delivery whose signature matches one of the secrets and was made within five minutes of now. It
 * throws `billing.signature_refused` for any other, and `request.malformed` for a signed body that is not an event.
 */
export const createSignatureCheck = (
  stripe: Stripe,
  { secrets, clock }: { secrets: readonly string[]; clock: Clock },
): SignatureCheck => {
  const verify = (body: Buffer, header: string, secret: string): unknown => {
    const receivedAt = clock().getTime();
    return stripe.webhooks.constructEvent(body, header, secret, TOLERANCE_SECONDS, undefined, receivedAt);
  };
  return (body, header = '') => {
    if (isAhead(header, clock())) throw createError('billing.signature_refused');
    for (const secret of secrets) {
      try {
        return parseEvent(verify(body, header, secret));
      } catch (error) {
        if (error instanceof AppError) throw error;
        // The signature matches, but the body is not JSON.
        if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) break;
      }
    }
    throw createError('billing.signature_refused');
  };
};
