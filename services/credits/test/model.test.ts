import { dayOf, days } from '@shortlist/contracts/durations';
import type { Coverage, PlanState } from '@shortlist/contracts/plan';
import { isLongRun, seed } from '@shortlist/kit/testing/sample';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { applyPack, grantCredits, revokeCredits } from '../src/balance/change-bucket.ts';
import { presentCredits } from '../src/balance/present.ts';
import { listEntries, sumUsage } from '../src/ledger/queries.ts';
import { commitReservation, releaseReservation } from '../src/reservations/settle-reservation.ts';
import { applyPlanState } from '../src/balance/apply-plan.ts';
import { resetDue } from '../src/buckets/open-bucket.ts';
import { findCurrentBuckets } from '../src/buckets/queries.ts';
import { createModel, laterBy, type Purpose } from './credit-model.ts';
import { brokenBuckets, type Credits, newUser, openCredits, packOf, period, START } from './support.ts';

let credits: Credits;
beforeAll(async () => {
  credits = await openCredits();
});
afterAll(() => credits.close());

type Command = {
  do:
    | 'charge'
    | 'charges'
    | 'reserve'
    | 'commit'
    | 'release'
    | 'pay'
    | 'grant'
    | 'revoke'
    | 'tick'
    | 'reset'
    | 'buyPack'
    | 'changePack'
    | 'grantCredits'
    | 'revokeCredits';
  amount: number;
  reason: 'email_found' | 'message_composed';
  /** Whether a charge is for one of few contacts. */
  reference: string | undefined;
  clientId: string | null;
};
const ALL: Command['do'][] = [
  'charge',
  'charge',
  'charges',
  'reserve',
  'reserve',
  'commit',
  'release',
  'pay',
  'grant',
  'revoke',
  'tick',
  'tick',
  'reset',
  'buyPack',
  'changePack',
  'grantCredits',
  'grantCredits',
  'revokeCredits',
];
/** What the months of plans depend on. */
const OF_MONTHS: Command['do'][] = [
  'charge',
  'pay',
  'grant',
  'grant',
  'revoke',
  'tick',
  'tick',
  'tick',
  'reset',
];

const commandsOf = (kinds: readonly Command['do'][]): fc.Arbitrary<Command[]> => {
  const command = fc.record({
    do: fc.constantFrom(...kinds),
    amount: fc.integer({ min: 1, max: 25 }),
    reason: fc.constantFrom<Command['reason']>('email_found', 'message_composed'),
    reference: fc.constantFrom(undefined, 'ada', 'grace'),
    clientId: fc.constantFrom(null, uuidv7(), uuidv7()),
  });
  return fc.array(command, { minLength: 5, maxLength: 25, size: 'max' });
};

const purposeOf = ({ reason, reference, clientId }: Command): Purpose & Pick<Command, 'reason'> => ({
  reason,
  clientId,
  ...(reference !== undefined && { reference }),
});

const ADMIN = { role: 'admin', userId: uuidv7() } as const;

/** A period of some days, or of two to six months, the last of which may be cut. */
const periodOf = (key: string, start: Date, amount: number): Coverage => {
  if (amount <= 15) return period(key, start, amount);
  const months = 2 + (amount % 5);
  const end = new Date(laterBy(start.getTime(), months) - days(amount % 4));
  return { key, start: start.toISOString(), end: end.toISOString(), graceUntil: null, months };
};

/** What was taken; null for a refusal. */
const takenBy = (work: Promise<number>): Promise<number | null> => work.catch(() => null);

const inOrder = (rows: { day: string; clientId: string | null; reason: string }[]): unknown[] =>
  rows.toSorted((one, other) =>
    [one.day, one.clientId, one.reason].join() < [other.day, other.clientId, other.reason].join() ? -1 : 1,
  );

const run = async (commands: Command[]): Promise<void> => {
  const { db, clock, time } = credits;
  time.set(START);
  const userId = newUser();
  const model = createModel(START);
  let version = 0;
  const applyPlans = async (): Promise<void> => {
    version += 1;
    const state: PlanState = { version, ...model.plans };
    await db.transaction((tx) => applyPlanState(tx, userId, state, clock));
  };
  const charge = async (command: Command): Promise<void> => {
    const { amount } = command;
    const purpose = purposeOf(command);
    const request = { userId, operationId: uuidv7(), amount, ...purpose };
    const charged = credits.charges.charge(request).then((result) => result.charged);
    expect(await takenBy(charged)).toBe(model.charge(amount, purpose));
  };
  const reservationIds: string[] = [];
  /** Ids of packs with their versions, and of grants. */
  const packs: { packId: string; version: number }[] = [];
  const grants: string[] = [];
  const changePack = (pack: (typeof packs)[number], paidCredits: number): Promise<void> => {
    const state = packOf({ ...pack, credits: 25, paidCredits, paidAt: clock().toISOString() });
    return db.transaction((tx) => applyPack(tx, userId, state, clock));
  };
  const actions: Record<Command['do'], (command: Command) => Promise<void>> = {
    charge,
    charges: async (command) => {
      for (let left = command.amount; left > 0; left -= 1) await charge({ ...command, amount: 1 });
    },
    reserve: async (command) => {
      const { amount } = command;
      const purpose = purposeOf(command);
      const request = { userId, operationId: uuidv7(), amount, holdSeconds: 3_600, ...purpose };
      const held = credits.charges.reserve(request).then((reservation) => {
        reservationIds.push(reservation.id);
        return reservation.amount;
      });
      expect(await takenBy(held)).toBe(model.reserve(amount, purpose));
    },
    // A part of what is reserved, or all of it.
    commit: async ({ amount: chosen }) => {
      const reservationId = reservationIds.shift();
      if (reservationId === undefined) return;
      const amount = Math.min(chosen, model.nextReserved());
      const commit = { userId, reservationId, amount };
      const { charged } = await db.transaction((tx) => commitReservation(tx, commit, clock));
      expect(charged).toBe(model.commit(amount));
    },
    release: async () => {
      const reservationId = reservationIds.shift();
      if (reservationId === undefined) return;
      await db.transaction((tx) => releaseReservation(tx, { userId, reservationId }, clock));
      model.release();
    },
    pay: ({ amount }) => {
      model.cover('paid', periodOf(`in_${uuidv7()}`, clock(), amount));
      return applyPlans();
    },
    grant: ({ amount }) => {
      model.cover('granted', periodOf(`grant:${uuidv7()}`, clock(), amount));
      return applyPlans();
    },
    revoke: () => {
      model.revoke();
      return applyPlans();
    },
    buyPack: async ({ amount }) => {
      const pack = { packId: uuidv7(), version: 1 };
      packs.push(pack);
      model.add('pack', pack.packId, { limit: amount });
      await changePack(pack, amount);
    },
    changePack: async ({ amount }) => {
      const pack = packs[amount % packs.length];
      if (pack === undefined) return;
      const paidCredits = amount % 3 === 0 ? 0 : amount;
      pack.version += 1;
      model.limit(pack.packId, paidCredits);
      await changePack(pack, paidCredits);
      await changePack({ ...pack, version: pack.version - 1 }, 25); // an older state that arrives late
    },
    grantCredits: async ({ amount }) => {
      const grantId = uuidv7();
      const lastDay = dayOf(new Date(clock().getTime() + days(amount)));
      const grant = { userId, grantId, credits: amount, lastDay, reason: 'an apology' };
      grants.push(grantId);
      model.add('grant', grantId, { limit: amount, end: Date.parse(lastDay) + days(1) });
      for (const _ of [1, 2]) await db.transaction((tx) => grantCredits(tx, grant, { caller: ADMIN, clock }));
    },
    revokeCredits: async ({ amount }) => {
      const [grantId] = grants.splice(amount % grants.length, 1);
      if (grantId === undefined) return;
      model.limit(grantId, 0);
      await db.transaction((tx) => revokeCredits(tx, { userId, grantId }, { caller: ADMIN, clock }));
    },
    // Some days, or some weeks.
    tick: ({ amount }) => {
      const waited = days(amount > 15 ? 3 * amount : amount);
      time.advance(waited);
      model.tick(waited);
      return Promise.resolve();
    },
    reset: async () => {
      await resetDue(db, clock, 500);
      model.reset();
    },
  };
  for (const command of commands) {
    await actions[command.do](command);
    const view = await presentCredits(
      db.manager,
      await findCurrentBuckets(db.manager, userId, clock()),
      clock(),
    );
    const { available, premiumUsed, freeUsed } = view;
    const left = view.buckets.map((bucket) => [bucket.kind, bucket.available]);
    const until = view.plan === 'premium' ? view.windowEnd : null;
    const shown = { available, left, premiumUsed, freeUsed, until };
    expect({ after: command, ...shown }).toEqual({ after: command, ...model.view() });
  }
  const usage = await sumUsage(db.manager, { userId, start: START, end: new Date(clock().getTime() + 1) });
  expect(inOrder(usage ?? [])).toEqual(inOrder(model.usage()));
  const ledger = await listEntries(db.manager, userId, 0, 10_000);
  expect(ledger.map(({ added }) => added).filter((added) => added !== 0)).toEqual(model.added());
  const times = ledger.map(({ createdAt }) => createdAt.getTime());
  expect(times).toEqual(times.toSorted((one, other) => one - other));
};

const compare = async (kinds: readonly Command['do'][], numRuns: number): Promise<void> => {
  const property = fc.asyncProperty(commandsOf(kinds), run);
  await fc.assert(property, { seed, numRuns: isLongRun ? 5 * numRuns : numRuns, endOnFailure: true });
  expect(await brokenBuckets(credits.db)).toEqual([]);
};

it(`G7: after any sequence of charges, reservations, commits in whole or in part, releases, payments, grants, packs, revocations, waits and resets, credits shows what the model shows, the usage that it counts, and the changes of packs and grants, seed ${seed}`, () =>
  compare(ALL, 8));

it(`G7: the months of payments and grants that follow and overlap each other are those of the model, seed ${seed}`, () =>
  compare(OF_MONTHS, 60));
