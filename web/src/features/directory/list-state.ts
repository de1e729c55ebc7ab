import {
  DIRECTORY_SORTS,
  type DirectoryPage,
  type DirectoryQuery,
  type DirectorySort,
} from '@shortlist/contracts/api/directory';
import { DIRECTORY_PAGE, DIRECTORY_SEARCH_MAX } from '@shortlist/contracts/limits';
import { COUNTRIES } from '@shortlist/contracts/option-lists';
import { useCallback, useEffect, useMemo } from 'react';
import { type SetURLSearchParams, useLocation, useSearchParams } from 'react-router-dom';
import { useDirectoryTotals } from '../../lib/data/use-directory.ts';
import { timeOfDay } from '../../lib/dates.ts';
import { useAppDispatch } from '../../lib/state/hooks.tsx';
import { type ListHistory, listView } from '../../lib/state/list-view.ts';
import { changedParams, currentParams, periodBetween } from '../../lib/url-filters.ts';
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

const withoutPage = (params: URLSearchParams): URLSearchParams => {
  for (const name of ['cursor', 'page']) params.delete(name);
  return params;
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

type Paging = {
  params: URLSearchParams;
  setParams: SetURLSearchParams;
  cursors: string[];
  pageNumber: number;
};

/** The steps to the next and the previous page. */
const stepsOf = ({ params, setParams, cursors, pageNumber }: Paging) => {
  const goTo = (cursor: string, page: number, previousCursors: string[]): void => {
    // The cursor belongs to the rendered list; the URL already names another one, which is about to replace it.
    if (currentParams().toString() !== params.toString()) return;
    setParams(
      () => {
        const nextParams = currentParams();
        if (cursor === '') nextParams.delete('cursor');
        else nextParams.set('cursor', cursor);
        if (page <= 1) nextParams.delete('page');
        else nextParams.set('page', String(page));
        return nextParams;
      },
      { state: { cursors: previousCursors } satisfies ListHistory },
    );
  };

  const goNext = (cursor: string): void =>
    goTo(cursor, pageNumber + 1, [...cursors, params.get('cursor') ?? '']);
  const goPrevious = (): void => {
    const previousCursor = cursors.at(-1);
    if (previousCursor === undefined) goTo('', 1, []);
    else goTo(previousCursor, pageNumber - 1, cursors.slice(0, -1));
  };
  return { goNext, goPrevious };
};

/**
 * The list's state is in the URL, so that a link, a reload or Back restores it. The history entry holds the cursors of the
 * previous pages; without them, as after a pasted link, Previous leads to the first page.
 */
export const useListState = () => {
  const [params, setParams] = useSearchParams();
  const state = useLocation().state as ListHistory | null;
  const cursors = useMemo(() => state?.cursors ?? [], [state]);
  const query = useMemo(() => queryOf(params), [params]);
  useRememberView(params, cursors);
  // Only the cursor identifies a page; the number is for display.
  const pageNumber = params.has('cursor')
    ? Math.max(Number.parseInt(params.get('page') ?? '1', 10) || 1, 1)
    : 1;

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

  const pages = stepsOf({ params, setParams, cursors, pageNumber });
  return { params, query, pageNumber, change, restart, ...pages };
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
