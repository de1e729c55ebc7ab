import { createError } from '@shortlist/kit/process/errors';
import { Stripe } from 'stripe';

const { errors } = Stripe;

const isAway = (error: unknown): boolean =>
  error instanceof errors.StripeConnectionError ||
  error instanceof errors.StripeAPIError ||
  error instanceof errors.StripeRateLimitError ||
  // Our own earlier call under the same key is still being worked on, or what we send has changed since.
  error instanceof errors.StripeIdempotencyError;

/** Says `billing.provider_unavailable` when the provider does not answer, or not yet. */
export const reached = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw isAway(error)
      ? createError('billing.provider_unavailable', { cause: error, retryAfterSeconds: 5 })
      : error;
  }
};

/** The provider knows nothing under this id. */
export const isMissing = (error: unknown): boolean =>
  error instanceof errors.StripeInvalidRequestError && error.code === 'resource_missing';

/** The customer that was named is not there any more: somebody has deleted them at the provider. */
export class CustomerGone extends Error {}

export const isCustomerGone = (error: unknown): boolean =>
  isMissing(error) && (error as Stripe.errors.StripeInvalidRequestError).param === 'customer'; // isMissing looked at its class

/** This key was used before, with something else beside it. */
export const isKeyReused = (error: unknown): boolean =>
  error instanceof errors.StripeIdempotencyError && error.statusCode === 400;
