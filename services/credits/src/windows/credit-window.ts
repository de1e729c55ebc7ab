// The windows in which credits count: the one in force, how it opens with the first charge or with a plan, and how it ends.
import type { CreditsAmounts } from '@shortlist/contracts/api/credits';
import {
  creditReleased,
  creditsExhausted,
  creditsLow,
  creditsReset,
  creditsSpent,
  type CreditWindowData,
} from '@shortlist/contracts/events/credits';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import { type Coverage, planAt, type PlanState } from '@shortlist/contracts/plan';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { createError } from '@shortlist/kit/process/errors';
import { LRUCache } from 'lru-cache';
import {
  deleteCycles,
  findWantsMails,
  insertWarningIfAbsent,
  insertWindows,
  listFreeEnds,
  lockDueCycles,
  updateDueAt,
  upsertCycles,
} from './due-queries.ts';
import {
  deleteAccount,
  endOtherPremiumWindows,
  findNewestWindow,
  type Holdings,
  insertWindowIfAbsent,
  isDeleted,
  listOpenWindows,
  lockAccount,
  lockFreeCycle,
  takeCredits,
  updateOlderPlanState,
  updateWindowEnd,
  type WindowRow,
} from './queries.ts';
import {
  coverageInForce,
  freeWindow,
  type NewWindow,
  nextFreeWindow,
  premiumWindow,
  thresholdReached,
  windowInForce,
} from './window.rules.ts';

/**
 * A window with the end that users see, and the versions by which it was selected. `inBuckets`: what the user has beside it, none in a
 * window of the cache.
 */
export type OpenWindow = WindowRow & {
  periodEnd: Date;
  planVersion: number;
  bucketVersion: number;
  inBuckets: number;
};
/** An open window, or the window that the next charge opens. */
export type CurrentWindow = { open: OpenWindow; next: null } | { open: null; next: NewWindow };
type HoldingsAt = { holdings: Holdings; now: Date };

/** Adds the plan's view at `now`: the period of a premium window ends with its coverage, or with the grace after it. */
export const openAt = (window: WindowRow, { holdings, now }: HoldingsAt): OpenWindow => {
  const { state, bucketVersion, inBuckets } = holdings;
  const end = window.plan === 'premium' ? planAt(state, now).endsAt : null;
  const periodEnd = end === null ? window.endsAt : new Date(end);
  return { ...window, planVersion: state.version, bucketVersion, inBuckets, periodEnd };
};

const findNextFreeWindow = async (tx: Tx, userId: string, now: Date): Promise<NewWindow> => {
  const last = await findNewestWindow(tx, userId, 'free');
  return last === null ? freeWindow(now) : nextFreeWindow(last.endsAt, now);
};

/** The window in force at `now`, and what it is selected by. One read when the window is open. */
export const findCurrentWindow = async (
  tx: Tx,
  userId: string,
  now: Date,
): Promise<CurrentWindow & { holdings: Holdings }> => {
  const { holdings, windows } = await listOpenWindows(tx, userId, now);
  const coverage = coverageInForce(holdings.state, now);
  const open = windowInForce(windows, coverage);
  if (open !== null) return { open: openAt(open, { holdings, now }), next: null, holdings };
  const next = coverage ? premiumWindow(coverage) : await findNextFreeWindow(tx, userId, now);
  return { open: null, next, holdings };
};

/** What the window in force and the buckets beside it have. A window that is not open yet has its whole limit. */
export const amountsIn = ({
  open,
  next,
  holdings: { inBuckets },
}: Awaited<ReturnType<typeof findCurrentWindow>>): CreditsAmounts => {
  const { limit, used } = open === null ? { limit: next.limit, used: 0 } : open;
  return { used, available: limit - used + inBuckets, limit };
};

// Remembers the window of each user's last charge, so that the next charge does not read it. An entry may be stale: the UPDATE that
// takes the credit tests the versions of the plan and of the buckets and the window's end, and a charge that it refuses reads the window
// again. A window is not remembered while the user has credits beside it.

type CachedWindow = { holdings: Holdings; window: WindowRow };
export type WindowCache = LRUCache<string, CachedWindow>;

export const createWindowCache = (): WindowCache => new LRUCache({ max: 10_000 });

type WindowState = Pick<WindowRow, 'plan' | 'limit' | 'startsAt'> & { periodEnd: Date };
type ChangedWindow = WindowState & Pick<WindowRow, 'id' | 'userId'>;
type Use = { window: ChangedWindow; used: number; clock: Clock };

const dataOf = ({ plan, limit, startsAt, periodEnd }: WindowState, used: number): CreditWindowData => ({
  plan,
  limit,
  used,
  windowStart: startsAt.toISOString(),
  windowEnd: periodEnd.toISOString(),
});

const emitReset = async (
  tx: Tx,
  userId: string,
  { window, clock }: { window: NewWindow; clock: Clock },
): Promise<void> => {
  await emit(tx, creditsReset, { subject: userId, data: dataOf(window, 0), clock });
};

/** `left`: what the user has after it in all buckets. */
type Charge = { used: number; left: number; amount: number; clock: Clock };

const WARNINGS = { 80: creditsLow, 100: creditsExhausted } as const;

/** Emits CreditsLow or CreditsExhausted, each once for a window. Only a charge that reaches a threshold sends a statement. */
const emitWarning = async (tx: Tx, window: OpenWindow, charge: Charge): Promise<void> => {
  const { id: windowId, userId, limit } = window;
  const { used, left, amount, clock } = charge;
  const threshold = thresholdReached({ limit, left, amount });
  if (threshold === null || !(await insertWarningIfAbsent(tx, { windowId, userId, threshold }))) return;
  const data = { ...dataOf(window, used), available: left, mail: await findWantsMails(tx, userId) };
  await emit(tx, WARNINGS[threshold], { subject: userId, data, clock });
};

/** Emits CreditsSpent, and a warning when few or none are left for the first time. */
export const emitCharged = async (tx: Tx, window: OpenWindow, charge: Charge): Promise<void> => {
  const { used, clock } = charge;
  await emit(tx, creditsSpent, { subject: window.userId, data: dataOf(window, used), clock });
  await emitWarning(tx, window, charge);
};

/**
 * Takes credits from the window of a user who has no others, all or none. Returns the window's use after it, or null when it has too few
 * left, is not in force, or is not all that the user has.
 */
export const chargeWindow = async (
  tx: Tx,
  window: OpenWindow,
  { amount, clock }: { amount: number; clock: Clock },
): Promise<number | null> => {
  const { id: windowId, planVersion, bucketVersion, limit } = window;
  const used = await takeCredits(tx, { windowId, planVersion, bucketVersion, amount }, clock());
  if (used === null) return null;
  await emitCharged(tx, window, { used, left: limit - used, amount, clock });
  return used;
};

export const emitReleased = async (tx: Tx, { window, used, clock }: Use): Promise<void> => {
  await emit(tx, creditReleased, { subject: window.userId, data: dataOf(window, used), clock });
};

/** Opens a window and emits CreditsReset. Returns false, with nothing written, when its source has opened one before. */
const openWindow = async (
  tx: Tx,
  userId: string,
  { window, clock }: { window: NewWindow; clock: Clock },
): Promise<boolean> => {
  if (!(await insertWindowIfAbsent(tx, userId, window))) return false;
  await emitReset(tx, userId, { window, clock });
  return true;
};

/**
 * Opens the window that the next charge counts in. Concurrent first charges of a user wait for the lock and find the window that
 * the first of them has opened. Throws `credits.user_not_found` for a deleted user.
 */
export const openNextWindow = async (tx: Tx, userId: string, clock: Clock): Promise<void> => {
  await lockFreeCycle(tx, userId, clock());
  if (await isDeleted(tx, userId)) throw createError('credits.user_not_found');
  const { next } = await findCurrentWindow(tx, userId, clock());
  if (next === null) return;
  await openWindow(tx, userId, { window: next, clock });
  if (next.plan === 'free') await updateDueAt(tx, userId, next.endsAt);
};

/**
 * Brings the windows in line with a plan state. A coverage opens its window once, whichever event carries it; a window without a
 * coverage ends; charges stay in the window they were counted in. A state that is not newer than the stored one changes nothing.
 */
export const applyPlanState = async (
  tx: Tx,
  userId: string,
  { state, clock }: { state: PlanState; clock: Clock },
): Promise<void> => {
  await lockAccount(tx, userId);
  if (await isDeleted(tx, userId)) return deleteAccount(tx, userId);
  if (!(await updateOlderPlanState(tx, userId, state))) return;
  const coverages = [state.paid, state.granted].filter((coverage): coverage is Coverage => coverage !== null);
  for (const coverage of coverages) {
    const window = premiumWindow(coverage);
    if (!(await openWindow(tx, userId, { window, clock }))) await updateWindowEnd(tx, userId, window);
  }
  await endOtherPremiumWindows(tx, userId, { paidKeys: coverages.map(({ key }) => key), now: clock() });
};

/** Handles every billing event alike: each carries the whole plan state. */
export const onPlanChanged =
  (clock: Clock) =>
  (tx: Tx, { subject, data }: CloudEvent<{ planState: PlanState }>): Promise<void> =>
    applyPlanState(tx, subject, { state: data.planState, clock });

const resetChunk = async (tx: Tx, clock: Clock, limit: number): Promise<{ due: number; reset: number }> => {
  const now = clock();
  const due = await lockDueCycles(tx, now, limit);
  const ends = await listFreeEnds(tx, due);
  const next = [...ends]
    .filter(([, end]) => end <= now)
    .map(([userId, end]) => ({ userId, window: nextFreeWindow(end, now) }));
  await insertWindows(tx, next);
  for (const { userId, window } of next) ends.set(userId, window.endsAt);
  await upsertCycles(
    tx,
    [...ends].map(([userId, dueAt]) => ({ userId, dueAt })),
  );
  // A cycle without a free window is left by a charge that did not commit, or by a premium window.
  await deleteCycles(
    tx,
    due.filter((userId) => !ends.has(userId)),
  );
  for (const { userId, window } of next) await emitReset(tx, userId, { window, clock });
  return { due: due.length, reset: next.length };
};

/**
 * Opens the next window of users whose free window has ended, a chunk in one transaction. Concurrent runs take different chunks,
 * a repeated run finds nothing due, and after any downtime each user gets one window.
 */
export const resetDue = async (
  db: Db,
  { clock, limit }: { clock: Clock; limit: number },
): Promise<{ reset: number; more: boolean }> => {
  const { due, reset } = await inTransaction(db, (tx) => resetChunk(tx, clock, limit));
  return { reset, more: due === limit };
};
