import {
  createContext,
  memo,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useDeferredValue,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import { type Location, useLocation } from 'react-router-dom';
import { PlanLoading } from '../../features/billing/plan-loading.tsx';
import { usePrefetch } from '../../lib/data/use-query.ts';
import { paths } from '../../lib/paths.ts';
import { shellText } from '../../messages/shell.ts';
import { PageOutline } from '../../ui/page-outline.tsx';
import type { LazyPage } from '../../ui/lazy-page.tsx';

/** For so long the page stays on the screen; then a placeholder of the next one takes its place. */
const LATE_AFTER_MS = 300;

/** The page at a path, unless there is none, or none of a session. */
type PageAt = (path: string) => LazyPage | undefined;

/** `target` is the path that was asked for last; the page of it is late when its code takes noticeably long to load. */
type Navigation = { target: string; isLate: boolean; pageAt: PageAt };

const NavigationContext = createContext<Navigation>({
  target: '',
  isLate: false,
  pageAt: () => undefined,
});

export const usePendingNavigation = (): Navigation => useContext(NavigationContext);

const useIsLate = (isPending: boolean): boolean => {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setTimeout(() => setIsLate(true), LATE_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isPending]);
  return isPending && isLate;
};

type Pages = (props: { location: Location }) => ReactNode;

/** Renders pages at an address that follows the browser's as soon as they can be shown, and until then says that one is loading. */
export const withPendingNavigation = (pages: Pages, pageAt: PageAt): (() => ReactNode) => {
  // A click changes the target at once; the pages are rendered again only for the address that they show.
  const Pages = memo(pages);
  return function PendingNavigation() {
    const location = useLocation();
    const shown = useDeferredValue(location);
    const target = location.pathname;
    const isPending = shown.pathname !== target;
    const isLate = useIsLate(isPending);
    const navigation = useMemo(() => ({ target, isLate, pageAt }), [target, isLate]);
    return (
      <NavigationContext value={navigation}>
        {isPending && <div className="navigation-bar" aria-hidden="true" />}
        <Pages location={shown} />
      </NavigationContext>
    );
  };
};

/** A pointer that only passes over a link, or a focus that moves on, loads nothing. */
const DWELL_MS = 80;

/** Returns handlers for links: the page's code and data load while the pointer or the focus rests on its link. */
export const usePagePrefetch = () => {
  const { pageAt } = usePendingNavigation();
  const prefetch = usePrefetch();
  const timer = useRef<NodeJS.Timeout>(undefined);
  const stop = useCallback(() => clearTimeout(timer.current), []);
  useEffect(() => stop, [stop]);
  return (path: string) => {
    const load = (): void => {
      const page = pageAt(path);
      void page?.preload();
      prefetch(page?.reads ?? []);
    };
    const start = (): void => {
      stop();
      timer.current = setTimeout(load, DWELL_MS);
    };
    return { onPointerEnter: start, onPointerLeave: stop, onFocus: start, onBlur: stop };
  };
};

const isPlanPage = (pathname: string): boolean => pathname.replace(/\/+$/, '') === paths.payments;

type PlaceholderProps = { pathname: string; delayMs?: number };

/** Stands in for the page at a path, and appears at once when the code of the page is late already. */
const Placeholder = ({ pathname, delayMs }: PlaceholderProps): ReactNode => {
  const { pageAt } = usePendingNavigation();
  if (isPlanPage(pathname)) return <PlanLoading />;
  return <PageOutline {...pageAt(pathname)?.outline} label={shellText('loadingPage')} delayMs={delayMs} />;
};

/** Stands in for the current page while its session is being checked. */
export const PagePlaceholder = (): ReactNode => <Placeholder pathname={useLocation().pathname} />;

type LoadingPageProps = { pathname: string; onLoaded: () => void };

/** Stands in for the current page until its code has loaded. */
const LoadingPage = ({ pathname, onLoaded }: LoadingPageProps): ReactNode => {
  const page = usePendingNavigation().pageAt(pathname);
  useEffect(() => void page?.preload().then(onLoaded), [page, onLoaded]);
  return <Placeholder pathname={pathname} delayMs={0} />;
};

/**
 * The current page. A navigation leaves it on the screen until the next one can be shown, or is late; the page of the plan has a key of
 * its own, because its placeholder is required to be visible (docs/product.md).
 */
export const CurrentPage = ({ children }: { children: ReactNode }): ReactNode => {
  const { pathname } = useLocation();
  const { target, isLate } = usePendingNavigation();
  // By itself React shows a page 300 ms after the placeholder at the earliest; an update shows it as soon as it has loaded.
  const [, update] = useReducer((count: number) => count + 1, 0);
  if (isLate) return <Placeholder pathname={target} delayMs={0} />;
  return (
    <Suspense
      key={isPlanPage(pathname) ? 'plan' : 'page'}
      fallback={<LoadingPage pathname={pathname} onLoaded={update} />}
    >
      {children}
    </Suspense>
  );
};
