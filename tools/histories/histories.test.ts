import { randomFrom } from '@shortlist/kit/testing/random';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Billing, openBilling } from '../../services/billing/test/support.ts';
import { createHistories } from './run-histories.ts';

const SEED = 20_261_122;
const USERS = 20;
const DAYS = 120;
/** Months of clock for many users: longer than other tests, and an end only for what hangs. */
const HANGS_MS = 900_000;

const KINDS = [
  'buy',
  'cancel at once',
  'cancel at the end of the period',
  'close a dispute as lost',
  'close a dispute as won',
  'delete while a checkout is open',
  'dispute a payment',
  'fail a refund',
  'grant',
  'make an invoice uncollectible',
  'make an invoice void',
  'refund a part',
  'refund the rest',
  'revoke',
  'settle a debit as failed',
  'settle a debit as succeeded',
  'the card expires',
  'the card is replaced',
];

/** The kinds of actions in the histories of this run. */
const happened = new Set<string>();

describe.each([
  ['Stripe retries for a week and settles at once', { retryDays: [3, 5, 7], captureDelaySeconds: 0 }],
  [
    'Stripe retries for three weeks and settles a day later',
    { retryDays: [3, 7, 14, 21], captureDelaySeconds: 86_400 },
  ],
])('random histories while %s', (_name, settings) => {
  let billing: Billing;
  beforeAll(async () => {
    billing = await openBilling();
  });
  afterAll(() => billing.close());

  it(
    'F4 plan, books and events agree with an independent model on each of 120 days',
    { timeout: HANGS_MS },
    async () => {
      const [random, deliveryRandom] = [randomFrom(SEED), randomFrom(SEED + 1)];
      const histories = await createHistories({ billing, random, deliveryRandom, users: USERS, settings });
      for (let day = 0; day < DAYS; day += 1) {
        await histories.act();
        await histories.passDay();
        expect(await histories.differences()).toEqual([]);
      }
      for (const kind of histories.kinds()) happened.add(kind);
    },
  );
});

it('the random histories contain every kind of action', () => {
  expect([...happened].toSorted()).toEqual(KINDS);
});
