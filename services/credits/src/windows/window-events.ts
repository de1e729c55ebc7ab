import {
  creditReleased,
  creditsExhausted,
  creditsReset,
  creditsSpent,
  type CreditWindowData,
} from '@shortlist/contracts/events/credits';
import type { Tx } from '@shortlist/kit/data/db';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { insertExhaustedWindowIfAbsent } from './queries.ts';
import type { WindowRow } from './window.entity.ts';
import type { NewWindow } from './window.rules.ts';

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

export const emitReset = async (
  tx: Tx,
  userId: string,
  { window, clock }: { window: NewWindow; clock: Clock },
): Promise<void> => {
  await emit(tx, creditsReset, { subject: userId, data: dataOf(window, 0), clock });
};

/** Emits CreditsSpent, and CreditsExhausted the first time the window's last credit is charged. */
export const emitCharged = async (tx: Tx, { window, used, clock }: Use): Promise<void> => {
  const { id, userId: subject, limit } = window;
  const event = { subject, data: dataOf(window, used), clock };
  await emit(tx, creditsSpent, event);
  if (used === limit && (await insertExhaustedWindowIfAbsent(tx, subject, id)))
    await emit(tx, creditsExhausted, event);
};

export const emitReleased = async (tx: Tx, { window, used, clock }: Use): Promise<void> => {
  await emit(tx, creditReleased, { subject: window.userId, data: dataOf(window, used), clock });
};
