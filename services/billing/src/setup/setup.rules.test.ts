import type { StripeCheck } from '@shortlist/contracts/api/billing';
import { describe, expect, it } from 'vitest';
import type { AccountSnapshot } from '../stripe/set-up-account.ts';
import { checkSetup, type ExpectedSetup } from './setup.rules.ts';

const EXPECTED: ExpectedSetup = {
  price: { amount: 5_900, currency: 'usd' },
  yearly: { amount: 59_000, currency: 'usd' },
  pack: { credits: 250, amount: 1_900, currency: 'usd' },
  webhookUrl: 'https://shortlist.test/api/webhooks/stripe',
  eventTypes: ['invoice.paid', 'charge.refunded'],
  apiVersion: '2026-10-28.endive',
  isPolled: false,
};
const PRICE = { id: 'price_1', amount: 5_900, currency: 'usd', interval: '1 month', isMarked: true };
const YEAR = { id: 'price_3', amount: 59_000, currency: 'usd', interval: '1 year', isMarked: true };
const PACK = { id: 'price_2', amount: 1_900, currency: 'usd', interval: 'once', credits: 250 };
const ENDPOINT = {
  id: 'we_1',
  url: EXPECTED.webhookUrl,
  isEnabled: true,
  eventTypes: ['charge.refunded', 'customer.created', 'invoice.paid'],
  apiVersion: EXPECTED.apiVersion,
};
const RIGHT: AccountSnapshot = {
  price: { value: PRICE },
  yearly: { value: YEAR },
  pack: { value: PACK },
  hasPortal: { value: true },
  hasSearch: { value: true },
  webhooks: { value: [ENDPOINT] },
};

const check = (change: Partial<AccountSnapshot>, expected = EXPECTED): StripeCheck[] =>
  checkSetup({ ...RIGHT, ...change }, expected);
const wrong = (checks: StripeCheck[]) =>
  checks.filter(({ ok }) => ok !== true).map(({ name, ok }) => [name, ok]);
const endpoint = (change: Partial<typeof ENDPOINT> | { apiVersion: null }) => ({
  webhooks: { value: [{ ...ENDPOINT, ...change }] },
});

describe('the set-up of an account', () => {
  it('is right when every part is as configured', () => {
    expect(check({}).every(({ ok }) => ok === true)).toBe(true);
    expect(check({}).map(({ name }) => name)).toEqual([
      'price',
      'yearly_price',
      'pack_price',
      'portal',
      'customer_search',
      'webhook',
      'webhook_events',
      'api_version',
    ]);
  });

  it.each<[string, AccountSnapshot['price'], string]>([
    ['no price', { value: null }, 'no active price'],
    [
      'another amount',
      { value: { ...PRICE, amount: 7_900 } },
      '$79.00, but PRICE_MINOR and CURRENCY say $59.00',
    ],
    ['another currency', { value: { ...PRICE, currency: 'eur' } }, '€59.00, but'],
    ['a price without metadata', { value: { ...PRICE, isMarked: false } }, 'lacks the metadata plan = '],
    ['another interval', { value: { ...PRICE, interval: '1 year' } }, 'charged every 1 year'],
  ])('is wrong with %s', (_, price, text) => {
    const checks = check({ price });
    expect(wrong(checks)).toEqual([['price', false]]);
    expect(checks[0]?.detail).toContain(text);
  });

  it.each<[string, AccountSnapshot['pack'], string]>([
    ['none', { value: null }, 'no packs of credits are sold'],
    ['another amount', { value: { ...PACK, amount: 2_900 } }, 'is $29.00 for 250 credits'],
    ['another currency', { value: { ...PACK, currency: 'eur' } }, 'is €19.00 for 250 credits'],
    ['another number of credits', { value: { ...PACK, credits: 25 } }, 'say $19.00 for 250'],
    ['no number of credits', { value: { ...PACK, credits: null } }, 'for an unknown number of credits'],
    ['an interval', { value: { ...PACK, interval: '1 month' } }, 'charged every 1 month'],
  ])('is wrong with a price of the pack that has %s', (_, pack, text) => {
    const checks = check({ pack });
    expect(wrong(checks)).toEqual([['pack_price', false]]);
    expect(checks[2]?.detail).toContain(text);
  });

  it.each<[string, AccountSnapshot['yearly'], string]>([
    ['none', { value: null }, 'no year of the plan is sold'],
    ['another amount', { value: { ...YEAR, amount: 69_000 } }, 'Stripe charges $690.00 a year'],
    ['another currency', { value: { ...YEAR, currency: 'eur' } }, 'Stripe charges €590.00 a year'],
    ['another interval', { value: { ...YEAR, interval: '1 month' } }, 'charged every 1 month'],
    ['no metadata', { value: { ...YEAR, isMarked: false } }, 'lacks the metadata plan = '],
  ])('is wrong with a price of the year that has %s', (_, yearly, text) => {
    const checks = check({ yearly });
    expect(wrong(checks)).toEqual([['yearly_price', false]]);
    expect(checks[1]?.detail).toContain(text);
  });

  it('needs no price of a year if none is sold', () => {
    expect(wrong(check({ yearly: { value: null } }, { ...EXPECTED, yearly: null }))).toEqual([]);
  });

  it('needs no price of a pack if none is sold', () => {
    expect(wrong(check({ pack: { value: null } }, { ...EXPECTED, pack: null }))).toEqual([]);
  });

  it('is wrong without a portal configuration', () => {
    expect(wrong(check({ hasPortal: { value: false } }))).toEqual([['portal', false]]);
  });

  it.each([
    ['no endpoint', { webhooks: { value: [] } }],
    ['an endpoint with another address', endpoint({ url: 'https://elsewhere.test/' })],
    ['a disabled endpoint', endpoint({ isEnabled: false })],
  ])('is wrong with %s, whose events and version are unknown then', (_, change) => {
    expect(wrong(check(change))).toEqual([
      ['webhook', false],
      ['webhook_events', null],
      ['api_version', null],
    ]);
  });

  it('names the event types that an endpoint lacks', () => {
    const checks = check(endpoint({ eventTypes: ['invoice.paid'] }));
    expect(wrong(checks)).toEqual([['webhook_events', false]]);
    expect(checks[6]?.detail).toBe('The endpoint lacks these event types: charge.refunded.');
    expect(wrong(check(endpoint({ eventTypes: ['*'] })))).toEqual([]);
  });

  it.each(['2025-03-31.basil', null])('is wrong with an endpoint of API version %s', (apiVersion) => {
    expect(wrong(check({ webhooks: { value: [{ ...ENDPOINT, apiVersion }] } }))).toEqual([
      ['api_version', false],
    ]);
  });

  it('needs no endpoint while events are polled', () => {
    expect(wrong(check({ webhooks: { value: [] } }, { ...EXPECTED, isPolled: true }))).toEqual([]);
  });

  it('is unknown if Stripe could not be read', () => {
    const problem = { problem: 'The key may not read this.' };
    const checks = check({ price: problem, webhooks: problem });
    expect(wrong(checks)).toEqual([
      ['price', null],
      ['webhook', null],
      ['webhook_events', null],
      ['api_version', null],
    ]);
    expect(checks[0]?.detail).toBe('Stripe could not be read: The key may not read this.');
  });
});
