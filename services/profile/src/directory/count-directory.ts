import { DIRECTORY_COUNT_MAX } from '@shortlist/contracts/limits';
import type { Tx } from '@shortlist/kit/data/db';
import { integer, selectRow } from '@shortlist/kit/data/sql';
import { ANY_USER, type Predicate, whereAll } from './predicates.ts';
import { COUNTED_ROWS_MAX } from './query-plan.rules.ts';
import type { Search } from './query-plan.ts';

type Count = { total: number; isCapped: boolean };

/** The columns that the checks of predicates read. */
const CHECKED_COLUMNS = 'p.user_id, p.email, p.terms, p.country, p.created_at, p.premium_until';

// By hand, as both are hot, and the builder lacks FORCE INDEX.
const countRange = async (tx: Tx, { source, range }: Predicate): Promise<Count> => {
  const row = await selectRow(
    tx,
    { matches: integer },
    {
      sql: `SELECT COUNT(*) AS matches FROM (SELECT DISTINCT p.user_id FROM ${source} WHERE ${range.sql} LIMIT ?) AS counted`,
      values: [...range.values, DIRECTORY_COUNT_MAX + 1],
    },
  );
  const matches = row?.matches ?? 0;
  return { total: Math.min(matches, DIRECTORY_COUNT_MAX), isCapped: matches > DIRECTORY_COUNT_MAX };
};

/** Counts the users of a search up to DIRECTORY_COUNT_MAX; with several predicates, in the first rows of the cheapest range. */
export const countDirectory = async (tx: Tx, { predicates: [first, ...others] }: Search): Promise<Count> => {
  if (first === undefined || others.length === 0) return countRange(tx, first ?? ANY_USER);
  const range = `FROM ${first.source} WHERE ${first.range.sql} LIMIT ?`;
  const rangeValues = [...first.range.values, COUNTED_ROWS_MAX + 1];
  const { sql, values } = whereAll(others.map(({ check }) => check));
  const row = await selectRow(
    tx,
    { counted: integer, matches: integer },
    {
      sql: `SELECT (SELECT COUNT(*) FROM (SELECT p.user_id ${range}) AS counted) AS counted,
      (SELECT COUNT(DISTINCT p.user_id) FROM (SELECT ${CHECKED_COLUMNS} ${range}) AS p ${sql}) AS matches`,
      values: [...rangeValues, ...rangeValues, ...values],
    },
  );
  const { counted, matches } = row ?? { counted: 0, matches: 0 };
  return {
    total: Math.min(matches, DIRECTORY_COUNT_MAX),
    isCapped: counted > COUNTED_ROWS_MAX || matches > DIRECTORY_COUNT_MAX,
  };
};
