import { days } from '@shortlist/contracts/durations';
import type { Coverage, PlanState } from '@shortlist/contracts/plan';
import { isLongRun, seed } from '@shortlist/kit/testing/sample';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chargeCredit, reserveCredit } from '../src/charges/charge-credit.ts';
import { presentCredits } from '../src/charges/present.ts';
import { commitReservation, releaseReservation } from '../src/reservations/settle-reservation.ts';
import { applyPlanState } from '../src/windows/credit-window.ts';
import { resetDue } from '../src/windows/reset-due.ts';
import { brokenWindows, type Credits, newUser, openCredits, period, START } from './support.ts';

let credits: Credits;
beforeAll(async () => {
  credits = await openCredits();
});
afterAll(() => credits.close());

type Command = {
  do: 'charge' | 'reserve' | 'commit' | 'release' | 'pay' | 'grant' | 'revoke' | 'tick' | 'reset';
  amount: number;
};
const command: fc.Arbitrary<Command> = fc.record({
  do: fc.constantFrom<Command['do']>(
    'charge',
    'charge',
    'charge',
    'reserve',
    'commit',
    'release',
    'pay',
    'grant',
    'revoke',
    'tick',
    'tick',
    'reset',
  ),
  amount: fc.integer({ min: 1, max: 25 }),
});

type Window = { key: string; used: number; limit: number; end: number };

/** A model of the rules: the windows of a user, and the one that the next charge counts in. */
const createModel = () => {
  let now = START.getTime();
  const plans: { paid: Coverage | null; granted: Coverage | null } = { paid: null, granted: null };
  const premium: Window[] = [];
  let free: Window | null = null;
  const ends = (coverage: Coverage | null): number => (coverage ? Date.parse(coverage.end) : 0);
  const nextFree = (): Window => {
    const start = free ? free.end + days(Math.max(0, Math.floor((now - free.end) / days(30))) * 30) : now;
    return { key: 'free', used: 0, limit: 20, end: start + days(30) };
  };
  const current = (): Window => {
    const coverage = [plans.paid, plans.granted].find((candidate) => ends(candidate) > now);
    if (coverage) return premium.find(({ key }) => key === coverage.key) ?? nextFree();
    return free && free.end > now ? free : nextFree();
  };
  const take = (): Window | null => {
    const window = current();
    if (window.used === window.limit) return null;
    window.used += 1;
    if (window.key === 'free') free = window;
    return window;
  };
  const charge = (): boolean => take() !== null;
  /** The window of each unsettled reservation, oldest first. */
  const reserved: Window[] = [];
  const reserve = (): boolean => {
    const window = take();
    if (window) reserved.push(window);
    return window !== null;
  };
  const release = (): void => {
    const window = reserved.shift();
    if (window) window.used -= 1;
  };
  const cover = (which: 'paid' | 'granted', coverage: Coverage): void => {
    plans[which] = coverage;
    premium.push({ key: coverage.key, used: 0, limit: 500, end: ends(coverage) });
  };
  const cut = (coverage: Coverage | null): Coverage | null =>
    ends(coverage) > now && coverage ? { ...coverage, end: new Date(now).toISOString() } : coverage;
  return {
    plans,
    charge,
    reserve,
    commit: () => void reserved.shift(),
    release,
    cover,
    revoke: () => Object.assign(plans, { paid: cut(plans.paid), granted: cut(plans.granted) }),
    tick: (ms: number) => void (now += ms),
    reset: () => void (free && free.end <= now && (free = nextFree())),
    view: () => ({
      available: current().limit - current().used,
      premiumUsed: premium.at(-1)?.used ?? 0,
      freeUsed: free && free.end > now ? free.used : 0,
    }),
  };
};

const run = async (commands: Command[]): Promise<void> => {
  const { db, clock, time } = credits;
  time.set(START);
  const userId = newUser();
  const model = createModel();
  let version = 0;
  const applyPlans = async (): Promise<void> => {
    version += 1;
    const state: PlanState = { version, ...model.plans };
    await db.transaction((tx) => applyPlanState(tx, userId, { state, clock }));
  };
  const newRequest = () => ({ userId, reason: 'email_found', operationId: uuidv7() }) as const;
  const succeeds = (work: Promise<unknown>): Promise<boolean> =>
    work.then(
      () => true,
      () => false,
    );
  const charge = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= 1)
      expect(await succeeds(chargeCredit(credits, newRequest()))).toBe(model.charge());
  };
  const reservationIds: string[] = [];
  const reserve = async (): Promise<void> => {
    const request = { ...newRequest(), holdSeconds: 3_600 };
    const reservation = reserveCredit(credits, request).then(({ id }) => reservationIds.push(id));
    expect(await succeeds(reservation)).toBe(model.reserve());
  };
  const settle = async (action: typeof commitReservation): Promise<void> => {
    const reservationId = reservationIds.shift();
    if (reservationId) await db.transaction((tx) => action(tx, { userId, reservationId }, clock));
  };
  const actions: Record<Command['do'], (amount: number) => Promise<void>> = {
    charge,
    reserve,
    commit: async () => {
      await settle(commitReservation);
      model.commit();
    },
    release: async () => {
      await settle(releaseReservation);
      model.release();
    },
    pay: (days) => {
      model.cover('paid', period(`in_${uuidv7()}`, clock(), days));
      return applyPlans();
    },
    grant: (days) => {
      model.cover('granted', period(`grant:${uuidv7()}`, clock(), days));
      return applyPlans();
    },
    revoke: () => {
      model.revoke();
      return applyPlans();
    },
    tick: (count) => {
      time.advance(days(count));
      model.tick(days(count));
      return Promise.resolve();
    },
    reset: async () => {
      await resetDue(db, { clock, limit: 500 });
      model.reset();
    },
  };
  for (const { do: name, amount } of commands) {
    await actions[name](amount);
    const { available, premiumUsed, freeUsed } = await presentCredits(db.manager, userId, clock());
    expect({ after: name, available, premiumUsed, freeUsed }).toEqual({ after: name, ...model.view() });
  }
};

it(`G7: after any sequence of charges, reservations, commits, releases, payments, grants, revocations, waits and resets, credits shows what the model shows, seed ${seed}`, async () => {
  const commands = fc.array(command, { minLength: 5, maxLength: 25, size: 'max' });
  await fc.assert(fc.asyncProperty(commands, run), { seed, numRuns: isLongRun ? 40 : 8, endOnFailure: true });
  expect(await brokenWindows(credits.db)).toEqual([]);
});
