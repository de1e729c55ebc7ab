import type { CreditsAmounts } from '@shortlist/contracts/api/public';
import type { Clock } from '@shortlist/kit/clock';
import { type Db, inTransaction, isDuplicate } from '@shortlist/kit/db';
import { CodedError, coded } from '@shortlist/kit/errors';
import type { Log } from '@shortlist/kit/log';
import type { CatchUp } from '../plans/catch-up.ts';
import { findPlanState, isDeleted } from '../plans/queries.ts';
import { findCurrentWindow } from '../windows/current-window.ts';
import { openWindow } from '../windows/open-window.ts';
import { findWindowBySource } from '../windows/queries.ts';
import type { WindowRow } from '../windows/window.entity.ts';
import { findSpend } from './queries.ts';
import { type Spend, spendCredit } from './spend-credit.ts';

type Parts = { db: Db; clock: Clock; catchUp: CatchUp; log: Log };
type Asked = { userId: string; spend: Spend };

const currentWindow = async ({ db, clock }: Parts, userId: string): Promise<WindowRow> => {
  const state = await findPlanState(db.manager, userId);
  const { open, next } = await findCurrentWindow(db.manager, userId, { state, now: clock() });
  if (open !== null) return open;
  if (await isDeleted(db.manager, userId)) throw coded('credits.user_not_found');
  await inTransaction(db, (tx) => openWindow(tx, userId, { window: next, clock }));
  const opened = await findWindowBySource(db.manager, userId, next.sourceKey);
  if (opened === null) throw coded('credits.user_not_found');
  return opened;
};

const recordedAnswer = async ({ db }: Parts, { userId, spend }: Asked): Promise<CreditsAmounts | null> => {
  const recorded = await findSpend(db.manager, userId, spend.operationId);
  if (recorded === null) return null;
  if (recorded.reason !== spend.reason || recorded.reference !== (spend.reference ?? null))
    throw coded('credits.key_reused');
  return { used: recorded.used, available: recorded.limit - recorded.used, limit: recorded.limit };
};

const trySpend = async (parts: Parts, asked: Asked): Promise<CreditsAmounts> => {
  const { db, clock } = parts;
  const window = await currentWindow(parts, asked.userId);
  return inTransaction(db, (tx) => spendCredit(tx, { window, spend: asked.spend, clock }));
};

const isTooLow = (error: unknown): boolean =>
  error instanceof CodedError && error.code === 'credits.balance_too_low';

/** Before anybody is refused: perhaps they have just paid, and the fact is still on its way. */
const tryAgainCaughtUp = async (parts: Parts, asked: Asked, refusal: unknown): Promise<CreditsAmounts> => {
  const recorded = await recordedAnswer(parts, asked); // the last credit may have gone to this very operation
  if (recorded) return recorded;
  const before = await findPlanState(parts.db.manager, asked.userId);
  await parts
    .catchUp(asked.userId)
    .catch((error: unknown) => parts.log.warn({ err: error }, 'billing not asked'));
  const after = await findPlanState(parts.db.manager, asked.userId);
  if (after.version === before.version) throw refusal;
  return trySpend(parts, asked);
};

/** Spends one credit, once per operation id: asked again, it answers what it answered the first time. */
export const spendOnce = async (parts: Parts, asked: Asked): Promise<CreditsAmounts> => {
  try {
    return await trySpend(parts, asked);
  } catch (error) {
    if (isTooLow(error)) return tryAgainCaughtUp(parts, asked, error);
    const recorded = isDuplicate(error) ? await recordedAnswer(parts, asked) : null;
    if (recorded) return recorded;
    throw error;
  }
};
