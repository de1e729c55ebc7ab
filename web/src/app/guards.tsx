import type { Permission } from '@shortlist/contracts/admin-permissions';
import { type ReactNode, useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { RedirectToLogin } from '../features/session/redirect-to-login.tsx';
import { useBrowser } from '../lib/browser.ts';
import { isAdminPath, LOGIN_REQUIRED, paths } from '../lib/paths.ts';
import { useAppDispatch, useCan, useSession } from '../lib/state/hooks.tsx';
import { page } from '../lib/state/page.ts';
import { type Session, sessions } from '../lib/state/sessions.ts';
import { endViewing, viewingEnd } from '../lib/viewing.ts';
import { shellText } from '../messages/shell.ts';
import { ErrorState } from '../ui/states.tsx';
import { lazyPage } from '../ui/lazy-page.tsx';
import { CurrentPage, PagePlaceholder } from './shell/pending-navigation.tsx';
import { PublicShell, Shell } from './shell/shell.tsx';

const NoPermission = lazyPage(async () => ({
  default: (await import('../pages/unavailable.tsx')).NoPermissionPage,
}));

/** The only page of an account that is about to be deleted. */
const Leaving = lazyPage(() => import('../pages/leaving.tsx'));

/** The pages of the panel that not every admin may open. The server refuses their data; this only explains it. */
const PAGES = new Map<string, Permission>([
  [paths.addUser, 'users.create'],
  [paths.adminPayments, 'revenue.read'],
  ['/admin/payment', 'revenue.read'],
  [paths.adminReports, 'revenue.read'],
  [paths.reportEntries, 'revenue.read'],
  [paths.adminAudit, 'audit.read'],
  [paths.adminTeam, 'team.manage'],
  [paths.adminTools, 'tools.manage'],
  [paths.adminNotices, 'notices.write'],
  ['/admin/view-as', 'impersonate'],
]);

/** The permission that a page requires; null for a page of every admin. */
const permissionOf = (pathname: string): Permission | null => PAGES.get(pathname.replace(/\/+$/, '')) ?? null;

type SessionCheckProps = Pick<Session, 'phase' | 'token'> & { isAdmin: boolean };

/** Stands in for the page until the server has checked the stored token. */
const SessionCheck = ({ isAdmin, phase, token }: SessionCheckProps): ReactNode => {
  const dispatch = useAppDispatch();
  const retry = (): void => {
    if (token !== null) dispatch(sessions.checkRequested(isAdmin ? 'admin' : 'user', token));
  };
  if (phase === 'checking') return <PagePlaceholder />;
  const title = shellText(navigator.onLine ? 'serverTitle' : 'offlineTitle');
  return <ErrorState title={title} message={shellText('serverText')} onRetry={retry} />;
};

/** Remembers the page that a logged-in user visits, to which the login leads. */
const useLastPage = (isLoggedIn: boolean): void => {
  const { pathname, search } = useLocation();
  const dispatch = useAppDispatch();
  useEffect(() => {
    if (isLoggedIn) dispatch(page.lastPageSet(pathname + search));
  }, [dispatch, isLoggedIn, pathname, search]);
};

/** The tab in which an admin viewed a user leads back to that user, with the sessions of the browser. */
const ViewingEnded = (): ReactNode => {
  const browser = useBrowser();
  useEffect(() => {
    const userId = endViewing();
    browser.replace(userId === null ? paths.admin : paths.editUser(userId));
  }, [browser]);
  return <PagePlaceholder />;
};

/** The page, or why the admin's role does not include it. */
const PermittedPage = ({ isAdmin }: { isAdmin: boolean }): ReactNode => {
  const permission = permissionOf(useLocation().pathname);
  const can = useCan();
  const isPermitted = !isAdmin || permission === null || can(permission);
  return isPermitted ? <Outlet /> : <NoPermission />;
};

/** The one page of a session for which the server refuses everything else; null for any other session. */
const restrictedTo = ({ needsSecondFactor, deletionDueAt }: Session, pathname: string): ReactNode => {
  if (needsSecondFactor && pathname !== paths.adminSecurity)
    return <Navigate to={paths.adminSecurity} replace />;
  return deletionDueAt === null ? null : <Leaving />;
};

/** Requires a session. The path decides whether an admin's session is required, so that no route can be guarded wrongly. */
export const Guard = (): ReactNode => {
  const { pathname } = useLocation();
  const isAdmin = isAdminPath(pathname);
  const session = useSession(isAdmin ? 'admin' : 'user');
  useLastPage(!isAdmin && session.isLoggedIn);
  if (!session.isLoggedIn && session.phase === 'settled')
    return viewingEnd() === null ? <RedirectToLogin isAdmin={isAdmin} /> : <ViewingEnded />;
  const restriction = restrictedTo(session, pathname);
  if (restriction !== null) return restriction;
  // One Shell before and after the check, so that React keeps an open menu or dialog mounted.
  return (
    <Shell isAdmin={isAdmin}>
      {session.isLoggedIn ? (
        <CurrentPage>
          <PermittedPage isAdmin={isAdmin} />
        </CurrentPage>
      ) : (
        <SessionCheck phase={session.phase} token={session.token} isAdmin={isAdmin} />
      )}
    </Shell>
  );
};

/** Redirects after a log-out on a public page, which the next user to log in must not be returned to. */
const RedirectAfterLogout = (): ReactNode => {
  const dispatch = useAppDispatch();
  useEffect(() => {
    dispatch(page.lastPageSet(paths.home));
  }, [dispatch]);
  return <Navigate to={paths.login} state={LOGIN_REQUIRED} replace />;
};

/** Whether the user has logged out, as opposed to a session that expired. */
const useHasLoggedOut = (isLoggedIn: boolean): boolean => {
  const [wasLoggedIn, setWasLoggedIn] = useState(isLoggedIn);
  const { expired: isExpired } = useSession('user');
  if (isLoggedIn && !wasLoggedIn) setWasLoggedIn(true);
  return wasLoggedIn && !isLoggedIn && !isExpired;
};

/** A page that needs no session. With a stored token it has the shell, also while the token is being checked. */
export const PublicRoute = ({ children }: { children: ReactNode }): ReactNode => {
  const session = useSession('user');
  const hasLoggedOut = useHasLoggedOut(session.isLoggedIn);
  if (session.deletionDueAt !== null) return <Leaving />;
  if (session.isLoggedIn || session.phase !== 'settled')
    return (
      <Shell isAdmin={false}>
        {session.isLoggedIn ? (
          <CurrentPage>{children}</CurrentPage>
        ) : (
          <SessionCheck phase={session.phase} token={session.token} isAdmin={false} />
        )}
      </Shell>
    );
  return hasLoggedOut ? <RedirectAfterLogout /> : <PublicShell>{children}</PublicShell>;
};
