import type { CreditsAmounts } from '@shortlist/contracts/api/public';
import { creditsExhausted, creditsSpent } from '@shortlist/contracts/events/credits';
import type { SpendInput } from '@shortlist/contracts/schemas/credits';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Tx } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { OpenWindow } from '../windows/current-window.ts';
import { findWindow, markExhausted, takeCredit } from '../windows/queries.ts';
import { claimContact } from './contacts.ts';
import { insertLedgerEntry } from './queries.ts';

export type Spend = SpendInput & { operationId: string };
type At = { window: OpenWindow; spend: Spend; clock: Clock };

const isChargedFor = async (tx: Tx, { window, spend, clock }: At): Promise<boolean> => {
  const { reason, reference, operationId } = spend;
  if (reference === undefined) return false;
  const { userId } = window;
  return !(await claimContact(tx, { userId, reason, reference, operationId, at: clock() }));
};

type Told = Omit<OpenWindow, 'planVersion'>;

/** Tells how far a window is used up, and once that its last credit went. */
export const tellOfUse = async (
  tx: Tx,
  { window, used, clock }: { window: Told; used: number; clock: Clock },
): Promise<void> => {
  const { id, userId: subject, plan, limit, startsAt, shownEnd } = window;
  const data = {
    plan,
    limit,
    used,
    windowStart: startsAt.toISOString(),
    windowEnd: shownEnd.toISOString(),
  };
  await emit(tx, creditsSpent, { subject, data, clock });
  if (used === limit && (await markExhausted(tx, subject, id)))
    await emit(tx, creditsExhausted, { subject, data, clock });
};

/** A contact that is paid for already is noted at no charge: the ledger shows it, and the operation has its answer. */
const noteUncharged = async (tx: Tx, { window, spend, clock }: At): Promise<CreditsAmounts> => {
  const { id, userId, limit } = window;
  const used = (await findWindow(tx, id))?.used ?? window.used;
  await insertLedgerEntry(tx, { ...spend, userId, windowId: id, amount: 0, usedAfter: used, at: clock() });
  return { used, available: limit - used, limit };
};

/** One credit: the window's row, the ledger and the fact, together. Throws `credits.balance_too_low` when none is left. */
export const chargeCredit = async (tx: Tx, at: At): Promise<CreditsAmounts> => {
  const { window, spend, clock } = at;
  if (await isChargedFor(tx, at)) return noteUncharged(tx, at);
  const now = clock();
  const { id, userId, limit, planVersion } = window;
  const used = await takeCredit(tx, { windowId: id, planVersion }, now);
  if (used === null) throw createError('credits.balance_too_low');
  await insertLedgerEntry(tx, { ...spend, userId, windowId: id, amount: -1, usedAfter: used, at: now });
  await tellOfUse(tx, { window, used, clock });
  return { used, available: limit - used, limit };
};
