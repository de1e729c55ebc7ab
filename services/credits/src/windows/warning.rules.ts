// A user is warned when LOW_PERCENT of a window's credits are used, and when all are, by the charge that makes it so. A charge that
// takes the last credit is the warning of an exhausted window alone, also when the window was not low before.

/** Percent of a window's limit. */
export type Threshold = 80 | 100;

export const LOW_PERCENT = 80;
export const EXHAUSTED_PERCENT = 100;

/** The threshold that the use of a window reaches with a charge of `amount` credits, after which it is `used`; null for none. */
export const thresholdReached = ({
  limit,
  used,
  amount,
}: {
  limit: number;
  used: number;
  amount: number;
}): Threshold | null => {
  if (used === limit) return EXHAUSTED_PERCENT;
  const low = Math.ceil((limit * LOW_PERCENT) / 100);
  return used >= low && used - amount < low ? LOW_PERCENT : null;
};
