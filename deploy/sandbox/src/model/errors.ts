import type { Decline } from './card.rules.ts';

type ErrorBody = {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  doc_url?: string;
};

/** An error response in Stripe's format: https://docs.stripe.com/api/errors */
export class StripeError extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.status = status;
    const { code } = body;
    this.body = code
      ? { ...body, doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` }
      : body;
  }
}

type InvalidRequest = {
  message: string;
  code?: string;
  param?: string;
};

export const invalidRequest = (problem: InvalidRequest, status = 400): StripeError =>
  new StripeError(status, { type: 'invalid_request_error', ...problem });

export const notFound = (kind: string, id: string): StripeError =>
  invalidRequest({ message: `No such ${kind}: '${id}'`, code: 'resource_missing', param: 'id' }, 404);

/** A parameter refers to an object that does not exist; Stripe responds with 400 instead of 404. */
export const invalidReference = (kind: string, id: string, param: string): StripeError =>
  invalidRequest({ message: `No such ${kind}: '${id}'`, code: 'resource_missing', param });

export const cardError = (decline: Decline): StripeError =>
  new StripeError(402, { type: 'card_error', ...decline });

export const rateLimited = (): StripeError => {
  const message =
    'Request rate limit exceeded. You can learn more about rate limits here https://stripe.com/docs/rate-limits.';
  return new StripeError(429, { type: 'invalid_request_error', code: 'rate_limit', message });
};

export const injectedError = (status: number): StripeError => {
  if (status === 429) return rateLimited();
  if (status >= 500) {
    return new StripeError(status, { type: 'api_error', message: 'An unknown error occurred.' });
  }
  return invalidRequest({ message: `Injected failure with status ${status}.` }, status);
};
