// A user is warned when no more is left than after LOW_PERCENT of a window's credits, and when nothing is, by the charge that makes it
// so. What is left counts in all buckets: nobody with a pack is short of credits. A charge that takes the last credit is the warning of an
// exhausted window alone, also when the window was not low before.

/** Percent of a window's limit. */
export type Threshold = 80 | 100;

export const LOW_PERCENT = 80;
export const EXHAUSTED_PERCENT = 100;

/** The threshold that a charge of `amount` credits reaches, after which `left` are left in all buckets; null for none. */
export const thresholdReached = ({
  limit,
  left,
  amount,
}: {
  limit: number;
  left: number;
  amount: number;
}): Threshold | null => {
  if (left === 0) return EXHAUSTED_PERCENT;
  const low = limit - Math.ceil((limit * LOW_PERCENT) / 100);
  return left <= low && left + amount > low ? LOW_PERCENT : null;
};
