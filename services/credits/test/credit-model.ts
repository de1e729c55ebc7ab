// A model of the rules, written without the code that it is compared with: the windows of a user, the one that the next charge counts in,
// and what each tool has charged on each day.
import { days } from '@shortlist/contracts/durations';
import type { Coverage } from '@shortlist/contracts/plan';

type Window = { key: string; used: number; limit: number; end: number };
/** What is charged for, and with which tool. */
export type Purpose = { reason: string; clientId: string | null };
type Reserved = { window: Window; amount: number; purpose: Purpose };
type UsageLine = Purpose & { day: string; charged: number; returned: number };

const dayAt = (at: number): string => new Date(at).toISOString().split('T')[0] ?? '';

/** Sums by day, tool and reason. */
const createUsage = () => {
  const lines = new Map<string, UsageLine>();
  return {
    add: (at: number, purpose: Purpose, change: { charged?: number; returned?: number }): void => {
      const day = dayAt(at);
      const key = JSON.stringify([day, purpose.clientId, purpose.reason]);
      const line = lines.get(key) ?? { day, ...purpose, charged: 0, returned: 0 };
      line.charged += change.charged ?? 0;
      line.returned += change.returned ?? 0;
      lines.set(key, line);
    },
    lines: (): UsageLine[] => [...lines.values()],
  };
};

export const createModel = (start: Date) => {
  let now = start.getTime();
  const plans: { paid: Coverage | null; granted: Coverage | null } = { paid: null, granted: null };
  const premium: Window[] = [];
  let free: Window | null = null;
  const usage = createUsage();
  const ends = (coverage: Coverage | null): number => (coverage ? Date.parse(coverage.end) : 0);
  const nextFree = (): Window => {
    const from = free ? free.end + days(Math.max(0, Math.floor((now - free.end) / days(30))) * 30) : now;
    return { key: 'free', used: 0, limit: 20, end: from + days(30) };
  };
  const current = (): Window => {
    const coverage = [plans.paid, plans.granted].find((candidate) => ends(candidate) > now);
    if (coverage) return premium.find(({ key }) => key === coverage.key) ?? nextFree();
    return free && free.end > now ? free : nextFree();
  };
  /** Takes all of the amount or nothing. */
  const take = (amount: number, purpose: Purpose): Window | null => {
    const window = current();
    // The attempt opens a free window, also when it is refused.
    if (window.key === 'free') free = window;
    if (window.limit - window.used < amount) return null;
    window.used += amount;
    usage.add(now, purpose, { charged: amount });
    return window;
  };
  /** The unsettled reservations, oldest first. */
  const reserved: Reserved[] = [];
  const settle = (keptOf: (amount: number) => number): void => {
    const oldest = reserved.shift();
    if (oldest === undefined) return;
    const returned = oldest.amount - keptOf(oldest.amount);
    if (returned === 0) return;
    oldest.window.used -= returned;
    usage.add(now, oldest.purpose, { returned });
  };
  const cover = (which: 'paid' | 'granted', coverage: Coverage): void => {
    plans[which] = coverage;
    premium.push({ key: coverage.key, used: 0, limit: 500, end: ends(coverage) });
  };
  const cut = (coverage: Coverage | null): Coverage | null =>
    ends(coverage) > now && coverage ? { ...coverage, end: new Date(now).toISOString() } : coverage;
  return {
    plans,
    charge: (amount: number, purpose: Purpose): boolean => take(amount, purpose) !== null,
    reserve: (amount: number, purpose: Purpose): boolean => {
      const window = take(amount, purpose);
      if (window) reserved.push({ window, amount, purpose });
      return window !== null;
    },
    /** The amount of the reservation that is settled next; 0 without one. */
    nextReserved: (): number => reserved[0]?.amount ?? 0,
    commit: (kept: number) => settle(() => kept),
    release: () => settle(() => 0),
    cover,
    revoke: () => Object.assign(plans, { paid: cut(plans.paid), granted: cut(plans.granted) }),
    tick: (ms: number) => void (now += ms),
    reset: () => void (free && free.end <= now && (free = nextFree())),
    view: () => ({
      available: current().limit - current().used,
      premiumUsed: premium.at(-1)?.used ?? 0,
      freeUsed: free && free.end > now ? free.used : 0,
    }),
    usage: usage.lines,
  };
};
