import { publicDoors } from '@shortlist/contracts/api/public';
import { useCallback, useEffect, useState } from 'react';
import { failureOf, type Failure } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useBrowser } from '../../lib/browser.ts';
import { useUserToken } from '../../lib/state/hooks.ts';
import { isTransient } from './transient-failure.ts';

const RELOAD_AFTER_MS = 10_000;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 30_000;

type Failed = { failure: Failure; round: number };

/** After a failure that passes by itself: asks again later and later, and at once when the network is back. */
const useAskAgain = (failed: Failed | null, ask: () => void): void => {
  useEffect(() => {
    if (failed === null || !isTransient(failed.failure)) return undefined;
    const timer = setTimeout(ask, Math.min(FIRST_RETRY_MS * 2 ** failed.round, LONGEST_RETRY_MS));
    window.addEventListener('online', ask);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('online', ask);
    };
  }, [failed, ask]);
};

/** Goes on to the billing portal of the customer; the page itself does not stay in the history, so Back skips it. */
export const usePortal = (customerId: string | null) => {
  const token = useUserToken();
  const browser = useBrowser();
  const [failed, setFailed] = useState<Failed | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (customerId === null) return undefined;
    const end = new AbortController();
    call(publicDoors.billingPortal, { id: customerId }, { token, signal: end.signal })
      .then(({ url }) => {
        setFailed(null);
        browser.replace(url);
      })
      .catch((thrown: unknown) => {
        if (!end.signal.aborted) setFailed({ failure: failureOf(thrown), round });
      });
    return () => end.abort();
  }, [customerId, token, browser, round]);
  // What failed stays on the screen while it is asked again by itself, so that nothing flickers.
  const ask = useCallback(() => setRound((before) => before + 1), []);
  useAskAgain(failed, ask);
  const retry = useCallback(() => {
    setFailed(null);
    ask();
  }, [ask]);
  return { failure: failed?.failure ?? null, retry };
};

/** Loads the page again when it is still waiting after ten seconds. */
export const useReloadWhile = (isLoading: boolean): void => {
  const browser = useBrowser();
  useEffect(() => {
    if (!isLoading) return undefined;
    const timer = setTimeout(browser.reload, RELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isLoading, browser]);
};
