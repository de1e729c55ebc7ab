import { useCallback, useEffect, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import { BrowserRouter, useNavigate } from 'react-router-dom';
import { SWRConfig, type SWRConfiguration } from 'swr';
import { failureOf } from '../lib/api/api-error.ts';
import { BrowserContext, type Browser } from '../lib/browser.ts';
import { useAppDispatch, useAppSelector } from '../lib/state/hooks.ts';
import { page } from '../lib/state/page.ts';
import { toasts } from '../lib/state/toasts.ts';
import { ToastList } from '../ui/toast-list.tsx';
import { AppRoutes } from './routes.tsx';
import type { AppStore } from './store.ts';

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 30_000;

/** What could not be read is asked for again by itself, unless the answer would be the same. */
const swrConfig: SWRConfiguration<unknown, unknown> = {
  shouldRetryOnError: true,
  onErrorRetry: (error, ...[, , revalidate, { retryCount }]) => {
    const { status } = failureOf(error);
    if (status >= 400 && status < 500 && status !== 429) return;
    const wait = Math.min(FIRST_RETRY_MS * 2 ** (retryCount - 1), LONGEST_RETRY_MS);
    setTimeout(() => void revalidate({ retryCount }), wait);
  },
};

/** Goes where a command has led to. */
const Redirector = (): ReactNode => {
  const goTo = useAppSelector((state) => state.page.goTo);
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  useEffect(() => {
    if (goTo === null) return;
    dispatch(page.goToHandled());
    void navigate(goTo.to, { state: goTo.state });
  }, [goTo, dispatch, navigate]);
  return null;
};

const Toasts = (): ReactNode => {
  const items = useAppSelector((state) => state.toasts);
  const dispatch = useAppDispatch();
  const dismiss = useCallback((id: string) => dispatch(toasts.dismissed(id)), [dispatch]);
  return <ToastList items={items} onDismiss={dismiss} />;
};

export const App = ({ store, browser }: { store: AppStore; browser: Browser }): ReactNode => (
  <Provider store={store}>
    <BrowserContext value={browser}>
      <SWRConfig value={swrConfig}>
        <BrowserRouter>
          <AppRoutes />
          <Redirector />
          <Toasts />
        </BrowserRouter>
      </SWRConfig>
    </BrowserContext>
  </Provider>
);
