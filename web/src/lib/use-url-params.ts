import { useCallback } from 'react';
import { useSearchParams } from 'react-router-dom';
import { changedParams, type ChangeFilters, currentParams } from './url-filters.ts';

/** The parameters of the URL and a function that sets some of them, so that a link, a reload or Back restores what a page shows. */
export const useUrlParams = (): { params: URLSearchParams; change: ChangeFilters } => {
  const [params, setParams] = useSearchParams();
  const change: ChangeFilters = useCallback(
    (part, { replace = false } = {}) => setParams(() => changedParams(currentParams(), part), { replace }),
    [setParams],
  );
  return { params, change };
};
