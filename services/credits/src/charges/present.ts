import type { CreditsView } from '@shortlist/contracts/api/credits';
import type { Tx } from '@shortlist/kit/data/db';
import { countCharges } from '../ledger/queries.ts';
import { type CurrentWindow, findCurrentWindow } from '../windows/credit-window.ts';
import { findNewestWindow } from '../windows/queries.ts';

const amounts = ({ open, next }: CurrentWindow) => {
  if (open !== null)
    return {
      plan: open.plan,
      limit: open.limit,
      used: open.used,
      startsAt: open.startsAt,
      endsAt: open.periodEnd,
    };
  // A free window has no dates before its first charge; a premium window has the dates of its coverage.
  const dates =
    next.plan === 'premium'
      ? { startsAt: next.startsAt, endsAt: next.periodEnd }
      : { startsAt: null, endsAt: null };
  return { plan: next.plan, limit: next.limit, used: 0, ...dates };
};

const isoOf = (moment: Date | null): string | null => moment?.toISOString() ?? null;

/** A user's credits at `now`. */
export const presentCredits = async (tx: Tx, userId: string, now: Date): Promise<CreditsView> => {
  const window = await findCurrentWindow(tx, userId, now);
  const current = amounts(window);
  const isExhausted = current.used >= current.limit;
  const [premium, free] = await Promise.all([
    findNewestWindow(tx, userId, 'premium'),
    findNewestWindow(tx, userId, 'free'),
  ]);
  return {
    plan: current.plan,
    limit: current.limit,
    used: current.used,
    available: current.limit - current.used,
    exhausted: isExhausted,
    premiumUsed: premium?.used ?? 0,
    freeUsed: free && free.endsAt > now ? free.used : 0,
    usedFor: isExhausted && window.open !== null ? await countCharges(tx, window.open.id) : null,
    windowStart: isoOf(current.startsAt),
    windowEnd: isoOf(current.endsAt),
  };
};
