import { publicDoors } from '@shortlist/contracts/api/public';
import { useCallback, useEffect, useState } from 'react';
import { failureOf, type Failure } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useBrowser } from '../../lib/browser.ts';
import { useUserToken } from '../../lib/state/hooks.ts';

const RELOAD_AFTER_MS = 10_000;

/** Goes on to the billing portal of the customer; the page itself does not stay in the history, so Back skips it. */
export const usePortal = (customerId: string | null) => {
  const token = useUserToken();
  const browser = useBrowser();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (customerId === null) return undefined;
    const end = new AbortController();
    call(publicDoors.billingPortal, { id: customerId }, { token, signal: end.signal })
      .then(({ url }) => browser.forward(url))
      .catch((thrown: unknown) => {
        if (!end.signal.aborted) setFailure(failureOf(thrown));
      });
    return () => end.abort();
  }, [customerId, token, browser, round]);
  const retry = useCallback(() => {
    setFailure(null);
    setRound((before) => before + 1);
  }, []);
  return { failure, retry };
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
