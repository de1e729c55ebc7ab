import type { PackOffer, Price, StripeCheck } from '@shortlist/contracts/api/billing';
import { PACK_LOOKUP_KEY, PRICE_LOOKUP_KEY, YEARLY_LOOKUP_KEY } from '@shortlist/contracts/limits';
import { formatMoney } from '@shortlist/contracts/messages';
import type { Interval } from '@shortlist/contracts/plan';
import { setupText } from '../messages.ts';
import type {
  AccountPack,
  AccountPart,
  AccountPrice,
  AccountSnapshot,
  WebhookEndpoint,
} from '../stripe/set-up-account.ts';

export type ExpectedSetup = {
  price: Price;
  /** The price of a year; null if none is sold. */
  yearly: Price | null;
  /** Null if no packs of credits are sold. */
  pack: PackOffer | null;
  webhookUrl: string;
  eventTypes: readonly string[];
  apiVersion: string;
  isPolled: boolean;
};

type Result = Omit<StripeCheck, 'name'>;

const right = (detail: string): Result => ({ ok: true, detail });
const wrong = (...sentences: string[]): Result => ({ ok: false, detail: sentences.join(' ') });
const unknown = (detail: string): Result => ({ ok: null, detail });

const checkPart = <T>(part: AccountPart<T>, check: (value: T) => Result): Result =>
  'value' in part ? check(part.value) : unknown(setupText('unreadable', { problem: part.problem }));

/** The price of an interval of the plan: how often it is charged, its lookup key, and what is said of it. */
const PLAN_PRICES = {
  month: {
    charged: '1 month',
    lookupKey: PRICE_LOOKUP_KEY,
    missing: 'priceMissing',
    otherInterval: 'priceInterval',
    otherAmount: 'priceAmount',
    right: 'price',
  },
  year: {
    charged: '1 year',
    lookupKey: YEARLY_LOOKUP_KEY,
    missing: 'yearlyMissing',
    otherInterval: 'yearlyInterval',
    otherAmount: 'yearlyAmount',
    right: 'yearlyPrice',
  },
} as const;

const planPriceCheck =
  (of: Interval, expected: Price) =>
  (price: AccountPrice | null): Result => {
    const { charged, lookupKey, missing, otherInterval, otherAmount, right: text } = PLAN_PRICES[of];
    if (price === null) return wrong(setupText(missing, { lookupKey }), setupText('apply'));
    const { id, amount, currency, interval, isMarked } = price;
    if (interval !== charged) return wrong(setupText(otherInterval, { id, interval }));
    if (amount !== expected.amount || currency !== expected.currency)
      return wrong(setupText(otherAmount, { actual: formatMoney(price), expected: formatMoney(expected) }));
    // Without the metadata, subscriptions at this price would no longer be recognized after the next change of price.
    return isMarked
      ? right(setupText(text, { price: formatMoney(price), id }))
      : wrong(setupText('priceUnmarked', { id, lookupKey: PRICE_LOOKUP_KEY }));
  };

const packText = ({ amount, currency, credits }: Pick<AccountPack, 'amount' | 'currency' | 'credits'>) => ({
  price: formatMoney({ amount, currency }),
  credits: credits === null ? setupText('packCreditsUnknown') : String(credits),
});

const checkPack = (pack: AccountPack | null, expected: PackOffer): Result => {
  if (pack === null)
    return wrong(setupText('packMissing', { lookupKey: PACK_LOOKUP_KEY }), setupText('apply'));
  const { id, interval, amount, currency, credits } = pack;
  if (interval !== 'once') return wrong(setupText('packInterval', { id, interval }));
  if (amount !== expected.amount || currency !== expected.currency || credits !== expected.credits) {
    const { price, credits: wanted } = packText(expected);
    const { price: actual, credits: stated } = packText(pack);
    return wrong(setupText('packDiffers', { id, actual, stated, price, wanted }));
  }
  return right(setupText('pack', { ...packText(pack), id }));
};

const checkPortal = (hasPortal: boolean): Result =>
  hasPortal ? right(setupText('portal')) : wrong(setupText('portalMissing'), setupText('apply'));

// Without it, a customer whose record was lost is only found by email, until that changes.
const checkSearch = (hasSearch: boolean): Result => right(setupText(hasSearch ? 'search' : 'searchRefused'));

const NO_YEAR = right(setupText('yearlyNotSold'));
const NO_PACK = right(setupText('packNotSold'));
const packCheck =
  (expected: PackOffer) =>
  (pack: AccountPack | null): Result =>
    checkPack(pack, expected);

const POLLED = right(setupText('polled'));
const NO_ENDPOINT = unknown(setupText('noEndpoint'));

/** Returns our enabled endpoint. */
export const endpointOf = (
  endpoints: WebhookEndpoint[],
  { webhookUrl }: ExpectedSetup,
): WebhookEndpoint | null => endpoints.find(({ url, isEnabled }) => isEnabled && url === webhookUrl) ?? null;

const checkWebhook = (endpoint: WebhookEndpoint | null, { webhookUrl }: ExpectedSetup): Result =>
  endpoint
    ? right(setupText('endpoint', { url: webhookUrl }))
    : wrong(setupText('endpointMissing', { url: webhookUrl }), setupText('apply'));

/** Returns the event types that the endpoint lacks. */
export const missingTypes = ({ eventTypes }: WebhookEndpoint, expected: readonly string[]): string[] =>
  eventTypes.includes('*') ? [] : expected.filter((type) => !eventTypes.includes(type));

const checkEvents = (endpoint: WebhookEndpoint | null, expected: ExpectedSetup): Result => {
  if (endpoint === null) return NO_ENDPOINT;
  const missing = missingTypes(endpoint, expected.eventTypes);
  return missing.length === 0
    ? right(setupText('events', { count: expected.eventTypes.length }))
    : wrong(setupText('eventsMissing', { types: missing.join(', ') }));
};

const checkVersion = (endpoint: WebhookEndpoint | null, { apiVersion }: ExpectedSetup): Result => {
  if (endpoint === null) return NO_ENDPOINT;
  if (endpoint.apiVersion === apiVersion) return right(setupText('version', { version: apiVersion }));
  const actual = endpoint.apiVersion ?? setupText('defaultVersion');
  return wrong(setupText('versionOutdated', { actual, expected: apiVersion }));
};

/** Returns one result for each part of the set-up. */
export const checkSetup = (account: AccountSnapshot, expected: ExpectedSetup): StripeCheck[] => {
  const ofWebhook = (check: (endpoint: WebhookEndpoint | null, expected: ExpectedSetup) => Result): Result =>
    expected.isPolled
      ? POLLED
      : checkPart(account.webhooks, (endpoints) => check(endpointOf(endpoints, expected), expected));
  return [
    { name: 'price', ...checkPart(account.price, planPriceCheck('month', expected.price)) },
    {
      name: 'yearly_price',
      ...(expected.yearly === null
        ? NO_YEAR
        : checkPart(account.yearly, planPriceCheck('year', expected.yearly))),
    },
    {
      name: 'pack_price',
      ...(expected.pack === null ? NO_PACK : checkPart(account.pack, packCheck(expected.pack))),
    },
    { name: 'portal', ...checkPart(account.hasPortal, checkPortal) },
    { name: 'customer_search', ...checkPart(account.hasSearch, checkSearch) },
    { name: 'webhook', ...ofWebhook(checkWebhook) },
    { name: 'webhook_events', ...ofWebhook(checkEvents) },
    { name: 'api_version', ...ofWebhook(checkVersion) },
  ];
};
