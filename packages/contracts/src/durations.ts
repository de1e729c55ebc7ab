/** Durations in milliseconds. A day has 24 hours, unlike a calendar day. */
export const seconds = (count: number): number => count * 1_000;
export const minutes = (count: number): number => seconds(count * 60);
export const halfHours = (count: number): number => minutes(count * 30);
export const hours = (count: number): number => minutes(count * 60);
export const days = (count: number): number => hours(count * 24);

/** The start of the span of this length that a time is in, counted from 1970 in UTC. */
export const startOf = (time: Date, length: number): Date =>
  new Date(Math.floor(time.getTime() / length) * length);

/** The same day and time of a later month, or that month's last day if it is shorter. UTC. */
export const monthsAfter = (from: Date, count: number): Date => {
  const later = new Date(from);
  later.setUTCMonth(later.getUTCMonth() + count, 1);
  const lastDay = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate();
  later.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return later;
};

/** A duration in seconds, for cookies, Redis and tokens. */
export const inSeconds = (milliseconds: number): number => milliseconds / 1_000;

/** The UTC date of an instant, as YYYY-MM-DD. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
