import ArrowUp from 'lucide-react/icons/arrow-up';
import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { followLiveUpdates } from '../../lib/data/live-updates.ts';
import { useConfig } from '../../lib/data/use-config.ts';
import { paths } from '../../lib/paths.ts';
import { endUserSession } from '../../lib/state/auth.ts';
import { useAppDispatch, useAppSelector } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/toasts.ts';
import { viewingEnd } from '../../lib/viewing.ts';
import { shellText, viewingText } from '../../messages/shell.ts';
import { IconButton } from '../../ui/button.tsx';
import { SideSheet } from '../../ui/dialog.tsx';
import { AuthLayout, Footer } from '../../ui/page-frame.tsx';
import { ReadOnly } from '../../ui/read-only.tsx';
import { EmailBar, ProblemBar, ViewingBar } from './bars.tsx';
import { Sidebar, useWhenWide } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';
import { Welcome } from './welcome.tsx';
import { ICON } from '../../ui/inline.tsx';

/** The layout of the public pages without a session. */
export const PublicShell = ({ children }: { children: ReactNode }): ReactNode => (
  <AuthLayout config={useConfig()} home={paths.home}>
    {children}
  </AuthLayout>
);

const VISIBLE_AFTER_PX = 250;

const BackToTop = (): ReactNode => {
  const [isVisible, setIsVisible] = useState(false);
  useEffect(() => {
    const listener = (): void => setIsVisible(window.scrollY > VISIBLE_AFTER_PX);
    listener();
    window.addEventListener('scroll', listener, { passive: true });
    return () => window.removeEventListener('scroll', listener);
  }, []);
  if (!isVisible) return null;
  const handleClick = (): void => {
    window.scrollTo({ top: 0 });
    document.querySelector('h1')?.focus({ preventScroll: true });
  };
  return (
    <IconButton
      className="back-to-top"
      variant="plain"
      label={shellText('backToTop')}
      icon={<ArrowUp {...ICON} />}
      onClick={handleClick}
    />
  );
};

type Sheet = ComponentType<{ onClose: () => void }>;

const useLiveUpdates = (token: string | null): void => {
  useEffect(() => {
    if (token === null) return undefined;
    const controller = new AbortController();
    void followLiveUpdates(token, controller.signal);
    return () => controller.abort();
  }, [token]);
};

/** The token of the current session, which the server has accepted. */
const useSessionToken = (isAdmin: boolean): string | null =>
  useAppSelector(({ adminAuth, endUserAuth }) => {
    const { isLoggedIn, token } = isAdmin ? adminAuth : endUserSession(endUserAuth);
    return isLoggedIn ? token : null;
  });

/** The sheet over the page. The code of the settings loads on demand; a failed load leaves the page as it is. */
const useSheet = () => {
  const [sheet, setSheet] = useState<'menu' | 'settings' | null>(null);
  const [Settings, setSettings] = useState<Sheet | null>(null);
  const dispatch = useAppDispatch();
  const close = useCallback(() => setSheet(null), []);
  const openSettings = async (): Promise<void> => {
    try {
      const { SettingsPanel } = await import('../../features/layout/settings-panel.tsx');
      setSettings(() => SettingsPanel);
      setSheet('settings');
    } catch {
      close();
      dispatch(toasts.added(shellText('settingsFailed'), true));
    }
  };
  return { sheet, Settings, close, openMenu: () => setSheet('menu'), openSettings };
};

/** Why nothing can be changed on the pages of a user whom an admin views. */
const refusalOf = (isAdmin: boolean): string | null =>
  isAdmin || viewingEnd() === null ? null : viewingText('refused');

/** The layout of every page with a session: sidebar, top bar and footer. */
export const Shell = ({ isAdmin, children }: { isAdmin: boolean; children: ReactNode }): ReactNode => {
  const { sheet, Settings, close, openMenu, openSettings } = useSheet();
  const { pathname, hash } = useLocation();
  const token = useSessionToken(isAdmin);
  const config = useConfig();
  useLiveUpdates(token);
  useWhenWide(sheet === 'menu', close);
  useEffect(() => {
    // A section that the address names brings itself into view.
    if (hash === '') window.scrollTo({ top: 0 });
  }, [pathname, hash]);
  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        {shellText('skip')}
      </a>
      <Sidebar isAdmin={isAdmin} />
      <div className="shell-main">
        <ViewingBar />
        <TopBar isAdmin={isAdmin} onMenu={openMenu} onSettings={() => void openSettings()} />
        {!isAdmin && <ProblemBar />}
        {!isAdmin && <EmailBar />}
        <main className="shell-page" id="main">
          <ReadOnly value={refusalOf(isAdmin)}>{children}</ReadOnly>
        </main>
        <Footer {...config} />
      </div>
      <BackToTop />
      {token !== null && <Welcome key={token} isAdmin={isAdmin} />}
      {sheet === 'menu' && (
        <SideSheet kind="drawer" label={shellText('menu')} onClose={close}>
          <Sidebar isAdmin={isAdmin} onClose={close} />
        </SideSheet>
      )}
      {sheet === 'settings' && Settings !== null && <Settings onClose={close} />}
    </div>
  );
};
