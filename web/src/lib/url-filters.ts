import { useCallback, useMemo } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { dayEdge } from './dates.ts';

/** Sets query parameters; an empty value removes one. */
export type ChangeFilters = (part: Record<string, string>, options?: { replace?: boolean }) => void;

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Undefined for text that is no day. */
const edgeOf = (day: string | null, edge: 'start' | 'end'): string | undefined =>
  day !== null && DATE.test(day) && !Number.isNaN(Date.parse(day)) ? dayEdge(day, edge) : undefined;

/** The period between two days in the viewer's time zone, in whichever order they were entered. */
export const periodBetween = (one: string | null, other: string | null): { from?: string; to?: string } => {
  const isReversed = one && other && one > other;
  const [from, to] = [edgeOf(isReversed ? other : one, 'start'), edgeOf(isReversed ? one : other, 'end')];
  return { ...(from && { from }), ...(to && { to }) };
};

/** The current URL's parameters, which rendering may lag behind. */
export const currentParams = (): URLSearchParams => new URLSearchParams(window.location.search);

/** A parameter of the current URL, '' without one. */
export const currentParam = (name: string): string => currentParams().get(name) ?? '';

/** A copy of the parameters with `part` set. */
export const changedParams = (params: URLSearchParams, part: Record<string, string>): URLSearchParams => {
  const changed = new URLSearchParams(params);
  for (const [name, value] of Object.entries(part))
    if (value === '') changed.delete(name);
    else changed.set(name, value);
  return changed;
};

/** The parameters of the URL and a function that sets some of them, so that a link, a reload or Back restores what a page shows. */
export const useUrlParams = (): { params: URLSearchParams; change: ChangeFilters } => {
  const [params, setParams] = useSearchParams();
  const change: ChangeFilters = useCallback(
    (part, { replace = false } = {}) => setParams(() => changedParams(currentParams(), part), { replace }),
    [setParams],
  );
  return { params, change };
};

/** Parameters without the page of a list: a list with other filters begins at its first one. */
export const withoutPage = (params: URLSearchParams): URLSearchParams =>
  changedParams(params, { cursor: '', page: '' });

/**
 * The page of a list and the steps to its neighbours. The page is in the URL, and the history entry holds the cursors of the previous
 * pages; without them, as after a pasted link, Previous leads to the first page. Only the cursor identifies a page; the number is for
 * display.
 */
export const useUrlPages = () => {
  const [params, setParams] = useSearchParams();
  const state = useLocation().state as { cursors?: string[] } | null;
  const cursors = useMemo(() => state?.cursors ?? [], [state]);
  const cursor = params.get('cursor') ?? '';
  const pageNumber = cursor === '' ? 1 : Math.max(Number.parseInt(params.get('page') ?? '1', 10) || 1, 1);

  const goTo = (next: string, page: number, previousCursors: string[]): void => {
    // The cursor belongs to the rendered list; the URL already names another one, which is about to replace it.
    if (currentParams().toString() !== params.toString()) return;
    const part = { cursor: next, page: page <= 1 ? '' : String(page) };
    setParams(() => changedParams(currentParams(), part), { state: { cursors: previousCursors } });
  };
  const goNext = (next: string): void => goTo(next, pageNumber + 1, [...cursors, cursor]);
  const goPrevious = (): void => goTo(cursors.at(-1) ?? '', pageNumber - 1, cursors.slice(0, -1));
  const goFirst = (): void => goTo('', 1, []);
  return { cursor, cursors, pageNumber, goNext, goPrevious, goFirst };
};
