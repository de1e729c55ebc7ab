import { DIRECTORY_COUNT_MAX } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import type { Condition } from './directory.rules.ts';
import { type Filters, type Wish, wishesOf } from './filters.ts';
import { gatheringMs, LOOKED_MAX } from './search.rules.ts';

/** A wish and about how many meet it. */
export type SizedWish = Wish & { size: number };
/** What is asked for, the list first that is soonest read, and about how many people there are. */
export type Search = { wishes: SizedWish[]; anyCaller: number };

export const ANY_CALLER: Search = { wishes: [], anyCaller: 0 };

const TRUE: Condition = { sql: 'TRUE', values: [] };
export const NO_WISH: SizedWish = {
  from: 'profiles p',
  list: TRUE,
  check: TRUE,
  isWord: false,
  size: 0,
};

const joined = (parts: readonly Condition[], glue: string): Condition => ({
  sql: parts.map(({ sql }) => sql).join(glue),
  values: parts.flatMap(({ values }) => values),
});

export const whereAll = (conditions: readonly Condition[]): Condition => {
  const { sql, values } = joined(conditions, ' AND ');
  return { sql: sql === '' ? '' : `WHERE ${sql}`, values };
};

/** Looks at a search once: the database's own estimates, made from a few pages of each index. */
export const prepareSearch = async (tx: Tx, filters: Filters, now: Date): Promise<Search> => {
  const wishes = wishesOf(filters, now);
  if (wishes.length === 0) return ANY_CALLER;
  const lists = [NO_WISH, ...wishes].map(({ from, list }): Condition => ({
    sql: `SELECT p.user_id FROM ${from} WHERE ${list.sql}`,
    values: list.values,
  }));
  const { sql, values } = joined(lists, ' UNION ALL ');
  const estimates: { rows: number | null }[] = await tx.query(`EXPLAIN ${sql}`, values);
  const [anyCaller = 0, ...sizes] = estimates.map(({ rows }) => Number(rows ?? 0));
  // InnoDB doubles what it finds in a range that it has only sampled.
  const known = wishes.map((wish, index) => ({ ...wish, size: Math.ceil((sizes[index] ?? 0) / 2) }));
  const costOf = (wish: SizedWish): number => gatheringMs({ wishes: [wish], anyCaller }, 1);
  return { wishes: known.toSorted((one, other) => costOf(one) - costOf(other)), anyCaller };
};

/** What checks look at. */
const CHECKED = 'p.user_id, p.email, p.words, p.country, p.created_at, p.premium_until';

type Count = { total: number; isCapped: boolean };

const countListed = async (tx: Tx, { from, list }: Wish): Promise<Count> => {
  const [row]: { met: number }[] = await tx.query(
    `SELECT COUNT(*) AS met FROM (SELECT DISTINCT p.user_id FROM ${from} WHERE ${list.sql} LIMIT ?) AS among`,
    [...list.values, DIRECTORY_COUNT_MAX + 1],
  );
  const met = Number(row?.met);
  return { total: Math.min(met, DIRECTORY_COUNT_MAX), isCapped: met > DIRECTORY_COUNT_MAX };
};

/**
 * How many there are, counted no further than a person would read, and with several wishes no further than the first list is
 * quickly looked through.
 */
export const countDirectory = async (
  tx: Tx,
  { wishes: [first = NO_WISH, ...others] }: Search,
): Promise<Count> => {
  if (others.length === 0) return countListed(tx, first);
  const list = `FROM ${first.from} WHERE ${first.list.sql} LIMIT ?`;
  const listValues = [...first.list.values, LOOKED_MAX + 1];
  const { sql, values } = whereAll(others.map(({ check }) => check));
  const [row]: { looked: number; met: number }[] = await tx.query(
    `SELECT (SELECT COUNT(*) FROM (SELECT p.user_id ${list}) AS listed) AS looked,
       (SELECT COUNT(DISTINCT p.user_id) FROM (SELECT ${CHECKED} ${list}) AS p ${sql}) AS met`,
    [...listValues, ...listValues, ...values],
  );
  const [looked, met] = [Number(row?.looked), Number(row?.met)];
  return {
    total: Math.min(met, DIRECTORY_COUNT_MAX),
    isCapped: looked > LOOKED_MAX || met > DIRECTORY_COUNT_MAX,
  };
};
