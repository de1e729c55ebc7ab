import { DIRECTORY_SORTS, type DirectoryQuery, type DirectorySort } from '@shortlist/contracts/api/public';
import { DIRECTORY_PAGE, DIRECTORY_SEARCH_MAX } from '@shortlist/contracts/limits';
import { COUNTRIES } from '@shortlist/contracts/option-lists';
import { useCallback, useEffect, useMemo } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { useAppDispatch } from '../../lib/state/hooks.ts';
import { listView } from '../../lib/state/list-view.ts';

export const PAGE_SIZES = [25, 50, 100, 200] as const;
export const FILTERS = ['search', 'plan', 'country', 'joinedFrom', 'joinedTo'] as const;

/** Sets parts of the address; an empty one goes. */
export type ChangeList = (part: Record<string, string>, options?: { replace?: boolean }) => void;

const DATE = /^\d{4}-\d{2}-\d{2}$/;

const sortOf = (value: string | null): DirectorySort => {
  const knownSort = DIRECTORY_SORTS.find((name) => value === name || value === `-${name}`);
  return knownSort === undefined ? '-createdAt' : (value as DirectorySort);
};

const limitOf = (value: string | null): number =>
  PAGE_SIZES.find((size) => String(size) === value) ?? DIRECTORY_PAGE;

/** A day as the moment it begins or ends where the viewer is. */
const dayEdge = (day: string, edge: 'start' | 'end'): string =>
  new Date(`${day}T${edge === 'start' ? '00:00:00.000' : '23:59:59.999'}`).toISOString();

const planOf = (value: string | null): DirectoryQuery['plan'] | undefined =>
  value === 'premium' || value === 'free' ? value : undefined;

const dayOf = (value: string | null, edge: 'start' | 'end'): string | undefined =>
  value !== null && DATE.test(value) && !Number.isNaN(Date.parse(value)) ? dayEdge(value, edge) : undefined;

const countryOf = (value: string | null): string | undefined =>
  COUNTRIES.find((country) => country === value);

/** The address as the question it stands for; what makes no sense in it is left out. */
const queryOf = (params: URLSearchParams): DirectoryQuery => {
  const query = {
    search: params.get('search')?.slice(0, DIRECTORY_SEARCH_MAX),
    plan: planOf(params.get('plan')),
    country: countryOf(params.get('country')),
    joinedFrom: dayOf(params.get('joinedFrom'), 'start'),
    joinedTo: dayOf(params.get('joinedTo'), 'end'),
    sort: sortOf(params.get('sort')),
    limit: limitOf(params.get('limit')),
    cursor: params.get('cursor'),
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => Boolean(value)));
};

/** The address as it is, which a change made just before may not have been rendered from yet: neither must undo the other. */
const currentParams = (): URLSearchParams => new URLSearchParams(window.location.search);

/** Without the notices, which are told once. */
const listSearch = (params: URLSearchParams): string => {
  const names = [...FILTERS, 'sort', 'limit', 'cursor', 'page'];
  return new URLSearchParams([...params].filter(([name]) => names.includes(name))).toString();
};

/** Remembers how the list looks, so that the way back from a user leads to it. */
const useRememberView = (params: URLSearchParams, cursors: string[]): void => {
  const dispatch = useAppDispatch();
  useEffect(() => {
    dispatch(listView.changed({ search: listSearch(params), cursors }));
  }, [dispatch, params, cursors]);
};

type HistoryState = { cursors?: string[] } | null;

/**
 * The list's state, which lives in the address, so that a link, a reload or Back restores it. The cursors of the pages
 * before are kept in the history entry; a page opened by a bare link has none and goes back to the first.
 */
export const useListState = () => {
  const [params, setParams] = useSearchParams();
  const state = useLocation().state as HistoryState;
  const cursors = useMemo(() => state?.cursors ?? [], [state]);
  const query = useMemo(() => queryOf(params), [params]);
  useRememberView(params, cursors);
  // The number alone leads nowhere: a page is found by its cursor.
  const pageNumber = params.has('cursor')
    ? Math.max(Number.parseInt(params.get('page') ?? '1', 10) || 1, 1)
    : 1;

  const change = useCallback(
    (part: Record<string, string>, options: { replace?: boolean } = {}): void =>
      setParams(
        () => {
          const after = currentParams();
          for (const name of ['cursor', 'page']) after.delete(name);
          for (const [name, value] of Object.entries(part))
            if (value === '') after.delete(name);
            else after.set(name, value);
          return after;
        },
        { replace: options.replace ?? false },
      ),
    [setParams],
  );

  const goTo = (cursor: string, page: number, previousCursors: string[]): void =>
    setParams(
      () => {
        const after = currentParams();
        if (cursor === '') after.delete('cursor');
        else after.set('cursor', cursor);
        if (page <= 1) after.delete('page');
        else after.set('page', String(page));
        return after;
      },
      { state: { cursors: previousCursors } },
    );

  const goNext = (cursor: string): void =>
    goTo(cursor, pageNumber + 1, [...cursors, params.get('cursor') ?? '']);
  const goPrevious = (): void => {
    const previousCursor = cursors.at(-1);
    if (previousCursor === undefined) goTo('', 1, []);
    else goTo(previousCursor, pageNumber - 1, cursors.slice(0, -1));
  };
  return { params, query, pageNumber, change, goNext, goPrevious };
};
