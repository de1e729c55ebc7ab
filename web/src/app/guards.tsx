import { useEffect, useState, type ReactNode } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { isAdminPath, paths } from '../lib/paths.ts';
import { adminAuth } from '../lib/state/admin-auth.ts';
import { endUserAuth, type AuthPhase } from '../lib/state/end-user-auth.ts';
import { useAppDispatch, useAppSelector } from '../lib/state/hooks.ts';
import { page } from '../lib/state/page.ts';
import { ErrorState } from '../ui/states.tsx';
import { PublicShell } from './shell/public-shell.tsx';
import { PageSkeleton, Shell } from './shell/shell.tsx';

type SessionStatus = { isLoggedIn: boolean; phase: AuthPhase; token: string | null };

const useSessionStatus = (isAdmin: boolean): SessionStatus => {
  const admin = useAppSelector((state) => state.adminAuth);
  const user = useAppSelector((state) => state.endUserAuth);
  return isAdmin
    ? { isLoggedIn: admin.isLoggedIn, phase: admin.phase, token: admin.token }
    : { isLoggedIn: user.isEndUserLoggedIn, phase: user.phase, token: user.endUserToken };
};

/** Where somebody without a session is sent, having noted where they wanted to go. */
const RedirectToLogin = ({ isAdmin }: { isAdmin: boolean }): ReactNode => {
  const { pathname, search } = useLocation();
  const hasLoggedOut = useAppSelector((state) => state.adminAuth.loggedOut);
  const dispatch = useAppDispatch();
  useEffect(() => {
    const currentPath = pathname + search;
    if (isAdmin) dispatch(page.lastAdminPageSet(hasLoggedOut ? paths.admin : currentPath));
    else dispatch(page.lastPageSet(currentPath));
  }, [dispatch, isAdmin, hasLoggedOut, pathname, search]);
  return <Navigate to={isAdmin ? paths.adminLogin : paths.login} replace />;
};

/** In place of the page until it is known whether the stored token still counts. */
const SessionCheck = ({ isAdmin, phase, token }: SessionStatus & { isAdmin: boolean }): ReactNode => {
  const dispatch = useAppDispatch();
  const retry = (): void => {
    if (token !== null)
      dispatch(isAdmin ? adminAuth.checkRequested(token) : endUserAuth.checkRequested(token));
  };
  if (phase === 'checking') return <PageSkeleton />;
  return (
    <ErrorState
      title="We cannot reach the server"
      message="You are still logged in. We keep trying, and this page opens by itself as soon as there is an answer."
      onRetry={retry}
    />
  );
};

/** Lets the logged-in pass into the frame. The admin area is told by its address, so no page can be guarded wrongly. */
export const Guard = (): ReactNode => {
  const isAdmin = isAdminPath(useLocation().pathname);
  const session = useSessionStatus(isAdmin);
  if (!session.isLoggedIn && session.phase === 'known') return <RedirectToLogin isAdmin={isAdmin} />;
  // One frame before and after the answer: what is open in it must not be torn down.
  return (
    <Shell isAdmin={isAdmin}>
      {session.isLoggedIn ? <Outlet /> : <SessionCheck {...session} isAdmin={isAdmin} />}
    </Shell>
  );
};

/** Where somebody goes who logs out on an open page. What it showed was theirs, so the next to log in does not come to it. */
const RedirectAfterLogout = (): ReactNode => {
  const dispatch = useAppDispatch();
  useEffect(() => {
    dispatch(page.lastPageSet(paths.home));
  }, [dispatch]);
  return <Navigate to={paths.login} replace />;
};

/** Whether the session that was here has been ended by its owner, not by time or by the server. */
const useHasLoggedOut = (isLoggedIn: boolean): boolean => {
  const [wasLoggedIn, setWasLoggedIn] = useState(isLoggedIn);
  const isExpired = useAppSelector((state) => state.endUserAuth.expired);
  if (isLoggedIn && !wasLoggedIn) setWasLoggedIn(true);
  return wasLoggedIn && !isLoggedIn && !isExpired;
};

/** Open to everybody; those who have a token see it in the frame, from before the answer whether it still counts. */
export const PublicRoute = ({ children }: { children: ReactNode }): ReactNode => {
  const session = useSessionStatus(false);
  const hasLoggedOut = useHasLoggedOut(session.isLoggedIn);
  if (session.isLoggedIn || session.phase !== 'known')
    return (
      <Shell isAdmin={false}>
        {session.isLoggedIn ? children : <SessionCheck {...session} isAdmin={false} />}
      </Shell>
    );
  return hasLoggedOut ? <RedirectAfterLogout /> : <PublicShell>{children}</PublicShell>;
};
