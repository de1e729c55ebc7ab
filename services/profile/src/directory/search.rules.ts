// Two roads lead to a page. Walking the index that is in the asked order and checking each row is quick when rows that fit are
// frequent; gathering everybody on the shortest list and sorting them is quick when that list is short. A walk is bounded,
// since frequent people may all stand at the far end of an order; what it did not find in time is gathered.

/** No bound on a list: the database wants a number. */
export const EVERY = 4_294_967_295;
/** With several wishes, so many of the shortest list are looked at for the count. */
export const LOOKED_MAX = 20_000;
/** A list up to here is gathered at once. */
export const SHORT_LIST = 10_000;
/** The longest list that is gathered at all: some tenths of a second. */
export const GATHERED_MAX = 150_000;
/** The longest bounded walk. */
const STEPS_MAX = 15_000;
const STEPS_MIN = 2_000;
/** A walk may need this many times what even spreading would. */
const PATIENCE = 4;

type Lists = {
  /** About how many meet each wish that a walk checks. */
  sizes: readonly number[];
  /** The shortest list of all. */
  shortest: number;
  everybody: number;
};

/** How many rows of the order a walk would look at for `limit` that fit, if those were spread evenly. */
const expectedSteps = (limit: number, { sizes, everybody }: Lists): number =>
  sizes.reduce((steps, size) => steps / Math.min(1, Math.max(size, 1) / Math.max(everybody, 1)), limit);

export type Road = 'gather' | { steps: number };

/** The first road to try; every road finds the same people. */
export const roadTo = (limit: number, lists: Lists): Road => {
  if (lists.shortest <= SHORT_LIST) return 'gather';
  const steps = expectedSteps(limit, lists);
  if (steps > STEPS_MAX && lists.shortest <= GATHERED_MAX) return 'gather';
  return { steps: Math.min(STEPS_MAX, Math.max(STEPS_MIN, Math.ceil(steps * PATIENCE))) };
};
