const DIGIT = `(SELECT 0 AS digit ${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => `UNION SELECT ${digit}`).join(' ')})`;

/** A table for statements that insert many rows: `n` has each number from 0 to below the limit. */
export const numbersBelow = (limit: number): string => {
  const places = Array.from({ length: String(limit - 1).length }, (_, index) => index);
  const sum = places.map((place) => `${10 ** place} * place${place}.digit`).join(' + ');
  const from = places.map((place) => `${DIGIT} place${place}`).join(', ');
  return `(SELECT ${sum} AS n FROM ${from} HAVING n < ${limit}) AS numbers`;
};
