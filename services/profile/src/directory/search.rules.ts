// Two roads lead to a page. Walking the index that is in the asked order and checking each row is quick when rows that fit are
// frequent; gathering everybody on one list and sorting them is quick when that list is short. A walk is given
// up in time, since frequent people may all stand at the far end of an order; what it did not find by then is gathered.

/** No bound on a list: the database wants a number. */
export const EVERY = 4_294_967_295;
/** With several wishes, so many of the first list are looked at for the count. */
export const LOOKED_MAX = 10_000;

// What one row takes, in microseconds, as measured with a million people in memory. Only proportions matter.
/** Reading a row of a word's own list, which lies beside the next one. */
const LISTED_US = 0.5;
/** Reading a profile that lies anywhere. */
const FETCHED_US = 4;
/** Sorting one, by one column and by two. */
const SORTED_US = [0.5, 2] as const;

/** A gathering that takes no longer than this needs no thought. */
const SHORT_MS = 30;
/** The longest gathering that is begun before a walk to the end. */
const GATHERED_MS = 900;
/** A walk may be in vain: it gets this part of the time that a gathering would take, and so many rows at most. */
const VAIN_SHARE = 0.3;
const STEPS_MAX = 30_000;

export type List = { size: number; isWord: boolean };
export type Lists = {
  /** All that is asked for, the list first that is soonest read. */
  wishes: readonly List[];
  anyCaller: number;
};

/** The share of people who meet all of these, if one wish says nothing of another. */
const shareOf = (wishes: readonly List[], anyCaller: number): number =>
  wishes.reduce((share, { size }) => share * Math.min(1, Math.max(size, 1) / Math.max(anyCaller, 1)), 1);

/** About how long it takes to read the first list, hold every row against the other wishes and sort what is left by so many columns. */
export const gatheringMs = ({ wishes: [first, ...others], anyCaller }: Lists, columns: number): number => {
  if (first === undefined) return Number.POSITIVE_INFINITY;
  const reading = first.isWord ? LISTED_US : FETCHED_US;
  const sorting = columns > 1 ? SORTED_US[1] : SORTED_US[0];
  return (first.size * (reading + sorting * shareOf(others, anyCaller))) / 1_000;
};

/** Whether a gathering is the better end of a walk that has not found enough. */
export const isGatherable = (lists: Lists, columns: number): boolean =>
  gatheringMs(lists, columns) <= GATHERED_MS;
export const isShort = (lists: Lists, columns: number): boolean => gatheringMs(lists, columns) <= SHORT_MS;

export type Road = 'gather' | { steps: number };

type Wanted = {
  limit: number;
  /** How many columns the order has. */
  columns: number;
  /** The wishes that a walk checks: the others say where it begins and ends. */
  checked: readonly List[];
};

/** The first road to try; every road finds the same people. */
export const roadTo = (lists: Lists, { limit, columns, checked }: Wanted): Road => {
  if (isShort(lists, columns)) return 'gather';
  const affordable = Math.ceil((gatheringMs(lists, columns) * 1_000 * VAIN_SHARE) / FETCHED_US);
  const steps = Math.min(STEPS_MAX, affordable);
  const isLikelyVain = limit / shareOf(checked, lists.anyCaller) > steps;
  return isLikelyVain && isGatherable(lists, columns) ? 'gather' : { steps };
};
