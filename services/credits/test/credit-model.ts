// A model of the rules, written without the code that it is compared with: the windows of a user, the one that the next charge counts in,
// the packs and grants beside it, and what each tool has charged on each day.
import { days } from '@shortlist/contracts/durations';
import type { Coverage } from '@shortlist/contracts/plan';

/** `limit`: how many may be used now, and `end` when no more may; Infinity for a pack. */
type Bucket = { key: string; kind: 'plan' | 'grant' | 'pack'; used: number; limit: number; end: number };
type Window = Bucket & { kind: 'plan' };
/** What is charged for, and with which tool. */
export type Purpose = { reason: string; clientId: string | null };
type Taken = { bucket: Bucket; amount: number };
type Reserved = { taken: Taken[]; amount: number; purpose: Purpose };
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
  const others: Bucket[] = [];
  /** What packs, grants and their changes have added to the balance. */
  const added: number[] = [];
  const usage = createUsage();
  const ends = (coverage: Coverage | null): number => (coverage ? Date.parse(coverage.end) : 0);
  const nextFree = (): Window => {
    const from = free ? free.end + days(Math.max(0, Math.floor((now - free.end) / days(30))) * 30) : now;
    return { key: 'free', kind: 'plan', used: 0, limit: 20, end: from + days(30) };
  };
  const current = (): Window => {
    const coverage = [plans.paid, plans.granted].find((candidate) => ends(candidate) > now);
    if (coverage) return premium.find(({ key }) => key === coverage.key) ?? nextFree();
    return free && free.end > now ? free : nextFree();
  };
  const leftIn = (bucket: Bucket): number => (bucket.end > now ? Math.max(0, bucket.limit - bucket.used) : 0);
  /** What ends first is first; of what ends at the same time, what came first. */
  const inOrder = (window: Window): Bucket[] =>
    [window, ...others].toSorted((one, other) => (one.end === other.end ? 0 : one.end - other.end));
  const sumOf = (buckets: Bucket[]): number => buckets.reduce((sum, bucket) => sum + leftIn(bucket), 0);
  /** Takes all of the amount or nothing. */
  const take = (amount: number, purpose: Purpose): Taken[] | null => {
    const window = current();
    // The attempt opens a free window, also when it is refused.
    if (window.key === 'free') free = window;
    const buckets = inOrder(window);
    if (sumOf(buckets) < amount) return null;
    const taken: Taken[] = [];
    for (let left = amount; left > 0; left -= 1) {
      const bucket = buckets.find((candidate) => leftIn(candidate) > 0) as Bucket;
      bucket.used += 1;
      const last = taken.at(-1);
      if (last?.bucket === bucket) last.amount += 1;
      else taken.push({ bucket, amount: 1 });
    }
    usage.add(now, purpose, { charged: amount });
    return taken;
  };
  /** The unsettled reservations, oldest first. */
  const reserved: Reserved[] = [];
  const settle = (keptOf: (amount: number) => number): void => {
    const oldest = reserved.shift();
    if (oldest === undefined) return;
    const returned = oldest.amount - keptOf(oldest.amount);
    if (returned === 0) return;
    for (let left = returned; left > 0; left -= 1) {
      const last = oldest.taken.findLast(({ amount }) => amount > 0) as Taken;
      last.amount -= 1;
      last.bucket.used -= 1;
    }
    usage.add(now, oldest.purpose, { returned });
  };
  const cover = (which: 'paid' | 'granted', coverage: Coverage): void => {
    plans[which] = coverage;
    premium.push({ key: coverage.key, kind: 'plan', used: 0, limit: 500, end: ends(coverage) });
  };
  const cut = (coverage: Coverage | null): Coverage | null =>
    ends(coverage) > now && coverage ? { ...coverage, end: new Date(now).toISOString() } : coverage;
  return {
    plans,
    charge: (amount: number, purpose: Purpose): boolean => take(amount, purpose) !== null,
    reserve: (amount: number, purpose: Purpose): boolean => {
      const taken = take(amount, purpose);
      if (taken) reserved.push({ taken, amount, purpose });
      return taken !== null;
    },
    /** The amount of the reservation that is settled next; 0 without one. */
    nextReserved: (): number => reserved[0]?.amount ?? 0,
    commit: (kept: number) => settle(() => kept),
    release: () => settle(() => 0),
    cover,
    revoke: () => Object.assign(plans, { paid: cut(plans.paid), granted: cut(plans.granted) }),
    add: (
      kind: 'grant' | 'pack',
      key: string,
      { limit, end = Infinity }: { limit: number; end?: number },
    ): void => {
      others.push({ key, kind, used: 0, limit, end });
      added.push(limit);
    },
    /** A pack that was refunded or disputed, or is paid again, or a grant that was revoked. */
    limit: (key: string, limit: number): void => {
      const bucket = others.find((candidate) => candidate.key === key);
      if (bucket === undefined) return;
      const before = leftIn(bucket);
      bucket.limit = limit;
      if (leftIn(bucket) !== before) added.push(leftIn(bucket) - before);
    },
    tick: (ms: number) => void (now += ms),
    reset: () => void (free && free.end <= now && (free = nextFree())),
    view: () => ({
      available: sumOf(inOrder(current())),
      left: inOrder(current())
        .map((bucket) => [bucket.kind, leftIn(bucket)] as const)
        .filter(([kind, left]) => kind === 'plan' || left > 0),
      premiumUsed: premium.at(-1)?.used ?? 0,
      freeUsed: free && free.end > now ? free.used : 0,
    }),
    added: (): number[] => added,
    usage: usage.lines,
  };
};
