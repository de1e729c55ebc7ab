// What is known of deletions after an instant. Each list has the deletions between two instants, and the next one begins where it ends. The first
// one begins before the oldest backup, so a gap means that a file is missing from the store.
import type { DeletionList } from './manifest.ts';

const timeOf = (instant: string): number => Date.parse(instant);

type Span = { from: Date; to: Date };

/** The lists that say who was deleted after an instant, the times since then without a list, and the end of the last list. */
export const listsAfter = (
  deletions: readonly DeletionList[],
  at: Date,
): { lists: DeletionList[]; gaps: Span[]; until: Date } => {
  const lists = deletions
    .filter(({ until }) => timeOf(until) > at.getTime())
    .toSorted((left, right) => timeOf(left.since) - timeOf(right.since));
  const gaps: Span[] = [];
  let covered = at.getTime();
  for (const { since, until } of lists) {
    if (timeOf(since) > covered) gaps.push({ from: new Date(covered), to: new Date(since) });
    covered = Math.max(covered, timeOf(until));
  }
  return { lists, gaps, until: new Date(covered) };
};
