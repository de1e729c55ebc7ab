// The input of the query plan: the predicates of a search with the optimizer's estimates of their ranges.
import type { Tx } from '@shortlist/kit/data/db';
import { estimateRows } from '@shortlist/kit/data/sql';
import { ANY_USER, type Filters, type Predicate, predicatesOf, unionAll } from './predicates.ts';
import { mergeMs } from './query-plan.rules.ts';

/** A predicate and the estimated number of rows in its range. */
export type SizedPredicate = Predicate & { size: number };
export type Search = { predicates: SizedPredicate[]; userCount: number };

/** A search without filters. */
export const NO_FILTER: Search = { predicates: [], userCount: 0 };

/** Estimates all ranges in one statement, for which InnoDB samples a few pages of each index, and sorts them by cost. */
export const prepareSearch = async (tx: Tx, filters: Filters, now: Date): Promise<Search> => {
  const predicates = predicatesOf(filters, now);
  if (predicates.length === 0) return NO_FILTER;
  const ranges = [ANY_USER, ...predicates].map(({ source, range }) => ({
    sql: `SELECT p.user_id FROM ${source} WHERE ${range.sql}`,
    values: range.values,
  }));
  const [userCount = 0, ...sizes] = await estimateRows(tx, unionAll(ranges));
  // InnoDB doubles the estimate of a range that it has only sampled.
  const sized = predicates.map((predicate, index) => ({
    ...predicate,
    size: Math.ceil((sizes[index] ?? 0) / 2),
  }));
  const costOf = (predicate: SizedPredicate): number => mergeMs({ predicates: [predicate], userCount }, 1);
  return { predicates: sized.toSorted((one, other) => costOf(one) - costOf(other)), userCount };
};
