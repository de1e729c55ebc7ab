/** A few lines of code, and the tests that must fail without them. */
export type Guard = {
  file: string;
  /** The exact source text of the guard, which occurs once in its file. */
  guard: string;
  /** The source text that replaces the guard when it is removed; default: none. */
  without?: string;
  /** A test file; after ` > ` a part of the titles to run, where the whole file would take long. */
  tests: string;
};

/** Guards by what they protect. */
export type Guards = Readonly<Record<string, Guard>>;

/** Returns the source without its guard, or null unless the text of the guard occurs exactly once. */
export const withoutGuard = (source: string, { guard, without = '' }: Guard): string | null => {
  const parts = source.split(guard);
  return parts.length === 2 ? parts.join(without) : null;
};
