import { publicEndpoints } from '@shortlist/contracts/api/public';
import {
  createContext,
  lazy,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react';
import { call } from '../lib/api/call.ts';
import { useBrowser } from '../lib/browser.ts';
import type { Read } from '../lib/data/use-query.ts';
import { shellText } from '../messages/shell.ts';
import type { Outline } from './page-outline.tsx';
import { ErrorState } from './states.tsx';

/** Reloading the page while the server is unreachable would show the browser's own error page. */
const isServerReachable = (): Promise<boolean> =>
  call(publicEndpoints.config, {}).then(
    () => true,
    () => false,
  );

/** Loads the page's code again, on a press or when the browser is back online, one attempt at a time. */
const useRetry = (refetch: () => Promise<boolean>) => {
  const browser = useBrowser();
  const [isRetrying, setIsRetrying] = useState(false);
  const isRunning = useRef(false);
  const retry = useCallback(
    async (isManual: boolean): Promise<void> => {
      if (isRunning.current) return;
      isRunning.current = true;
      setIsRetrying(true);
      // A reachable server without this file has a newer version, whose files come with a reload.
      if (!(await refetch()) && isManual && (await isServerReachable())) browser.reload();
      isRunning.current = false;
      setIsRetrying(false);
    },
    [refetch, browser],
  );
  // Together with the message that it belongs to: an event between the two would be lost.
  useLayoutEffect(() => {
    const listener = (): void => void retry(false);
    window.addEventListener('online', listener);
    return () => window.removeEventListener('online', listener);
  }, [retry]);
  return { isRetrying, retry };
};

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

type PageLoader<Props> = {
  /** The component of a first render: the loaded page, or a lazy one. */
  initial: () => ComponentType<Props>;
  refetch: () => Promise<ComponentType<Props> | null>;
  clearFailure: () => void;
};

type Loader = { refetch: () => Promise<boolean>; clearFailure: () => void };

const LoaderContext = createContext<Loader>({
  refetch: () => Promise.resolve(false),
  clearFailure: () => undefined,
});

const LoadFailed = (): ReactNode => {
  const { refetch, clearFailure } = useContext(LoaderContext);
  const { isRetrying, retry } = useRetry(refetch);
  // The next visit tries again.
  useEffect(clearFailure, [clearFailure]);
  return (
    <ErrorState
      title={shellText('pageTitle')}
      message={shellText('pageText')}
      isRetrying={isRetrying}
      onRetry={() => void retry(true)}
    />
  );
};

/** Holds the loaded page outside React, which drops the state of a component that is still suspended. */
const createLoader = <Props extends object>(load: Load<Props>): PageLoader<Props> => {
  const attempt = (): ComponentType<Props> => lazy(() => load().catch(() => ({ default: LoadFailed })));
  let initial = attempt();
  return {
    initial: () => initial,
    refetch: async () => {
      const page = await load().catch(() => null);
      if (page !== null) initial = page.default;
      return page?.default ?? null;
    },
    clearFailure: () => {
      initial = attempt();
    },
  };
};

/** What is known of a page without its code: what it reads whenever it opens, and what stands in for it while it loads. */
type Known = { reads?: readonly Read[]; outline?: Outline };

/** `preload` loads the page's code ahead of a visit. */
export type LazyPage<Props extends object = object> = ComponentType<Props> &
  Required<Known> & { preload: () => Promise<unknown> };

/** A page, or a tab of one, whose code loads when it is first rendered. A failed load is shown as an error with a retry. */
export const lazyPage = <Props extends object = object>(
  load: Load<Props>,
  { reads = [], outline = {} }: Known = {},
): LazyPage<Props> => {
  const pageLoader = createLoader(load);
  const LazyPage = (props: Props): ReactNode => {
    const [Page, setPage] = useState(pageLoader.initial);
    const refetch = useCallback(async (): Promise<boolean> => {
      const page = await pageLoader.refetch();
      if (page !== null) setPage(() => page);
      return page !== null;
    }, []);
    const loader = useMemo(() => ({ refetch, clearFailure: pageLoader.clearFailure }), [refetch]);
    return (
      <LoaderContext value={loader}>
        <Page {...props} />
      </LoaderContext>
    );
  };
  return Object.assign(LazyPage, { preload: pageLoader.refetch, reads, outline });
};
