// Step 2 of a search: the query plan. Two algorithms return a page. The index scan reads the index of the sort order and checks each
// row: it is fast when matching rows are frequent. The merge reads the whole range of the most selective predicate, checks the
// others and sorts: it is fast when that range is short. A scan has a row budget, because the matching rows may all be at the far
// end of the order; what it has not found by then is merged.

/** No limit of rows; the database requires a number. */
export const NO_LIMIT = 4_294_967_295;
/** With several predicates, the number of rows of the first range that are checked for the count. */
export const COUNTED_ROWS_MAX = 10_000;

// Costs of a row in microseconds, measured with a million users in memory. Only their proportions matter.
/** A row of directory_terms, which is adjacent to the previous one. */
const TERM_ROW_US = 0.5;
/** A row of profiles, which may be on any page. */
const PROFILE_ROW_US = 4;
/** Sorting a row by one column, and by two. */
const SORTED_US = [0.5, 2] as const;

/** A merge of at most this duration needs no alternative. */
const SHORT_MERGE_MS = 30;
/** The longest merge that is preferred to a scan without a budget. */
const LONGEST_MERGE_MS = 900;
/** A scan may find nothing: its budget is this share of the merge's duration, and at most this many rows. */
const SCAN_SHARE = 0.3;
const SCAN_ROWS_MAX = 30_000;

export type SizedRange = { size: number; isTerm: boolean };
export type Estimates = {
  /** All predicates of the search, cheapest range first. */
  predicates: readonly SizedRange[];
  userCount: number;
};

/** The share of users to whom all predicates apply, if the predicates are independent. */
const shareOf = (predicates: readonly SizedRange[], userCount: number): number =>
  predicates.reduce((share, { size }) => share * Math.min(1, Math.max(size, 1) / Math.max(userCount, 1)), 1);

/** The estimated duration of reading the first range, checking the other predicates and sorting by `columns` columns. */
export const mergeMs = (
  { predicates: [first, ...others], userCount }: Estimates,
  columns: number,
): number => {
  if (first === undefined) return Number.POSITIVE_INFINITY;
  const reading = first.isTerm ? TERM_ROW_US : PROFILE_ROW_US;
  const sorting = columns > 1 ? SORTED_US[1] : SORTED_US[0];
  return (first.size * (reading + sorting * shareOf(others, userCount))) / 1_000;
};

/** Whether a merge is preferred to a scan without a budget. */
export const canMerge = (estimates: Estimates, columns: number): boolean =>
  mergeMs(estimates, columns) <= LONGEST_MERGE_MS;
export const isShortMerge = (estimates: Estimates, columns: number): boolean =>
  mergeMs(estimates, columns) <= SHORT_MERGE_MS;

export type QueryPlan = 'merge' | { scanRows: number };

type PlannedPage = {
  limit: number;
  /** The number of sort columns. */
  columns: number;
  /** The predicates that a scan checks. The others are a range of the sort order. */
  checked: readonly SizedRange[];
};

/** The algorithm to start with. Both return the same rows; the plan affects the duration only. */
export const planPage = (estimates: Estimates, { limit, columns, checked }: PlannedPage): QueryPlan => {
  if (isShortMerge(estimates, columns)) return 'merge';
  const affordable = Math.ceil((mergeMs(estimates, columns) * 1_000 * SCAN_SHARE) / PROFILE_ROW_US);
  const scanRows = Math.min(SCAN_ROWS_MAX, affordable);
  const exceedsBudget = limit / shareOf(checked, estimates.userCount) > scanRows;
  return exceedsBudget && canMerge(estimates, columns) ? 'merge' : { scanRows };
};
