import { publicDoors } from '@shortlist/contracts/api/public';
import {
  createContext,
  lazy,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react';
import { call } from '../lib/api/call.ts';
import { useBrowser } from '../lib/browser.ts';
import { ErrorState } from '../ui/states.tsx';

/** Loading the product anew while nobody answers would leave the person with the browser's own error page. */
const isServerReachable = (): Promise<boolean> =>
  call(publicDoors.config, {}).then(
    () => true,
    () => false,
  );

/** Fetches again, at a press or when the connection is back. Only one at a time. */
const useRetry = (refetch: () => Promise<boolean>) => {
  const browser = useBrowser();
  const [isRetrying, setIsRetrying] = useState(false);
  const isRunning = useRef(false);
  const retry = useCallback(
    async (isManual: boolean): Promise<void> => {
      if (isRunning.current) return;
      isRunning.current = true;
      setIsRetrying(true);
      // A server that answers and has no such page was renewed since: its new pages come with a new start.
      if (!(await refetch()) && isManual && (await isServerReachable())) browser.reload();
      isRunning.current = false;
      setIsRetrying(false);
    },
    [refetch, browser],
  );
  useEffect(() => {
    const listener = (): void => void retry(false);
    window.addEventListener('online', listener);
    return () => window.removeEventListener('online', listener);
  }, [retry]);
  return { isRetrying, retry };
};

type PageLoader = {
  /** What a visit begins with: the page itself, or what waits for it. */
  initial: () => ComponentType;
  refetch: () => Promise<ComponentType | null>;
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
  // The next visit asks anew.
  useEffect(clearFailure, [clearFailure]);
  return (
    <ErrorState
      title="This page could not be loaded"
      message="The connection was lost, or a newer version of the product is out. Nothing you saved is lost."
      isRetrying={isRetrying}
      onRetry={() => void retry(true)}
    />
  );
};

/** What was fetched is kept here: React forgets the state of a component that still waits. */
const createLoader = (load: () => Promise<{ default: ComponentType }>): PageLoader => {
  const attempt = (): ComponentType => lazy(() => load().catch(() => ({ default: LoadFailed })));
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

/** A page fetched when it is first shown. A fetch that fails says so in words and is tried again. */
export const lazyPage = (load: () => Promise<{ default: ComponentType }>): ComponentType => {
  const pageLoader = createLoader(load);
  const LazyPage = (): ReactNode => {
    const [Page, setPage] = useState(pageLoader.initial);
    const refetch = useCallback(async (): Promise<boolean> => {
      const page = await pageLoader.refetch();
      if (page !== null) setPage(() => page);
      return page !== null;
    }, []);
    const loader = useMemo(() => ({ refetch, clearFailure: pageLoader.clearFailure }), [refetch]);
    return (
      <LoaderContext value={loader}>
        <Page />
      </LoaderContext>
    );
  };
  return LazyPage;
};
