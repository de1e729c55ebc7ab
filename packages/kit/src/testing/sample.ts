/** A small deterministic generator (mulberry32), so that a run can be repeated from its printed seed. */
import { days } from '@shortlist/contracts/durations';
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** True in `make test-long`, which runs in full what is otherwise sampled. */
export const isLongRun = process.env['TEST_LONG'] === 'yes';

/** Changes daily, so that samples cover more over time; SEED repeats a run. Belongs in the title of each test that uses it. */
export const seed = Number(process.env['SEED'] ?? Math.floor(Date.now() / days(1)));

export const shuffle = <Item>(items: readonly Item[], random: () => number): Item[] =>
  items
    .map((item) => ({ item, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);

/** Returns `count` of the items in their order, chosen by the seed, or all of them in a long run. */
export const sample = <Item>(items: readonly Item[], count: number): Item[] => {
  if (isLongRun || items.length <= count) return [...items];
  const chosen = new Set(shuffle([...items.keys()], randomFrom(seed)).slice(0, count));
  return items.filter((_, index) => chosen.has(index));
};
