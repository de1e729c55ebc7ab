import { UsageError } from './command.ts';

/** A time with its zone, as printed by `date --iso-8601=seconds`. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Parses an argument. Throws a `UsageError` for another text, and for a time in the future. */
export const parseInstant = (text: string, now: Date): Date => {
  const instant = new Date(INSTANT.test(text) ? text : Number.NaN);
  if (Number.isNaN(instant.getTime()))
    throw new UsageError(`${text} is not a time like 2026-01-31T18:00:00Z.`);
  if (instant > now) throw new UsageError(`${text} is in the future.`);
  return instant;
};
