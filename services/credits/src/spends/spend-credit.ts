import type { CreditsAmounts } from '@shortlist/contracts/api/public';
import { creditsExhausted, creditsSpent } from '@shortlist/contracts/events/credits';
import type { SpendInput } from '@shortlist/contracts/schemas/credits';
import type { Clock } from '@shortlist/kit/clock';
import type { Tx } from '@shortlist/kit/db';
import { coded } from '@shortlist/kit/errors';
import { emit } from '@shortlist/kit/outbox';
import { takeCredit } from '../windows/queries.ts';
import type { WindowRow } from '../windows/window.entity.ts';
import { insertLedgerEntry } from './queries.ts';

export type Spend = SpendInput & { operationId: string };
type At = { window: WindowRow; spend: Spend; clock: Clock };

/** One credit: the window's row, the ledger and the fact, together. Throws `credits.balance_too_low` when none is left. */
export const spendCredit = async (tx: Tx, { window, spend, clock }: At): Promise<CreditsAmounts> => {
  const now = clock();
  const { id, userId, plan, limit, startsAt, endsAt } = window;
  const used = await takeCredit(tx, id, now);
  if (used === null) throw coded('credits.balance_too_low');
  await insertLedgerEntry(tx, { ...spend, userId, windowId: id, amount: -1, usedAfter: used, at: now });
  const data = { plan, limit, used, windowStart: startsAt.toISOString(), windowEnd: endsAt.toISOString() };
  await emit(tx, creditsSpent, { subject: userId, data, clock });
  if (used === limit) await emit(tx, creditsExhausted, { subject: userId, data, clock });
  return { used, available: limit - used, limit };
};
