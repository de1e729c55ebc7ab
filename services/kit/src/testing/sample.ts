import { randomFrom } from './random.ts';

/** True in `make test-long`, where what is sampled otherwise runs in full. */
export const isLongRun = process.env['TEST_LONG'] === 'yes';

/** Changes daily, so that samples cover more with each day; SEED repeats a run. Belongs in the title of each test that uses it. */
export const seed = Number(process.env['SEED'] ?? Math.floor(Date.now() / 86_400_000));

/** Returns `count` of the items, chosen by the seed and in their order, or all of them in a long run. */
export const sample = <Item>(items: readonly Item[], count: number): Item[] => {
  if (isLongRun || items.length <= count) return [...items];
  const random = randomFrom(seed);
  const chosen = items
    .map((_, index) => ({ index, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, count);
  const indexes = new Set(chosen.map(({ index }) => index));
  return items.filter((_, index) => indexes.has(index));
};
