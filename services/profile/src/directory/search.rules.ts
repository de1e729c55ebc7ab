// Two roads lead to a page. Walking the index that is in the asked order and checking each row is quick when rows that fit are
// frequent; gathering everybody on the shortest list and sorting them is quick when that list is short. A walk is bounded,
// since frequent people may all stand at the far end of an order; what it did not find in time is gathered.

/** No bound on a list: the database wants a number. */
export const EVERY = 4_294_967_295;
/** With several wishes, so many of the shortest list are looked at for the count. */
export const LOOKED_MAX = 20_000;

// What one row takes, in microseconds, as measured with a million people in memory. Only proportions matter.
/** A row of a word's own list, which lies beside the next one. */
const LISTED_US = 1;
/** A profile that lies anywhere. */
const FETCHED_US = 6;

/** A gathering that takes no longer than this needs no thought. */
const SHORT_MS = 40;
/** The longest gathering that is begun before a walk to the end. */
const GATHERED_MS = 900;
/** The longest bounded walk, and the shortest one worth its while, in rows. */
const STEPS_MAX = 15_000;
const STEPS_MIN = 2_000;
/** A walk may need this many times what even spreading would. */
const PATIENCE = 4;

export type List = { size: number; isWord: boolean };

/** About how long it takes to gather the first list and hold every row against the others. */
export const gatheringMs = ([first]: readonly List[]): number =>
  first === undefined
    ? Number.POSITIVE_INFINITY
    : (first.size * (first.isWord ? LISTED_US : FETCHED_US)) / 1_000;

/** Whether a gathering is the better end of a walk that has not found enough. */
export const isGatherable = (lists: readonly List[]): boolean => gatheringMs(lists) <= GATHERED_MS;
export const isShort = (lists: readonly List[]): boolean => gatheringMs(lists) <= SHORT_MS;

export type Road = 'gather' | { steps: number };
type Ways = {
  /** All wishes, shortest list first. */
  lists: readonly List[];
  /** Those that a walk checks; the others say where it begins and ends. */
  checked: readonly List[];
  everybody: number;
};

/** How many rows of the order a walk would look at for `limit` that fit, if those were spread evenly. */
const expectedSteps = (limit: number, { checked, everybody }: Ways): number =>
  checked.reduce((steps, { size }) => steps / Math.min(1, Math.max(size, 1) / Math.max(everybody, 1)), limit);

/** The first road to try; every road finds the same people. */
export const roadTo = (limit: number, ways: Ways): Road => {
  if (isShort(ways.lists)) return 'gather';
  const expected = expectedSteps(limit, ways);
  const steps = Math.min(STEPS_MAX, Math.max(STEPS_MIN, Math.ceil(expected * PATIENCE)));
  const walkingMs = (steps * FETCHED_US) / 1_000;
  const isLikelyVain = expected > STEPS_MAX;
  const gathering = gatheringMs(ways.lists);
  return gathering <= walkingMs || (isLikelyVain && gathering <= GATHERED_MS) ? 'gather' : { steps };
};
