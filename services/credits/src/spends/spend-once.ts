import type { CreditsAmounts } from '@shortlist/contracts/api/public';
import type { Clock } from '@shortlist/kit/clock';
import { type Db, inTransaction, isDuplicate, type Tx } from '@shortlist/kit/db';
import { CodedError, coded } from '@shortlist/kit/errors';
import type { Log } from '@shortlist/kit/log';
import type { CatchUp } from '../plans/catch-up.ts';
import { findPlanState } from '../plans/queries.ts';
import { releaseExpiredOf } from '../reservations/release-expired.ts';
import { findCurrentWindow, type OpenWindow } from '../windows/current-window.ts';
import { openNextWindow } from '../windows/open-window.ts';
import { findSpend } from './queries.ts';
import { type Spend, spendCredit } from './spend-credit.ts';

export type SpendParts = { db: Db; clock: Clock; catchUp: CatchUp; log: Log };
export type Asked = {
  userId: string;
  spend: Spend;
  /** What else is to be written in the same transaction. */
  also?: (tx: Tx) => Promise<void>;
};

/** A window that ends while it is looked at is followed by another; more often than this, something else is wrong. */
const LOOKS = 5;

const getCurrentWindow = async ({ db, clock }: SpendParts, userId: string): Promise<OpenWindow> => {
  for (let look = 0; look < LOOKS; look += 1) {
    const { open } = await findCurrentWindow(db.manager, userId, clock());
    if (open !== null) return open;
    await inTransaction(db, (tx) => openNextWindow(tx, userId, clock));
  }
  throw coded('service.unavailable');
};

/** The answer that this operation got the first time, or null. Throws when the key was used for something else. */
export const recordedAnswer = async (
  { db }: SpendParts,
  { userId, spend }: Asked,
): Promise<CreditsAmounts | null> => {
  const recorded = await findSpend(db.manager, userId, spend.operationId);
  if (recorded === null) return null;
  if (recorded.reason !== spend.reason || recorded.reference !== (spend.reference ?? null))
    throw coded('credits.key_reused');
  return { used: recorded.used, available: recorded.limit - recorded.used, limit: recorded.limit };
};

const isTooLow = (error: unknown): boolean =>
  error instanceof CodedError && error.code === 'credits.balance_too_low';

const write = async (
  { db, clock }: SpendParts,
  asked: Asked,
  window: OpenWindow,
): Promise<CreditsAmounts | null> => {
  try {
    return await inTransaction(db, async (tx) => {
      const amounts = await spendCredit(tx, { window, spend: asked.spend, clock });
      await asked.also?.(tx);
      return amounts;
    });
  } catch (error) {
    if (isTooLow(error)) return null;
    throw error;
  }
};

/**
 * Null when the window in force has no credit left. A window may end, or a plan begin, between the reading and the UPDATE;
 * the UPDATE's own condition decides then, and we look again: only one that refuses twice is used up.
 */
const spendNow = async (parts: SpendParts, asked: Asked): Promise<CreditsAmounts | null> => {
  let refusedBy: number | null = null;
  for (let look = 0; look < LOOKS; look += 1) {
    const window = await getCurrentWindow(parts, asked.userId);
    if (window.id === refusedBy) return null;
    const amounts = await write(parts, asked, window);
    if (amounts) return amounts;
    refusedBy = window.id;
  }
  return null;
};

/** Asks billing; answers whether that brought a newer plan than the one by which somebody was refused. */
const learnsMore = async ({ db, catchUp, log }: SpendParts, userId: string): Promise<boolean> => {
  const before = await findPlanState(db.manager, userId);
  await catchUp(userId).catch((error: unknown) => log.warn({ err: error }, 'billing not asked'));
  const after = await findPlanState(db.manager, userId);
  return after.version > before.version;
};

/** Before anybody is refused: perhaps a hold has run out, or they have just paid and the fact is still on its way. */
const spendOrRefuse = async (parts: SpendParts, asked: Asked): Promise<CreditsAmounts> => {
  const first = (await spendNow(parts, asked)) ?? (await recordedAnswer(parts, asked));
  if (first) return first;
  const released = (await releaseExpiredOf(parts, asked.userId)) > 0;
  const again = released || (await learnsMore(parts, asked.userId)) ? await spendNow(parts, asked) : null;
  if (again) return again;
  throw coded('credits.balance_too_low');
};

/** Spends one credit, once per operation id: asked again, it answers what it answered the first time. */
export const spendOnce = async (parts: SpendParts, asked: Asked): Promise<CreditsAmounts> => {
  try {
    return await spendOrRefuse(parts, asked);
  } catch (error) {
    const recorded = isDuplicate(error) ? await recordedAnswer(parts, asked) : null;
    if (recorded) return recorded;
    throw error;
  }
};
