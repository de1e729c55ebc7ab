import { useEffect, useState, type ReactNode } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { isAdminPath, paths } from '../lib/paths.ts';
import { adminAuth } from '../lib/state/admin-auth.ts';
import { endUserAuth, type AuthPhase } from '../lib/state/end-user-auth.ts';
import { useAppDispatch, useAppSelector } from '../lib/state/hooks.ts';
import { page } from '../lib/state/page.ts';
import { ErrorState } from '../ui/states.tsx';
import { PublicFrame } from './shell/public-frame.tsx';
import { PageSkeleton, Shell } from './shell/shell.tsx';

type Standing = { isIn: boolean; phase: AuthPhase; token: string | null };

const useStanding = (isAdmin: boolean): Standing => {
  const admin = useAppSelector((state) => state.adminAuth);
  const user = useAppSelector((state) => state.endUserAuth);
  return isAdmin
    ? { isIn: admin.isLoggedIn, phase: admin.phase, token: admin.token }
    : { isIn: user.isEndUserLoggedIn, phase: user.phase, token: user.endUserToken };
};

/** Where somebody without a session is sent, having noted where they wanted to go. */
const ToLogin = ({ isAdmin }: { isAdmin: boolean }): ReactNode => {
  const { pathname, search } = useLocation();
  const isLeaving = useAppSelector((state) => state.adminAuth.loggedOut);
  const dispatch = useAppDispatch();
  useEffect(() => {
    const here = pathname + search;
    if (isAdmin) dispatch(page.lastAdminPageSet(isLeaving ? paths.admin : here));
    else dispatch(page.lastPageSet(here));
  }, [dispatch, isAdmin, isLeaving, pathname, search]);
  return <Navigate to={isAdmin ? paths.adminLogin : paths.login} replace />;
};

/** In place of the page until it is known whether the stored token still counts. */
const Waiting = ({ isAdmin, phase, token }: Standing & { isAdmin: boolean }): ReactNode => {
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
  const standing = useStanding(isAdmin);
  if (!standing.isIn && standing.phase === 'known') return <ToLogin isAdmin={isAdmin} />;
  // One frame before and after the answer: what is open in it must not be torn down.
  return (
    <Shell isAdmin={isAdmin}>
      {standing.isIn ? <Outlet /> : <Waiting {...standing} isAdmin={isAdmin} />}
    </Shell>
  );
};

/** Where somebody goes who logs out on an open page. What it showed was theirs, so the next to log in does not come to it. */
const AfterLogout = (): ReactNode => {
  const dispatch = useAppDispatch();
  useEffect(() => {
    dispatch(page.lastPageSet(paths.home));
  }, [dispatch]);
  return <Navigate to={paths.login} replace />;
};

/** Whether the session that was here has been ended by its owner, not by time or by the server. */
const useHasLoggedOut = (isIn: boolean): boolean => {
  const [wasIn, setWasIn] = useState(isIn);
  const isExpired = useAppSelector((state) => state.endUserAuth.expired);
  if (isIn && !wasIn) setWasIn(true);
  return wasIn && !isIn && !isExpired;
};

/** Open to everybody; those who have a token see it in the frame, from before the answer whether it still counts. */
export const OpenToAll = ({ children }: { children: ReactNode }): ReactNode => {
  const standing = useStanding(false);
  const hasLoggedOut = useHasLoggedOut(standing.isIn);
  if (standing.isIn || standing.phase !== 'known')
    return (
      <Shell isAdmin={false}>{standing.isIn ? children : <Waiting {...standing} isAdmin={false} />}</Shell>
    );
  return hasLoggedOut ? <AfterLogout /> : <PublicFrame>{children}</PublicFrame>;
};
