import type { DirectoryPage } from '@shortlist/contracts/api/public';
import { useDirectoryTotals } from '../../lib/data/use-directory.ts';
import { timeOfDay } from '../../lib/dates.ts';
import { directoryText } from '../../messages/directory.ts';
import { FILTERS, type ListState } from './list-state.ts';

/**
 * The range of the rows in the whole list. The server stops counting a long list. The number of all users is counted elsewhere, not
 * for each page; that of a filtered list stays open.
 */
export const useRange = (page: DirectoryPage, list: ListState): string => {
  const isFiltered = FILTERS.some((name) => list.params.has(name));
  const { data: totals } = useDirectoryTotals(page.isCapped && !isFiltered);
  const start = (list.pageNumber - 1) * (list.query.limit ?? 0) + 1;
  const end = start + page.data.length - 1;
  if (page.data.length === 0) return directoryText('emptyRange', { total: page.total });
  // The list may be longer than it was at the time of a count.
  const values = { start, end, total: Math.max(page.total, totals?.registered ?? 0, end) };
  if (!page.isCapped) return directoryText('range', values);
  return totals === undefined
    ? directoryText('rangeOfMore', values)
    : directoryText('rangeAsOf', { ...values, time: timeOfDay(totals.countedAt) });
};
