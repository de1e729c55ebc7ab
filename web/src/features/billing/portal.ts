import { publicEndpoints } from '@shortlist/contracts/api/public';
import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import useSWR from 'swr';
import { type Failure, failureOf } from '../../lib/api/api-error.ts';
import { call } from '../../lib/api/call.ts';
import { useBrowser } from '../../lib/browser.ts';
import { useUserToken } from '../../lib/state/hooks.tsx';
import { readTabItem, removeTabItem, writeTabItem } from '../../lib/storage.ts';
import { type PlanBefore, planBefore } from './portal-changes.ts';

const RELOAD_AFTER_MS = 10_000;

/** Marks, for this tab, that the page has been reloaded and the portal has not opened since. */
const RELOADED = 'portalReloaded';

/** The plan before the portal was opened, for the return from there. */
const BEFORE = 'planBeforePortal';

export const keepPlanBefore = (view: SubscriptionView): void =>
  writeTabItem(BEFORE, JSON.stringify(planBefore(view)));

/** Null where the portal was not opened in this tab. */
export const takePlanBefore = (): PlanBefore | null => {
  const text = readTabItem(BEFORE);
  removeTabItem(BEFORE);
  return text === null ? null : (JSON.parse(text) as PlanBefore);
};

/** Forwards to the customer's billing portal, replacing this page in the history so that Back skips it. */
export const usePortal = (
  customerId: string | null,
  view: SubscriptionView | undefined,
): { failure: Failure | null; retry: () => void } => {
  const token = useUserToken();
  const browser = useBrowser();
  const isCard = useSearchParams()[0].get('page') === 'card';
  const page = isCard ? ({ page: 'card' } as const) : {};
  const open = ({ url }: { url: string }): void => {
    removeTabItem(RELOADED);
    if (view !== undefined) keepPlanBefore(view);
    browser.replace(url);
  };
  const { error, mutate } = useSWR<{ url: string }, unknown>(
    customerId === null ? null : ['portal', token, customerId, isCard],
    () => call(publicEndpoints.billingPortal, { id: customerId ?? '', ...page }, { token }),
    // Stripe's address works once, so a cached one is never used.
    { onSuccess: open, revalidateOnFocus: false, dedupingInterval: 0 },
  );
  // Setting the data clears the error, so that the page shows that it loads again.
  const retry = useCallback((): void => void mutate(undefined, { revalidate: true }), [mutate]);
  return { failure: error === undefined ? null : failureOf(error), retry };
};

/** Failures that pass by themselves: the provider, or a process on the way to it, does not respond. */
const TRANSIENT = new Set<Failure['code']>([
  'billing.provider_unavailable',
  'service.unavailable',
  'service.timeout',
  'client.timeout',
  'client.unreachable',
]);

/**
 * Waits for the portal and reloads the page once when it is still loading after ten seconds (docs/product.md). Returns the failure
 * to show: a transient one only when the reload has not helped. Our own server being unreachable is shown instead of reloading,
 * which would lead to the browser's error page.
 */
export const useReloadWhileLoading = (isLoading: boolean, failure: Failure | null): Failure | null => {
  const browser = useBrowser();
  const [mayReload, setMayReload] = useState(() => readTabItem(RELOADED) === null);
  const isWaiting = mayReload && isLoading && (failure === null || TRANSIENT.has(failure.code));
  const latestCode = useRef<Failure['code'] | null>(null);
  useEffect(() => {
    latestCode.current = failure?.code ?? null;
  }, [failure]);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => {
      setMayReload(false);
      if (latestCode.current === 'client.unreachable') return;
      writeTabItem(RELOADED, 'true');
      browser.reload();
    }, RELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, browser]);
  // A later visit may reload again. A reload does not unmount the page.
  useEffect(() => () => removeTabItem(RELOADED), []);
  return isWaiting ? null : failure;
};
