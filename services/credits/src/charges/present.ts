import type { CreditsView } from '@shortlist/contracts/api/public';
import type { Tx } from '@shortlist/kit/data/db';
import { type CurrentWindow, findCurrentWindow } from '../windows/current-window.ts';
import { findNewestWindow } from '../windows/queries.ts';

const amounts = ({ open, next }: CurrentWindow) => {
  if (open !== null)
    return {
      plan: open.plan,
      limit: open.limit,
      used: open.used,
      startsAt: open.startsAt,
      endsAt: open.shownEnd,
    };
  // A free window that nobody has begun has no dates yet; a premium one is dated by its payment.
  const dates =
    next.plan === 'premium'
      ? { startsAt: next.startsAt, endsAt: next.shownEnd }
      : { startsAt: null, endsAt: null };
  return { plan: next.plan, limit: next.limit, used: 0, ...dates };
};

const textOf = (moment: Date | null): string | null => moment?.toISOString() ?? null;

/** Credits as a person sees them at `now`. */
export const presentCredits = async (tx: Tx, userId: string, now: Date): Promise<CreditsView> => {
  const current = amounts(await findCurrentWindow(tx, userId, now));
  const [premium, free] = await Promise.all([
    findNewestWindow(tx, userId, 'premium'),
    findNewestWindow(tx, userId, 'free'),
  ]);
  return {
    plan: current.plan,
    limit: current.limit,
    used: current.used,
    available: current.limit - current.used,
    exhausted: current.used >= current.limit,
    premiumUsed: premium?.used ?? 0,
    freeUsed: free && free.endsAt > now ? free.used : 0,
    windowStart: textOf(current.startsAt),
    windowEnd: textOf(current.endsAt),
  };
};
