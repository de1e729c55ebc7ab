/**
 * A delivery that is not answered with 2xx is tried again after 1 s, 5 s, 30 s, 2 min, 10 min, 1 h, 3 h and from
 * then on every 12 h, until three days have passed since the first attempt.
 */
const seconds = [1, 5, 30, 120, 600, 3600, 10_800];
const later = 43_200;
const longest = 3 * 86_400;

type DeliveryHistory = {
  firstAt: number;
  attempts: number;
  now: number;
};

/** The moment of the next attempt in milliseconds, or null when it is given up. */
export const nextAttemptAt = ({ firstAt, attempts, now }: DeliveryHistory): number | null => {
  const next = now + (seconds[attempts - 1] ?? later) * 1000;
  return next > firstAt + longest * 1000 ? null : next;
};
