import { type ReactNode, useCallback, useEffect } from 'react';
import { Provider } from 'react-redux';
import { BrowserRouter } from 'react-router-dom';
import { SWRConfig, type SWRConfiguration } from 'swr';
import { StepUp } from '../features/session/step-up.tsx';
import { failureOf } from '../lib/api/api-error.ts';
import { type Browser, BrowserContext } from '../lib/browser.ts';
import { useConfig } from '../lib/data/use-config.ts';
import { isAdminPath } from '../lib/paths.ts';
import { type Saga, SagaContext, useAppDispatch, useAppSelector } from '../lib/state/hooks.tsx';
import { toasts } from '../lib/state/page.ts';
import { useRootAttribute } from '../lib/use-root-attribute.ts';
import { shellText } from '../messages/shell.ts';
import { ToastList } from '../ui/alert.tsx';
import { ErrorState } from '../ui/states.tsx';
import { AppRoutes, preloadPage } from './routes.tsx';
import type { AppStore } from './store.ts';

export const Crashed = (): ReactNode => (
  <div className="shell-main">
    <main className="shell-page">
      <ErrorState
        title={shellText('crashedTitle')}
        message={shellText('crashedText')}
        onRetry={() => window.location.reload()}
      />
    </main>
  </div>
);

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 30_000;

/** A failed query is retried, unless the server would refuse it again. */
const swrConfig: SWRConfiguration<unknown, unknown> = {
  shouldRetryOnError: true,
  onErrorRetry: (error, ...[, , revalidate, { retryCount }]) => {
    const { status } = failureOf(error);
    if (status >= 400 && status < 500 && status !== 429) return;
    const wait = Math.min(FIRST_RETRY_MS * 2 ** (retryCount - 1), LONGEST_RETRY_MS);
    setTimeout(() => void revalidate({ retryCount }), wait);
  },
};

const DocumentTitle = (): ReactNode => {
  const pageTitle = useAppSelector((state) => state.page.pageTitle);
  const { brand } = useConfig();
  useEffect(() => {
    if (pageTitle !== '') document.title = `${pageTitle} · ${brand}`;
  }, [pageTitle, brand]);
  return null;
};

const Toasts = (): ReactNode => {
  const items = useAppSelector((state) => state.toasts);
  const dispatch = useAppDispatch();
  useRootAttribute('data-toasts', items.length > 0);
  const dismiss = useCallback((id: string) => dispatch(toasts.dismissed(id)), [dispatch]);
  return <ToastList items={items} onDismiss={dismiss} />;
};

/** Loads the code of the first page while its session is being checked, before anything is rendered. */
export const preloadFirstPage = ({ getState }: AppStore): void => {
  const { pathname } = window.location;
  const session = getState().sessions[isAdminPath(pathname) ? 'admin' : 'user'];
  if (session.phase === 'checking') preloadPage(pathname);
};

type AppProps = { store: AppStore; startSaga: (saga: Saga) => void; browser: Browser };

export const App = ({ store, startSaga, browser }: AppProps): ReactNode => (
  <Provider store={store}>
    <SagaContext value={startSaga}>
      <BrowserContext value={browser}>
        <SWRConfig value={swrConfig}>
          {/* A click changes the address at once; the page follows it (pending-navigation.tsx). */}
          <BrowserRouter useTransitions={false}>
            <AppRoutes />
            <DocumentTitle />
            <Toasts />
            <StepUp />
          </BrowserRouter>
        </SWRConfig>
      </BrowserContext>
    </SagaContext>
  </Provider>
);
