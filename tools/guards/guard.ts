/** A few lines of code that protect money, credits or users, and the tests that must fail without them. */
export type Guard = {
  name: string;
  protects: string;
  file: string;
  /** The exact source text of the guard, which occurs once in its file. */
  guard: string;
  /** The source text that replaces the guard when it is removed. */
  without: string;
  tests: readonly string[];
  /** A part of the titles of the tests to run, where the whole file would take long. */
  titles?: string;
};

/** Returns the source without its guard, or null unless the text of the guard occurs exactly once. */
export const withoutGuard = (source: string, { guard, without }: Guard): string | null => {
  const [before, after, ...more] = source.split(guard);
  return before === undefined || after === undefined || more.length > 0 ? null : before + without + after;
};
