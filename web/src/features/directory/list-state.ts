import {
  DIRECTORY_SORTS,
  type DirectoryPage,
  type DirectoryQuery,
  type DirectorySort,
} from '@shortlist/contracts/api/directory';
import { DIRECTORY_PAGE, DIRECTORY_SEARCH_MAX } from '@shortlist/contracts/limits';
import { COUNTRIES } from '@shortlist/contracts/option-lists';
import { useCallback, useEffect, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useDirectoryTotals } from '../../lib/data/use-directory.ts';
import { timeOfDay } from '../../lib/dates.ts';
import { useAppDispatch } from '../../lib/state/hooks.tsx';
import { type ListHistory, listView } from '../../lib/state/list-view.ts';
import {
  changedParams,
  currentParams,
  periodBetween,
  useUrlPages,
  withoutPage,
} from '../../lib/url-filters.ts';
import { directoryText } from '../../messages/directory.ts';

export const PAGE_SIZES = [25, 50, 100, 200] as const;
export const FILTERS = ['search', 'plan', 'payment', 'country', 'joinedFrom', 'joinedTo'] as const;

const sortOf = (value: string | null): DirectorySort => {
  const knownSort = DIRECTORY_SORTS.find((name) => value === name || value === `-${name}`);
  return knownSort === undefined ? '-createdAt' : (value as DirectorySort);
};

const limitOf = (value: string | null): number =>
  PAGE_SIZES.find((size) => String(size) === value) ?? DIRECTORY_PAGE;

const planOf = (value: string | null): DirectoryQuery['plan'] | undefined =>
  value === 'premium' || value === 'free' ? value : undefined;

const countryOf = (value: string | null): string | undefined =>
  COUNTRIES.find((country) => country === value);

/** The directory query of the URL, without invalid parameters. */
const queryOf = (params: URLSearchParams): DirectoryQuery => {
  const joined = periodBetween(params.get('joinedFrom'), params.get('joinedTo'));
  const query = {
    search: params.get('search')?.slice(0, DIRECTORY_SEARCH_MAX),
    plan: planOf(params.get('plan')),
    payment: params.get('payment') === 'problem' ? 'problem' : undefined,
    country: countryOf(params.get('country')),
    joinedFrom: joined.from,
    joinedTo: joined.to,
    sort: sortOf(params.get('sort')),
    limit: limitOf(params.get('limit')),
    cursor: params.get('cursor'),
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => Boolean(value)));
};

/** The list's own parameters, without the notices, which are shown once. */
const listSearch = (params: URLSearchParams): string => {
  const names = [...FILTERS, 'sort', 'limit', 'cursor', 'page'];
  return new URLSearchParams([...params].filter(([name]) => names.includes(name))).toString();
};

/** Stores the view, so that the links back from a user restore it. */
const useRememberView = (params: URLSearchParams, cursors: string[]): void => {
  const dispatch = useAppDispatch();
  useEffect(() => {
    dispatch(listView.changed({ search: listSearch(params), cursors }));
  }, [dispatch, params, cursors]);
};

/** The list's state is in the URL, so that a link, a reload or Back restores it. */
export const useListState = () => {
  const [params, setParams] = useSearchParams();
  const { cursors, pageNumber, goNext, goPrevious } = useUrlPages();
  const query = useMemo(() => queryOf(params), [params]);
  useRememberView(params, cursors);

  const change = useCallback(
    (part: Record<string, string>, options: { replace?: boolean } = {}): void =>
      setParams(
        // A change made just before may not be rendered yet, and must not be lost.
        () => changedParams(withoutPage(currentParams()), part),
        { replace: options.replace ?? false },
      ),
    [setParams],
  );

  /** Leads to the first page of a list whose page is no longer available. */
  const restart = useCallback(
    (problem: string): void =>
      setParams(() => withoutPage(currentParams()), {
        replace: true,
        state: { problem } satisfies ListHistory,
      }),
    [setParams],
  );

  return { params, query, pageNumber, change, restart, goNext, goPrevious };
};

export type ListState = ReturnType<typeof useListState>;

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
