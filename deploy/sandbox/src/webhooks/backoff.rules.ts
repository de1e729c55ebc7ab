import { DAY, HOUR } from '../model/billing-cycle.rules.ts';
/**
 * A delivery without a 2xx response is retried after 1 s, 5 s, 30 s, 2 min, 10 min, 1 h, 3 h and then every 12 h,
 * until three days after the first attempt.
 */
const RETRY_DELAYS_SECONDS = [1, 5, 30, 120, 600, HOUR, 3 * HOUR];
const FINAL_DELAY_SECONDS = 12 * HOUR;
const MAX_AGE_SECONDS = 3 * DAY;

type DeliveryHistory = {
  firstAt: number;
  attempts: number;
  now: number;
};

/** Returns the time of the next attempt in milliseconds, or null when the retries are exhausted. */
export const nextAttemptAt = ({ firstAt, attempts, now }: DeliveryHistory): number | null => {
  const next = now + (RETRY_DELAYS_SECONDS[attempts - 1] ?? FINAL_DELAY_SECONDS) * 1000;
  return next > firstAt + MAX_AGE_SECONDS * 1000 ? null : next;
};
