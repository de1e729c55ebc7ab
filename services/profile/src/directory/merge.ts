// Step 3 of a search, second algorithm: the merge. It reads the whole range of the cheapest predicate, checks the other predicates
// on its rows and sorts them; a user with several rows in a range of terms is merged into one.
import type { Tx } from '@shortlist/kit/data/db';
import { selectRows } from '@shortlist/kit/data/sql';
import {
  afterPageCursor,
  COLUMNS,
  DIRECTORY_ROW,
  type DirectoryRecord,
  orderOf,
  type Page,
} from './directory-row.ts';
import { ANY_USER, whereAll } from './predicates.ts';
import { NO_LIMIT } from './query-plan.rules.ts';

/** The rows read for each user of the page, since a user may have several terms in the range. */
const ROWS_PER_USER = 3;

export const mergePredicates = async (
  tx: Tx,
  page: Page,
  rowsPerUser = ROWS_PER_USER,
): Promise<DirectoryRecord[]> => {
  const [first = ANY_USER, ...others] = page.search.predicates;
  const { sql, values } = whereAll([
    first.range,
    ...others.map(({ check }) => check),
    ...afterPageCursor(page),
  ]);
  const order = orderOf(page.sorting);
  const limit = first.isTerm ? Math.min(page.limit * rowsPerUser, NO_LIMIT) : page.limit;
  // The derived table has ids only, so that the other columns are read for the rows of the page and not for all that are sorted.
  const rows = await selectRows(tx, DIRECTORY_ROW, {
    sql: `SELECT ${COLUMNS} FROM (SELECT p.user_id FROM ${first.source} ${sql} ORDER BY ${order} LIMIT ?) AS found
      STRAIGHT_JOIN profiles p ON p.user_id = found.user_id ORDER BY ${order}`,
    values: [...values, limit],
  });
  const users = rows.filter(({ id }, index) => id !== rows[index - 1]?.id);
  const isComplete = rows.length < limit || users.length >= page.limit;
  return isComplete ? users.slice(0, page.limit) : mergePredicates(tx, page, rowsPerUser * 10);
};
