import { type ReactNode, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { LOGIN_REQUIRED, paths } from '../../lib/paths.ts';
import { useAppDispatch } from '../../lib/state/hooks.tsx';
import { page } from '../../lib/state/page.ts';

/** Redirects to the login. An end user returns to the requested page afterwards, an admin begins at the dashboard. */
export const RedirectToLogin = ({ isAdmin = false }: { isAdmin?: boolean }): ReactNode => {
  const { pathname, search } = useLocation();
  const dispatch = useAppDispatch();
  useEffect(() => {
    if (!isAdmin) dispatch(page.lastPageSet(pathname + search));
  }, [dispatch, isAdmin, pathname, search]);
  return <Navigate to={isAdmin ? paths.adminLogin : paths.login} state={LOGIN_REQUIRED} replace />;
};
