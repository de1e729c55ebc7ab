/** A set of row ids with one bit each: the 50 million rows of a large outbox take 6 MB. */
export type RowSet = { add: (id: number) => void; has: (id: number) => boolean };

/** Creates an empty set for the ids from `first` to `last`; `add` ignores others. */
export const createRowSet = (first: number, last: number): RowSet => {
  const bits = new Uint8Array(Math.ceil((last - first + 1) / 8));
  return {
    add: (id) => {
      const index = id - first;
      if (index < 0 || id > last) return;
      bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
    },
    has: (id) => {
      const index = id - first;
      return ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
    },
  };
};
