// A model of the rules, written without the code that it is compared with: the windows of a user, the one that the next charge counts in,
// the packs and grants beside it, and what each tool has charged on each day.
import { days } from '@shortlist/contracts/durations';
import type { Coverage } from '@shortlist/contracts/plan';

/** `limit`: how many may be used now, and `end` when no more may; Infinity for a pack. */
type Bucket = { key: string; kind: 'plan' | 'grant' | 'pack'; used: number; limit: number; end: number };
type Window = Bucket & { kind: 'plan' };
/** A month of a period, or all of one that has a month at most. */
type Month = Window & { start: number };
type Origin = { reason: string; clientId: string | null };
/** What is charged for, and with which tool. */
export type Purpose = Origin & { reference?: string };
type Taken = { bucket: Bucket; amount: number };
type Reserved = { taken: Taken[]; amount: number; held: number; purpose: Purpose };
type UsageLine = Origin & { day: string; charged: number; returned: number };

/** The same time `months` later, or on the last day of a month that is too short. */
export const laterBy = (from: number, months: number): number => {
  const date = new Date(from);
  date.setUTCMonth(date.getUTCMonth() + months);
  if (date.getUTCDate() !== new Date(from).getUTCDate()) date.setUTCDate(0);
  return date.getTime();
};

const dayAt = (at: number): string => new Date(at).toISOString().split('T')[0] ?? '';

/** Sums by day, tool and reason. */
const createUsage = () => {
  const lines = new Map<string, UsageLine>();
  return {
    add: (
      at: number,
      { clientId, reason }: Origin,
      change: { charged?: number; returned?: number },
    ): void => {
      const day = dayAt(at);
      const key = JSON.stringify([day, clientId, reason]);
      const line = lines.get(key) ?? { day, clientId, reason, charged: 0, returned: 0 };
      line.charged += change.charged ?? 0;
      line.returned += change.returned ?? 0;
      lines.set(key, line);
    },
    lines: (): UsageLine[] => [...lines.values()],
  };
};

/** What was paid for each contact, until when. */
const createPrices = () => {
  const prices = new Map<string, { paid: number; end: number }>();
  const find = (at: number, { reason, reference }: Purpose): { paid: number; end: number } => {
    const price = reference === undefined ? undefined : prices.get(reason + reference);
    return price && price.end > at ? price : { paid: 0, end: at + days(30) };
  };
  return {
    paid: (at: number, purpose: Purpose): number => find(at, purpose).paid,
    pay: (at: number, purpose: Purpose, charged: number): void => {
      const { paid, end } = find(at, purpose);
      if (charged > 0) prices.set(purpose.reason + (purpose.reference ?? ''), { paid: paid + charged, end });
    },
  };
};

const toTime = (at: number | undefined): string | null =>
  at === undefined ? null : new Date(at).toISOString();

export const createModel = (start: Date) => {
  let now = start.getTime();
  const prices = createPrices();
  const plans: { paid: Coverage | null; granted: Coverage | null } = { paid: null, granted: null };
  const premium: Month[] = [];
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
  /** The month that a period is in, which may not have been opened yet. */
  const monthOf = (coverage: Coverage): Month => {
    const starts = [Date.parse(coverage.start)];
    for (let month = 1; month < (coverage.months ?? 1); month += 1) {
      const next = laterBy(starts[0] as number, month);
      if (next < ends(coverage)) starts.push(next);
    }
    const index = starts.findLastIndex((start, month) => month === 0 || start <= now);
    const key = index === 0 ? coverage.key : `${coverage.key}:${index}`;
    const [start = 0, end = ends(coverage)] = starts.slice(index, index + 2);
    return (
      premium.find((month) => month.key === key) ?? { key, kind: 'plan', used: 0, limit: 500, start, end }
    );
  };
  const monthInForce = (): Month | null => {
    const coverage = [plans.paid, plans.granted].find((candidate) => ends(candidate) > now);
    return coverage ? monthOf(coverage) : null;
  };
  /** With each charge, change of the plan and run of the schedule. */
  const openMonth = (): void => {
    const month = monthInForce();
    if (month && !premium.includes(month)) premium.push(month);
  };
  const current = (): Window => monthInForce() ?? (free && free.end > now ? free : nextFree());
  const leftIn = (bucket: Bucket): number => (bucket.end > now ? Math.max(0, bucket.limit - bucket.used) : 0);
  /** What ends first is first; of what ends at the same time, what came first. */
  const inOrder = (window: Window): Bucket[] =>
    [window, ...others].toSorted((one, other) => (one.end === other.end ? 0 : one.end - other.end));
  const sumOf = (buckets: Bucket[]): number => buckets.reduce((sum, bucket) => sum + leftIn(bucket), 0);
  /** Takes all of the amount or nothing. */
  const take = (amount: number, purpose: Purpose): Taken[] | null => {
    openMonth();
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
    if (amount > 0) usage.add(now, purpose, { charged: amount });
    return taken;
  };
  const dueOf = (amount: number, purpose: Purpose): number => Math.max(0, amount - prices.paid(now, purpose));
  /** The unsettled reservations, oldest first. */
  const reserved: Reserved[] = [];
  /** Returns how many credits stay charged of the oldest, of which `kept` are committed. */
  const settle = (kept: number): number => {
    const oldest = reserved.shift();
    if (oldest === undefined) return 0;
    const { held, purpose, taken } = oldest;
    const charged = Math.min(dueOf(kept, purpose), held);
    prices.pay(now, purpose, charged);
    for (let left = held - charged; left > 0; left -= 1) {
      const last = taken.findLast(({ amount }) => amount > 0) as Taken;
      last.amount -= 1;
      last.bucket.used -= 1;
    }
    if (charged < held) usage.add(now, purpose, { returned: held - charged });
    return charged;
  };
  const cover = (which: 'paid' | 'granted', coverage: Coverage): void => {
    plans[which] = coverage;
    openMonth();
    const first = monthOf(coverage);
    if (!premium.includes(first)) premium.push(first);
  };
  const cut = (coverage: Coverage | null): Coverage | null =>
    ends(coverage) > now && coverage ? { ...coverage, end: new Date(now).toISOString() } : coverage;
  return {
    plans,
    /** Both return how many credits it takes; null when there are too few. */
    charge: (amount: number, purpose: Purpose): number | null => {
      const due = dueOf(amount, purpose);
      if (take(due, purpose) === null) return null;
      prices.pay(now, purpose, due);
      return due;
    },
    reserve: (amount: number, purpose: Purpose): number | null => {
      const held = dueOf(amount, purpose);
      const taken = take(held, purpose);
      if (taken) reserved.push({ taken, amount, held, purpose });
      return taken && held;
    },
    /** The amount of the reservation that is settled next; 0 without one. */
    nextReserved: (): number => reserved[0]?.amount ?? 0,
    commit: settle,
    release: () => settle(0),
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
    reset: (): void => {
      openMonth();
      if (free && free.end <= now) free = nextFree();
    },
    view: () => ({
      available: sumOf(inOrder(current())),
      left: inOrder(current())
        .map((bucket) => [bucket.kind, leftIn(bucket)] as const)
        .filter(([kind, left]) => kind === 'plan' || left > 0),
      premiumUsed: premium.toSorted((one, other) => one.start - other.start).at(-1)?.used ?? 0,
      freeUsed: free && free.end > now ? free.used : 0,
      until: toTime(monthInForce()?.end),
    }),
    added: (): number[] => added,
    usage: usage.lines,
  };
};
