/**
 * What is right and wrong with an account at Stripe. The plan needs a monthly price at the configured amount, a configuration of
 * the billing portal, and a webhook endpoint with our address, our event types and the API version that this code reads. When
 * events are polled, no endpoint is needed. A part that could not be read is unknown, never wrong.
 */
import type { Price, StripeCheck } from '@shortlist/contracts/api/public';
import { PRICE_LOOKUP_KEY } from '@shortlist/contracts/limits';
import type { AccountPart, AccountPrice, AccountSnapshot, WebhookEndpoint } from '../stripe/account.ts';

export type ExpectedSetup = {
  price: Price;
  webhookUrl: string;
  eventTypes: readonly string[];
  apiVersion: string;
  isPolled: boolean;
};

type Result = Omit<StripeCheck, 'name'>;

const right = (detail: string): Result => ({ ok: true, detail });
const wrong = (detail: string): Result => ({ ok: false, detail });
const unknown = (detail: string): Result => ({ ok: null, detail });

const APPLY_HINT = 'run `make stripe-check apply=yes` to create it in test mode';

const checkPart = <T>(part: AccountPart<T>, check: (value: T) => Result): Result =>
  'value' in part ? check(part.value) : unknown(`Stripe could not be read: ${part.problem}`);

const priceText = ({ amount, currency }: Price): string => {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
};

// Subscriptions at a price without the metadata would no longer be recognized after the next change of price.
const checkMark = ({ id, isMarked, ...price }: AccountPrice): Result =>
  isMarked
    ? right(`${priceText(price)} a month (${id}).`)
    : wrong(
        `The price ${id} lacks the metadata plan = ${PRICE_LOOKUP_KEY}; add it, or its subscriptions lose the plan when the lookup key moves.`,
      );

const checkPrice = (price: AccountPrice | null, expected: Price): Result => {
  if (price === null)
    return wrong(`There is no active price with the lookup key ${PRICE_LOOKUP_KEY}; ${APPLY_HINT}.`);
  const { id, amount, currency, interval } = price;
  if (interval !== '1 month')
    return wrong(`The price ${id} is charged every ${interval}; move its lookup key to a monthly price.`);
  if (amount !== expected.amount || currency !== expected.currency)
    return wrong(
      `Stripe charges ${priceText(price)}, but PRICE_MINOR and CURRENCY say ${priceText(expected)}. No checkout opens until both agree.`,
    );
  return checkMark(price);
};

const checkPortal = (hasPortal: boolean): Result =>
  hasPortal
    ? right('Configured.')
    : wrong(
        `The billing portal has no configuration; save its settings in Stripe's dashboard, or ${APPLY_HINT}.`,
      );

const POLLED = right(
  'No webhook is needed: events are read from Stripe every few seconds (STRIPE_EVENTS=poll).',
);
const NO_ENDPOINT = unknown('There is no enabled endpoint to check.');

/** Returns our enabled endpoint. */
export const endpointOf = (
  endpoints: WebhookEndpoint[],
  { webhookUrl }: ExpectedSetup,
): WebhookEndpoint | null => endpoints.find(({ url, isEnabled }) => isEnabled && url === webhookUrl) ?? null;

const checkWebhook = (endpoint: WebhookEndpoint | null, { webhookUrl }: ExpectedSetup): Result =>
  endpoint
    ? right(`${webhookUrl} is enabled.`)
    : wrong(`No enabled webhook endpoint has the address ${webhookUrl}; ${APPLY_HINT}.`);

/** Returns the event types that the endpoint lacks. */
export const missingTypes = ({ eventTypes }: WebhookEndpoint, expected: readonly string[]): string[] =>
  eventTypes.includes('*') ? [] : expected.filter((type) => !eventTypes.includes(type));

const checkEvents = (endpoint: WebhookEndpoint | null, expected: ExpectedSetup): Result => {
  if (endpoint === null) return NO_ENDPOINT;
  const missing = missingTypes(endpoint, expected.eventTypes);
  return missing.length === 0
    ? right(`All ${expected.eventTypes.length} event types are enabled.`)
    : wrong(`The endpoint lacks these event types: ${missing.join(', ')}.`);
};

const checkVersion = (endpoint: WebhookEndpoint | null, { apiVersion }: ExpectedSetup): Result => {
  if (endpoint === null) return NO_ENDPOINT;
  if (endpoint.apiVersion === apiVersion) return right(`${apiVersion}.`);
  const version = endpoint.apiVersion ?? "the account's default version";
  return wrong(
    `The endpoint sends ${version}, but this code reads ${apiVersion}. Delete the endpoint and create it again with that version.`,
  );
};

/** Returns one result for each part of the set-up. */
export const checkSetup = (account: AccountSnapshot, expected: ExpectedSetup): StripeCheck[] => {
  const ofWebhook = (check: (endpoint: WebhookEndpoint | null, expected: ExpectedSetup) => Result): Result =>
    expected.isPolled
      ? POLLED
      : checkPart(account.webhooks, (endpoints) => check(endpointOf(endpoints, expected), expected));
  return [
    { name: 'price', ...checkPart(account.price, (price) => checkPrice(price, expected.price)) },
    { name: 'portal', ...checkPart(account.hasPortal, checkPortal) },
    { name: 'webhook', ...ofWebhook(checkWebhook) },
    { name: 'webhook_events', ...ofWebhook(checkEvents) },
    { name: 'api_version', ...ofWebhook(checkVersion) },
  ];
};
