import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '@shortlist/contracts/errors';
import { AppError, createError, createFieldError } from '@shortlist/kit/process/errors';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { inSpan } from '@shortlist/kit/process/trace';
import { Stripe } from 'stripe';
import { stripeSeconds } from '../metrics.ts';
import type { Admission } from './call-budget.ts';
import { addRequest } from './own-requests.ts';
import type { StripeTime } from './stripe-time.ts';

type Outcome = 'ok' | 'refused' | 'unauthorized' | 'limited' | 'failed' | 'unreachable';
/** Records a call that began at `startedAt` (`performance.now`); `status` is null when Stripe did not respond. */
type MeasureCall = (call: { operation: string; status: number | null; startedAt: number }) => void;

/** Refusals are normal, such as of a declined card: only some statuses are a problem of the connection. */
const outcomeOf = (status: number | null): Outcome => {
  if (status === null) return 'unreachable';
  if (status < 400) return 'ok';
  if (status === 401) return 'unauthorized';
  if (status === 429) return 'limited';
  return status < 500 ? 'refused' : 'failed';
};

/** Adds the calls to Stripe to the metrics. */
export const createCallMeasure = (metrics: Metrics): MeasureCall => {
  const histogram = metrics.histogram(stripeSeconds);
  return ({ operation, status, startedAt }) =>
    histogram.observe({ operation, outcome: outcomeOf(status) }, (performance.now() - startedAt) / 1_000);
};

/** The version that the types of the package describe; the webhook endpoint in Stripe's dashboard is pinned to the same. */
export const API_VERSION = '2026-10-28.endive';

/** Limits for a call during a user's request, which has its own deadline (`withDeadline`), and for one in the background. */
export const INTERACTIVE = { timeout: 8_000, maxNetworkRetries: 0 };
export const BACKGROUND = { timeout: 10_000, maxNetworkRetries: 2 };

/** Whether a key moves real money. */
export const isLiveKey = (key: string): boolean => /^[sr]k_live_/.test(key);

/** The path of a call without its ids and query. */
const templateOf = (path: string): string =>
  path.replace(/\?.*$/, '').replaceAll(/(?<=\/)(?!v\d\/)[^/]*[0-9A-Z][^/]*/g, ':id');

type Observers = {
  measure?: MeasureCall | undefined;
  time?: StripeTime | undefined;
  admit?: Admission | undefined;
};

/** How often a call is repeated that Stripe refused because there were too many, and the first pause, which doubles. */
const LIMITED_RETRIES = 3;
const LIMITED_PAUSE_MS = 250;

/** The pause before a call is repeated, of 50 to 150 % so that others come at another time; null if Stripe wants none. */
const pauseOf = (headers: Record<string, string | string[]>, attempt: number): number | null => {
  if (headers['stripe-should-retry'] === 'false' || attempt >= LIMITED_RETRIES) return null;
  const wanted = Number(headers['retry-after']) * 1_000 || LIMITED_PAUSE_MS * 2 ** attempt;
  return wanted * (0.5 + Math.random());
};

/**
 * A Node client that waits for the budget of calls, and repeats one that Stripe refused because there were too many. It records each request in
 * a span and measures it; a repeated request counts again. It notes Stripe's time, and the requests of the current action that changed something.
 */
const createObservedClient = ({ measure, time, admit }: Observers): Stripe.HttpClient => {
  const client = Stripe.createNodeHttpClient();
  const send = client.makeRequest.bind(client);
  const sendObserved: typeof send = (...request) => {
    const [host, , path, method] = request;
    const template = templateOf(path);
    const operation = `${method} ${template}`;
    const attributes = { 'http.request.method': method, 'url.template': template, 'server.address': host };
    return inSpan(`stripe ${operation}`, { kind: 'client', attributes }, async (span) => {
      const startedAt = performance.now();
      const response = await send(...request).catch((error: unknown) => {
        measure?.({ operation, status: null, startedAt });
        throw error;
      });
      const status = response.getStatusCode();
      measure?.({ operation, status, startedAt });
      const headers = response.getHeaders();
      time?.observe(String(headers['date']));
      if (method !== 'GET' && status < 400) addRequest(String(headers['request-id']));
      span.set({ 'http.response.status_code': status });
      if (status >= 400) span.fail(String(status));
      return response;
    });
  };
  client.makeRequest = async (...request) => {
    for (let attempt = 0; ; attempt += 1) {
      await admit?.();
      const response = await sendObserved(...request);
      const isLimited = response.getStatusCode() === 429;
      const pauseMs = isLimited ? pauseOf(response.getHeaders(), attempt) : null;
      if (pauseMs === null) return response;
      await response.toJSON().catch(() => undefined); // the connection is free for others once the response is read
      await sleep(pauseMs);
    }
  };
  return client;
};

type Settings = {
  key: string;
  apiBase: string | undefined;
  limits: typeof INTERACTIVE;
  measure?: MeasureCall;
  time?: StripeTime;
  /** Waits for the budget of calls; without it, calls begin at once. */
  admit?: Admission;
};

/** A client of Stripe's package; `apiBase` points it at the sandbox. */
export const createStripe = ({ key, apiBase, limits, ...observers }: Settings): Stripe => {
  const base = apiBase === undefined ? null : new URL(apiBase);
  return new Stripe(key, {
    apiVersion: API_VERSION,
    telemetry: false,
    httpClient: createObservedClient(observers),
    ...limits,
    ...(base && {
      host: base.hostname,
      port: base.port || (base.protocol === 'https:' ? 443 : 80),
      protocol: base.protocol === 'https:' ? 'https' : 'http',
    }),
  });
};

const { errors } = Stripe;

/** The error codes in Stripe's OpenAPI description, from which its package is generated. */
type StripeCode = NonNullable<Stripe.PaymentIntent.LastPaymentError['code']>;

/**
 * Our error for a refusal that no caller handles, by Stripe's code (https://docs.stripe.com/error-codes). Lists the codes that our calls can
 * get, except `resource_missing` and refusals of voids, refunds and expirations, which callers handle. Null: the refusal is temporary, and the
 * call may be tried again.
 */
const REFUSALS: Readonly<Partial<Record<StripeCode, ErrorCode | null>>> = {
  // Any call
  lock_timeout: null,
  rate_limit: null,
  idempotency_key_in_use: null,
  // A customer is created or changed
  email_invalid: 'billing.email_refused',
  // A checkout, or the portal, is opened for a customer
  customer_tax_location_invalid: 'billing.address_refused',
  postal_code_invalid: 'billing.address_refused',
  tax_id_invalid: 'billing.address_refused',
};

/** For other codes: the key was revoked or lacks a permission, the account lacks a setting, or our request is wrong. */
const refusalOf = ({ statusCode = 500, code = '' }: Stripe.errors.StripeError): ErrorCode | null => {
  if (statusCode === 409 || statusCode === 429 || statusCode >= 500) return null;
  const refusal = REFUSALS[code as StripeCode];
  return refusal === undefined ? 'billing.provider_refused' : refusal;
};

const FIELDS: Partial<Record<ErrorCode, string>> = { 'billing.email_refused': 'email' };

const toAppError = (cause: Stripe.errors.StripeError): AppError => {
  const code = refusalOf(cause);
  if (code === null) return createError('billing.provider_unavailable', { cause, retryAfterSeconds: 5 });
  const field = FIELDS[code];
  return field === undefined ? createError(code, { cause }) : createFieldError(code, field, { cause });
};

/**
 * Runs a call to Stripe. Throws `billing.provider_unavailable` if Stripe does not respond or cannot serve the call yet, and the error of
 * `REFUSALS` for a refusal that no caller handles. The log has Stripe's reason.
 */
export const callStripe = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    throw error instanceof errors.StripeError ? toAppError(error) : error;
  }
};

/** Stripe's own error of a failed call. */
export const stripeErrorOf = (error: unknown): unknown => (error instanceof AppError ? error.cause : error);

/** Whether Stripe refused a call because of its content or the state of its object; a repeated call would be refused too. */
export const isInvalidRequest = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof errors.StripeInvalidRequestError;

/** Whether a payment was declined, or waits for the payer's confirmation. */
export const isDeclined = (error: unknown): boolean => error instanceof errors.StripeCardError;

/** Whether Stripe refused a call because of its content, or because the account or the key may not make it. */
export const isRefused = (error: unknown): boolean =>
  isInvalidRequest(error) || error instanceof errors.StripePermissionError;

/** Whether Stripe has no object with this id. */
export const isMissing = (error: unknown): boolean =>
  isInvalidRequest(error) && error.code === 'resource_missing';

/** The customer of a request was deleted at Stripe. */
export class CustomerMissing extends Error {}

export const isCustomerMissing = (error: unknown): boolean =>
  isMissing(error) && (error as Stripe.errors.StripeInvalidRequestError).param === 'customer'; // isMissing has checked its class

/** Whether the idempotency key was used before with other parameters. */
export const isKeyReused = (error: unknown): boolean =>
  error instanceof errors.StripeIdempotencyError && error.statusCode === 400;
