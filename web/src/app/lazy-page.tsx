import { publicEndpoints } from '@shortlist/contracts/api/public';
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
const isAnswered = (): Promise<boolean> =>
  call(publicEndpoints.config, {}).then(
    () => true,
    () => false,
  );

/** Fetches again, at a press or when the connection is back. Only one at a time. */
const useAgain = (fetchAgain: () => Promise<boolean>) => {
  const browser = useBrowser();
  const [isRetrying, setIsRetrying] = useState(false);
  const isUnderWay = useRef(false);
  const again = useCallback(
    async (isPressed: boolean): Promise<void> => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      setIsRetrying(true);
      // A server that answers and has no such page was renewed since: its new pages come with a new start.
      if (!(await fetchAgain()) && isPressed && (await isAnswered())) browser.reload();
      isUnderWay.current = false;
      setIsRetrying(false);
    },
    [fetchAgain, browser],
  );
  useEffect(() => {
    const listener = (): void => void again(false);
    window.addEventListener('online', listener);
    return () => window.removeEventListener('online', listener);
  }, [again]);
  return { isRetrying, again };
};

type Pages = {
  /** What a visit begins with: the page itself, or what waits for it. */
  first: () => ComponentType;
  fetchAgain: () => Promise<ComponentType | null>;
  forgetFailed: () => void;
};

type Visit = { fetchAgain: () => Promise<boolean>; forgetFailed: () => void };

const VisitContext = createContext<Visit>({
  fetchAgain: () => Promise.resolve(false),
  forgetFailed: () => undefined,
});

const Unloadable = (): ReactNode => {
  const { fetchAgain, forgetFailed } = useContext(VisitContext);
  const { isRetrying, again } = useAgain(fetchAgain);
  // The next visit asks anew.
  useEffect(forgetFailed, [forgetFailed]);
  return (
    <ErrorState
      title="This page could not be loaded"
      message="The connection was lost, or a newer version of the product is out. Nothing you saved is lost."
      isRetrying={isRetrying}
      onRetry={() => void again(true)}
    />
  );
};

/** What was fetched is kept here: React forgets the state of a component that still waits. */
const fetching = (load: () => Promise<{ default: ComponentType }>): Pages => {
  const attempt = (): ComponentType => lazy(() => load().catch(() => ({ default: Unloadable })));
  let first = attempt();
  return {
    first: () => first,
    fetchAgain: async () => {
      const page = await load().catch(() => null);
      if (page !== null) first = page.default;
      return page?.default ?? null;
    },
    forgetFailed: () => {
      first = attempt();
    },
  };
};

/** A page fetched when it is first shown. A fetch that fails says so in words and is tried again. */
export const lazyPage = (load: () => Promise<{ default: ComponentType }>): ComponentType => {
  const pages = fetching(load);
  const LazyPage = (): ReactNode => {
    const [Page, setPage] = useState(pages.first);
    const fetchAgain = useCallback(async (): Promise<boolean> => {
      const page = await pages.fetchAgain();
      if (page !== null) setPage(() => page);
      return page !== null;
    }, []);
    const visit = useMemo(() => ({ fetchAgain, forgetFailed: pages.forgetFailed }), [fetchAgain]);
    return (
      <VisitContext value={visit}>
        <Page />
      </VisitContext>
    );
  };
  return LazyPage;
};
