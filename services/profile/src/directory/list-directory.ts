// Step 4 of a search: runs the plan, and the other algorithm when the first has used its budget.
import type { Tx } from '@shortlist/kit/data/db';
import type { DirectoryRecord, Page } from './directory-row.ts';
import { checkedPredicates, scanIndex, scanIndexWithin } from './index-scan.ts';
import { mergePredicates } from './merge.ts';
import { canMerge, isShortMerge, planPage } from './query-plan.rules.ts';

/** The users of a page to whom all predicates apply, in order. */
export const listDirectory = async (tx: Tx, page: Page): Promise<DirectoryRecord[]> => {
  const checked = checkedPredicates(page);
  if (checked.length === 0) return scanIndex(tx, page);
  const columns = page.sorting.columns.length;
  const plan = planPage(page.search, { limit: page.limit, columns, checked });
  if (plan === 'merge') return mergePredicates(tx, page);
  const { rows, isComplete } = await scanIndexWithin(tx, page, plan.scanRows);
  if (isComplete) return rows;
  return canMerge(page.search, columns) ? mergePredicates(tx, page) : scanIndex(tx, page);
};

/** A page for a reader that reads all pages: one algorithm for all of them, so that no work is repeated for each page. */
export const listWhole = (tx: Tx, page: Page): Promise<DirectoryRecord[]> =>
  page.search.predicates.length > 0 && isShortMerge(page.search, page.sorting.columns.length)
    ? mergePredicates(tx, page)
    : scanIndex(tx, page);
