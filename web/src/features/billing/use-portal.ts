import { publicEndpoints } from '@shortlist/contracts/api/public';
import { useCallback, useEffect } from 'react';
import useSWR from 'swr';
import { failureOf, type Failure } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useBrowser } from '../../lib/browser.ts';
import { useUserToken } from '../../lib/state/hooks.ts';

const RELOAD_AFTER_MS = 10_000;

/** Forwards to the customer's billing portal, replacing this page in the history so that Back skips it. */
export const usePortal = (customerId: string | null): { failure: Failure | null; retry: () => void } => {
  const token = useUserToken();
  const browser = useBrowser();
  const { error, mutate } = useSWR<{ url: string }, unknown>(
    customerId === null ? null : ['portal', token, customerId],
    () => call(publicEndpoints.billingPortal, { id: customerId ?? '' }, { token }),
    // Stripe's address works once, so a cached one is never used.
    { onSuccess: ({ url }) => browser.replace(url), revalidateOnFocus: false, dedupingInterval: 0 },
  );
  // Setting the data clears the error, so that the page shows that it loads again.
  const retry = useCallback((): void => void mutate(undefined, { revalidate: true }), [mutate]);
  return { failure: error === undefined ? null : failureOf(error), retry };
};

/** Loads the page again when it is still loading after ten seconds. */
export const useReloadWhile = (isLoading: boolean): void => {
  const browser = useBrowser();
  useEffect(() => {
    if (!isLoading) return undefined;
    const timer = setTimeout(browser.reload, RELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isLoading, browser]);
};
