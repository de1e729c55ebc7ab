import { AppError, createError } from '@shortlist/kit/process/errors';
import { Stripe } from 'stripe';

const { errors } = Stripe;

/**
 * Runs a call to Stripe. Throws `billing.provider_unavailable` when Stripe does not respond, cannot serve the call yet, or refuses it
 * for a reason that no caller handles: a key that was revoked or lacks a permission, or a setting that the account lacks. The user
 * can do nothing about those; the log names Stripe's reason.
 */
export const callStripe = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    throw error instanceof errors.StripeError
      ? createError('billing.provider_unavailable', { cause: error, retryAfterSeconds: 5 })
      : error;
  }
};

/** Stripe's own error of a failed call. */
export const stripeErrorOf = (error: unknown): unknown => (error instanceof AppError ? error.cause : error);

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
