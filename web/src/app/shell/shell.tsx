import { useCallback, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { useConfig } from '../../lib/data/use-config.ts';
import { followLiveUpdates } from '../../lib/data/live-updates.ts';
import { ViewingBar } from '../../features/viewing/viewing-bar.tsx';
import { useAppDispatch, useAppSelector } from '../../lib/state/hooks.ts';
import { toasts } from '../../lib/state/toasts.ts';
import { shellText } from '../../messages/shell.ts';
import { Footer } from '../../ui/footer.tsx';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { BackToTop } from './back-to-top.tsx';
import { EmailBar } from './email-bar.tsx';
import { ProblemBar } from './problem-bar.tsx';
import { Sidebar } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';
import { Welcome } from './welcome.tsx';
import { useWhenWide } from './use-when-wide.ts';

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
    if (isAdmin) return adminAuth.isLoggedIn ? adminAuth.token : null;
    return endUserAuth.isEndUserLoggedIn ? endUserAuth.endUserToken : null;
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
      <div className="main">
        <ViewingBar />
        <TopBar isAdmin={isAdmin} onMenu={openMenu} onSettings={() => void openSettings()} />
        {!isAdmin && <ProblemBar />}
        {!isAdmin && <EmailBar />}
        <main className="page" id="main">
          {children}
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
