/** Lengths of time in milliseconds. A day has 24 hours: a calendar's day is another matter. */
export const seconds = (count: number): number => count * 1_000;
export const minutes = (count: number): number => seconds(count * 60);
export const hours = (count: number): number => minutes(count * 60);
export const days = (count: number): number => hours(count * 24);

/** The seconds of a length of time, for cookies, Redis and tokens. */
export const inSeconds = (milliseconds: number): number => milliseconds / 1_000;

/** The day of the calendar at a time, in UTC, as YYYY-MM-DD. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
