import type { CreditsAmounts } from '@shortlist/contracts/api/public';
import type { Clock } from '@shortlist/kit/process/clock';
import { type Db, inTransaction, isDuplicate, type Tx } from '@shortlist/kit/data/db';
import { AppError, createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import type { CatchUp } from '../plans/catch-up.ts';
import { findReservationOf } from '../reservations/queries.ts';
import { releaseExpiredOf } from '../reservations/release-expired.ts';
import { findCurrentWindow, openAt, type OpenWindow } from '../windows/current-window.ts';
import type { WindowCache } from '../windows/hints.ts';
import { openNextWindow } from '../windows/open-window.ts';
import { findCharge } from './queries.ts';
import { type Spend, chargeCredit } from './spend-credit.ts';

export type ChargeParts = { db: Db; clock: Clock; catchUp: CatchUp; log: Log; windowCache: WindowCache };
export type Asked = {
  userId: string;
  spend: Spend;
  /** Makes it a hold, in the same transaction; without it the credit is spent for good. */
  hold?: (tx: Tx) => Promise<void>;
};

/** A window that ends while it is looked at is followed by another; more often than this, something else is wrong. */
const LOOKS = 5;

const findHinted = ({ clock, windowCache }: ChargeParts, userId: string): OpenWindow | null => {
  const cached = windowCache.get(userId);
  const now = clock();
  return cached && cached.window.endsAt > now ? openAt(cached.window, { state: cached.state, now }) : null;
};

const readCurrentWindow = async (
  { db, clock, windowCache }: ChargeParts,
  userId: string,
): Promise<OpenWindow> => {
  for (let look = 0; look < LOOKS; look += 1) {
    const { open, state } = await findCurrentWindow(db.manager, userId, clock());
    if (open !== null) {
      windowCache.keep(userId, { state, window: open });
      return open;
    }
    await inTransaction(db, (tx) => openNextWindow(tx, userId, clock));
  }
  throw createError('service.unavailable');
};

/** The answer that this operation got the first time, or null. Throws when the key was used for something else. */
const recordedAnswer = async (
  { db }: ChargeParts,
  { userId, spend, hold }: Asked,
): Promise<CreditsAmounts | null> => {
  const recorded = await findCharge(db.manager, userId, spend.operationId);
  if (recorded === null) return null;
  if (recorded.reason !== spend.reason || recorded.reference !== (spend.reference ?? null))
    throw createError('credits.key_reused');
  // A hold may still be given back, so it is no answer to who spends for good.
  if (!hold && (await findReservationOf(db.manager, userId, spend.operationId)) !== null)
    throw createError('credits.key_reused');
  return { used: recorded.used, available: recorded.limit - recorded.used, limit: recorded.limit };
};

const isTooLow = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'credits.balance_too_low';

const write = async (
  { db, clock }: ChargeParts,
  asked: Asked,
  window: OpenWindow,
): Promise<CreditsAmounts | null> => {
  try {
    return await inTransaction(db, async (tx) => {
      const amounts = await chargeCredit(tx, { window, spend: asked.spend, clock });
      await asked.hold?.(tx);
      return amounts;
    });
  } catch (error) {
    if (isTooLow(error)) return null;
    throw error;
  }
};

type Tried = { amounts: CreditsAmounts; refusedBy: null } | { amounts: null; refusedBy: string | null };

/** A window and the plan by which it was chosen: refused under one plan, it may be right under the next. */
const choiceOf = ({ id, planVersion }: OpenWindow): string => `${id}:${planVersion}`;

/**
 * A window may end, or a plan begin, between the reading and the UPDATE; the UPDATE's own condition decides then, and we look
 * again: only a window that refuses twice is used up. `refusedBy` names one that has refused before.
 */
const attemptCharge = async (
  parts: ChargeParts,
  asked: Asked,
  refusedBy: string | null = null,
): Promise<Tried> => {
  let refused = refusedBy;
  for (let look = 0; look < LOOKS; look += 1) {
    // A contact that is paid for already takes no credit, so no UPDATE would hold a hint against the plan.
    const mayHint = refused === null && asked.spend.reference === undefined;
    const hinted = mayHint ? findHinted(parts, asked.userId) : null;
    const window = hinted ?? (await readCurrentWindow(parts, asked.userId));
    if (choiceOf(window) === refused) break;
    const amounts = await write(parts, asked, window);
    if (amounts) return { amounts, refusedBy: null };
    refused = choiceOf(window);
  }
  return { amounts: null, refusedBy: refused };
};

/** Before anybody is refused: perhaps a hold has run out, or they have just paid and the fact is still on its way. */
const retryCharge = async (
  parts: ChargeParts,
  asked: Asked,
  refusedBy: string | null,
): Promise<CreditsAmounts | null> => {
  const { catchUp, log } = parts;
  const { userId } = asked;
  if ((await releaseExpiredOf(parts, userId)) > 0) return (await attemptCharge(parts, asked)).amounts;
  await catchUp(userId).catch((error: unknown) => log.warn({ err: error }, 'billing not asked'));
  return (await attemptCharge(parts, asked, refusedBy)).amounts;
};

const chargeOrRefuse = async (parts: ChargeParts, asked: Asked): Promise<CreditsAmounts> => {
  const { amounts, refusedBy } = await attemptCharge(parts, asked);
  const answer =
    amounts ?? (await recordedAnswer(parts, asked)) ?? (await retryCharge(parts, asked, refusedBy));
  if (answer) return answer;
  throw createError('credits.balance_too_low');
};

/** Spends one credit, once per operation id: asked again, it answers what it answered the first time. */
export const chargeOnce = async (parts: ChargeParts, asked: Asked): Promise<CreditsAmounts> => {
  try {
    return await chargeOrRefuse(parts, asked);
  } catch (error) {
    const recorded = isDuplicate(error) ? await recordedAnswer(parts, asked) : null;
    if (recorded) return recorded;
    throw error;
  }
};
