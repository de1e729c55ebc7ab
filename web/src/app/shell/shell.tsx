import ArrowUp from 'lucide-react/icons/arrow-up';
import { type ComponentType, lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { CurrentNotice } from '../../features/notices/current-notice.tsx';
import { useConfig } from '../../lib/data/use-config.ts';
import { paths } from '../../lib/paths.ts';
import { useAppDispatch, useAppSelector } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { viewingEnd } from '../../lib/viewing.ts';
import { shellText, viewingText } from '../../messages/shell.ts';
import { IconButton, ReadOnly } from '../../ui/button.tsx';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { AuthLayout, Footer } from '../../ui/page-frame.tsx';
import { EmailBar, PaymentBar, ViewingBar } from './bars.tsx';
import { Sidebar, useWhenWide } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';
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

/** Without the code, as after a new version was installed, the page shows what it reads by itself. */
const loadAfterStart = () => import('./after-start.ts').catch(() => null);

const useLiveUpdates = (token: string | null): void => {
  useEffect(() => {
    if (token === null) return undefined;
    const controller = new AbortController();
    void loadAfterStart().then((code) => code?.followLiveUpdates(token, controller.signal));
    return () => controller.abort();
  }, [token]);
};

const Nothing = (): ReactNode => null;
const Welcome = lazy(async () => ({ default: (await loadAfterStart())?.Welcome ?? Nothing }));

/** The token of the current session, which the server has accepted. */
const useSessionToken = (isAdmin: boolean): string | null =>
  useAppSelector(({ sessions: { user, admin } }) => {
    const { isLoggedIn, token } = isAdmin ? admin : user;
    return isLoggedIn ? token : null;
  });

type Palettes = Pick<typeof import('./command-palette.tsx'), 'CommandPalette' | 'KeyList'>;
type OpenPalette = { kind: 'palette' | 'keys'; code: Palettes };

/** Null without a connection. A copy: the chart walks through the state of the page, and fails at the object of a module. */
const loadPalettes = async (): Promise<Palettes | null> => {
  try {
    const { CommandPalette, KeyList } = await import('./command-palette.tsx');
    return { CommandPalette, KeyList };
  } catch {
    return null;
  }
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

const kindOf = (event: KeyboardEvent): OpenPalette['kind'] | null => {
  if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') return 'palette';
  return event.key === '?' && !isTyping(event.target) ? 'keys' : null;
};

/** The palette of pages, users and actions (Ctrl K) and the list of keys (?), whose code loads on demand. */
const usePalette = () => {
  const [palette, setPalette] = useState<OpenPalette | null>(null);
  const close = useCallback(() => setPalette(null), []);
  const open = useCallback(async (kind: OpenPalette['kind']): Promise<void> => {
    const code = await loadPalettes();
    if (code !== null) setPalette({ kind, code });
  }, []);
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      const kind = kindOf(event);
      // A dialog that is open keeps the keys.
      if (kind === null || document.querySelector('[aria-modal="true"]') !== null) return;
      event.preventDefault();
      void open(kind);
    };
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [open]);
  return { palette, open, close };
};

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

type OverlaysProps = {
  isAdmin: boolean;
  sheets: ReturnType<typeof useSheet>;
  palettes: ReturnType<typeof usePalette>;
};

/** What is open over the page. */
const Overlays = ({ isAdmin, sheets, palettes }: OverlaysProps): ReactNode => {
  const { sheet, Settings, close, openSettings } = sheets;
  const { palette } = palettes;
  return (
    <>
      {sheet === 'menu' && (
        <SideSheet kind="drawer" label={shellText('menu')} onClose={close}>
          <Sidebar isAdmin={isAdmin} onClose={close} />
        </SideSheet>
      )}
      {sheet === 'settings' && Settings !== null && <Settings onClose={close} />}
      {palette?.kind === 'palette' && (
        <palette.code.CommandPalette
          isAdmin={isAdmin}
          onClose={palettes.close}
          onKeys={() => void palettes.open('keys')}
          onSettings={() => void openSettings()}
        />
      )}
      {palette?.kind === 'keys' && <palette.code.KeyList onClose={palettes.close} />}
    </>
  );
};

/** Why nothing can be changed on the pages of a user whom an admin views. */
const refusalOf = (isAdmin: boolean): string | null =>
  isAdmin || viewingEnd() === null ? null : viewingText('refused');

/** The layout of every page with a session: sidebar, top bar and footer. */
export const Shell = ({ isAdmin, children }: { isAdmin: boolean; children: ReactNode }): ReactNode => {
  const sheets = useSheet();
  const palettes = usePalette();
  const { pathname, hash } = useLocation();
  const token = useSessionToken(isAdmin);
  const config = useConfig();
  useLiveUpdates(token);
  useWhenWide(sheets.sheet === 'menu', sheets.close);
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
        <TopBar
          isAdmin={isAdmin}
          onMenu={sheets.openMenu}
          onPalette={() => void palettes.open('palette')}
          onSettings={() => void sheets.openSettings()}
        />
        {!isAdmin && <CurrentNotice />}
        {!isAdmin && <PaymentBar />}
        {!isAdmin && <EmailBar />}
        {/* Replaced, not moved, by the page of a session that begins: the bars above it come at the same time. */}
        <main key={token} className="shell-page" id="main">
          <ReadOnly value={refusalOf(isAdmin)}>{children}</ReadOnly>
        </main>
        <Footer {...config} />
      </div>
      <BackToTop />
      {token !== null && (
        <Suspense fallback={null}>
          <Welcome key={token} isAdmin={isAdmin} />
        </Suspense>
      )}
      <Overlays isAdmin={isAdmin} sheets={sheets} palettes={palettes} />
    </div>
  );
};
