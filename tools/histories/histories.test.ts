import { days, inSeconds, minutes } from '@shortlist/contracts/durations';
import { isLongRun, randomFrom, seed } from '@shortlist/kit/testing/sample';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
// billing runs in this process, since a history moves its clock and the provider's together.
import { type Billing, openBilling } from '../../services/billing/test/support.ts';
import { verifyBooks } from './verify-books.ts';
import { createHistories } from './run-histories.ts';
import { TERM_KINDS } from './term-actions.ts';

/** Months of clock for many users take minutes: an end for what hangs. */
const timeout = isLongRun ? minutes(30) : minutes(2);

const KINDS =
  'buy; buy a pack; buy a year; buy with a code; cancel at once; cancel at the end of the period; change to a year; change to months; close a dispute as lost; close a dispute as won; close a dispute of a pack; delete while a checkout is open; dispute a payment; dispute a payment of a pack; fail a refund; fail a refund of a pack; grant; keep the year; lose the records; make an invoice uncollectible; make an invoice void; refund a part; refund a part of a pack; refund the rest; refund the rest of a pack; revoke; settle a debit as failed; settle a debit as succeeded; the card expires; the card is replaced'.split(
    '; ',
  );

/** Days in which nobody does anything, far less than a month. */
const PAUSE = 6;
const YEAR_ENDS = ['a year was renewed', 'months followed a year', 'the renewal of a year failed'];

let billing: Billing;
beforeEach(async () => {
  billing = await openBilling({ checkout: { promotionCodes: true } });
});
afterEach(() => billing.close());

type Setup = Parameters<typeof createHistories>[0];

type Drawn = Omit<Setup, 'billing' | 'random' | 'deliveryRandom'> & { from: number };

const draw = ({ from, ...setup }: Drawn) => {
  const [random, deliveryRandom] = [randomFrom(from), randomFrom(from + 1)];
  return createHistories({ ...setup, billing, random, deliveryRandom });
};
type Histories = Awaited<ReturnType<typeof draw>>;

const liveThrough = async (histories: Histories, days: number): Promise<void> => {
  for (let day = 0; day < days; day += 1) {
    await histories.act();
    await histories.passDays();
    expect(await histories.differences()).toEqual([]);
  }
};

/** Compares billing with the model after each day. Returns the kinds of actions that happened. */
const compareDaily = async (days: number, drawn: Drawn): Promise<string[]> => {
  const histories = await draw(drawn);
  await liveThrough(histories, days);
  expect(await verifyBooks(billing), 'what `verify` finds').toEqual([]);
  return histories.kinds();
};

const WEEK = { retryDays: [3, 5, 7], captureDelaySeconds: 0 };

describe('F4 plan, books and events agree with an independent model on each day', () => {
  it.each([
    ['Stripe retries for a week and settles at once', WEEK],
    [
      'Stripe retries for three weeks and settles a day later',
      { retryDays: [3, 7, 14, 21], captureDelaySeconds: inSeconds(days(1)) },
    ],
  ])(`of random histories while %s, seed ${seed}`, { timeout }, async (_, settings) => {
    const share = isLongRun ? 0.12 : 0.3;
    const [users, days] = isLongRun ? [20, 120] : [3, 36];
    await compareDaily(days, { from: seed, users, share, settings });
  });

  it('of a history that contains every kind of action', async () => {
    // Found by trying: not every history of this length has a dispute that is won and one that is lost, for example.
    const kinds = await compareDaily(46, {
      from: 608,
      users: 16,
      share: 0.3,
      isVaried: true,
      settings: WEEK,
    });
    expect(kinds).toEqual(KINDS);
  });

  it('of histories in which an operator changes what is sold, when it ends and whether it is collected', async () => {
    // A user of a long run is a bystander of most others' changes, so that all kinds happen.
    const [users, length] = isLongRun ? [20, 120] : [8, 46];
    const setup = { users, share: 0.25, settings: WEEK, changesTerms: true, isVaried: !isLongRun };
    const kinds = await compareDaily(length, { from: isLongRun ? seed : 602, ...setup });
    for (const kind of TERM_KINDS) expect(kinds).toContain(kind);
  });

  it('of histories that begin with trials, of which some are canceled, declined, or second ones', async () => {
    const [users, length] = isLongRun ? [20, 120] : [8, 46];
    const setup = { users, share: 0.3, settings: WEEK, trialDays: 9 };
    const kinds = await compareDaily(length, { from: isLongRun ? seed : 600, ...setup });
    expect(kinds).toEqual(expect.arrayContaining(['begin a trial', 'cancel at the end of the period']));
    const refused = await billing.db.query<unknown[]>(
      "SELECT 1 FROM subscriptions WHERE cancel_reason = 'shortlist:trial'",
    );
    expect(refused).not.toEqual([]);
  });

  it('of histories that go on after the end of a paid year', { timeout }, async () => {
    // A user of a short history does little, so that some years last to their end.
    const drawn = { users: isLongRun ? 20 : 8, share: 0.12, settings: WEEK, sellsYears: true };
    const histories = await draw({ from: isLongRun ? seed : 611, ...drawn });
    await liveThrough(histories, 12);
    for (let passed = 12; passed < 360; passed += PAUSE) {
      await histories.passDays(PAUSE);
      expect(await histories.differences()).toEqual([]);
    }
    await liveThrough(histories, 30);
    expect(await verifyBooks(billing), 'what `verify` finds').toEqual([]);
    const ends = histories.yearEnds();
    if (!isLongRun) expect(ends).toEqual(YEAR_ENDS);
  });

  it('of a history in which a user pays what a subscription owed when it ended', async () => {
    // Found by trying: a renewal fails, and nothing else happens to the subscription until it has ended.
    const setup = { users: 8, share: 0.04, settings: WEEK, keepsUnpaid: true };
    expect(await compareDaily(64, { from: 23, ...setup })).toContain('pay late');
  });
});
