import { createError } from '@shortlist/kit/process/errors';
import { Stripe } from 'stripe';

const { errors } = Stripe;

const isUnavailable = (error: unknown): boolean =>
  error instanceof errors.StripeConnectionError ||
  error instanceof errors.StripeAPIError ||
  error instanceof errors.StripeRateLimitError ||
  // An earlier call under the same key is still in progress, or its parameters differ from this one's.
  error instanceof errors.StripeIdempotencyError;

/** Runs a call to Stripe. Throws `billing.provider_unavailable` when Stripe does not respond or cannot serve the call yet. */
export const callStripe = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    throw isUnavailable(error)
      ? createError('billing.provider_unavailable', { cause: error, retryAfterSeconds: 5 })
      : error;
  }
};

/** Whether Stripe refused a call for what it contains or for the state of its object; a repeated call would be refused too. */
export const isInvalidRequest = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof errors.StripeInvalidRequestError;

/** Whether Stripe has no object of this id. */
export const isMissing = (error: unknown): boolean =>
  isInvalidRequest(error) && error.code === 'resource_missing';

/** The customer of a request was deleted at Stripe. */
export class CustomerMissing extends Error {}

export const isCustomerMissing = (error: unknown): boolean =>
  isMissing(error) && (error as Stripe.errors.StripeInvalidRequestError).param === 'customer'; // isMissing checked its class

/** Whether the idempotency key was used before with other parameters. */
export const isKeyReused = (error: unknown): boolean =>
  error instanceof errors.StripeIdempotencyError && error.statusCode === 400;
