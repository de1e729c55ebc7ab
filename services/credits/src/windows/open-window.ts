import { creditsReset } from '@shortlist/contracts/events/credits';
import type { Clock } from '@shortlist/kit/clock';
import type { Tx } from '@shortlist/kit/db';
import { emit } from '@shortlist/kit/outbox';
import { insertWindowIfAbsent } from './queries.ts';
import type { NewWindow } from './window.rules.ts';

/** Opens a window and says so; the second time the same one is asked for, nothing happens. */
export const openWindow = async (
  tx: Tx,
  userId: string,
  { window, clock }: { window: NewWindow; clock: Clock },
): Promise<boolean> => {
  if (!(await insertWindowIfAbsent(tx, userId, window))) return false;
  const { plan, limit, startsAt, endsAt } = window;
  const data = { plan, limit, used: 0, windowStart: startsAt.toISOString(), windowEnd: endsAt.toISOString() };
  await emit(tx, creditsReset, { subject: userId, data, clock });
  return true;
};
