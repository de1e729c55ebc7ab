import type { Action, Dispatch } from '@reduxjs/toolkit';
import { may, type Permission } from '@shortlist/contracts/admin-permissions';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import type { Effect } from 'redux-saga/effects';
import { isAdminPath } from '../paths.ts';
import { listDestination, type ListNews } from './list-view.ts';
import { page, type PageInfo } from './page.ts';
import type { RootState } from './reducers.ts';
import { loginEmail, type Session, type SessionKind } from './sessions.ts';

export const useAppSelector = useSelector.withTypes<RootState>();
export const useAppDispatch = useDispatch.withTypes<Dispatch<Action>>();

export const useSession = (kind: SessionKind): Session => useAppSelector((state) => state.sessions[kind]);
export const useUserToken = (): string | null => useAppSelector((state) => state.sessions.user.token);
export const useAdminToken = (): string | null => useAppSelector((state) => state.sessions.admin.token);

/** The token of the part of the product that the page belongs to: users and admins have the same settings. */
export const useAreaToken = (): string | null => {
  const isAdmin = isAdminPath(useLocation().pathname);
  const [user, admin] = [useUserToken(), useAdminToken()];
  return isAdmin ? admin : user;
};

export type Saga = () => Generator<Effect, void, unknown>;

export const SagaContext = createContext<(saga: Saga) => void>(() => undefined);

/**
 * Starts a saga with the first page that needs it, so that its code loads with that page. The saga then runs as long as
 * the store: a command completes after its page has been left.
 */
export const useSaga = (saga: Saga): void => {
  const startSaga = useContext(SagaContext);
  // A layout effect precedes the page's effects, which may already dispatch actions of the saga.
  useLayoutEffect(() => startSaga(saga), [startSaga, saga]);
};

/**
 * The last view of the user list as a destination: the same object until the view changes, since a redirect to another one navigates again.
 */
export const useUserList = ({ notice, problem }: ListNews = {}): ReturnType<typeof listDestination> => {
  const view = useAppSelector((state) => state.listView);
  return useMemo(() => listDestination(view, { notice, problem }), [view, notice, problem]);
};

/** Sets the name, title and description of the current page. */
export const usePageInfo = ({ pageName, pageTitle, pageDescription }: PageInfo): void => {
  const dispatch = useAppDispatch();
  useEffect(() => {
    dispatch(page.infoSet({ pageName, pageTitle, pageDescription }));
  }, [dispatch, pageName, pageTitle, pageDescription]);
};

/** Whether the admin of this browser has a permission. The server checks every request; this decides what the panel shows. */
export const useCan = (): ((permission: Permission) => boolean) => {
  const role = useAppSelector((state) => state.sessions.admin.role);
  return (permission) => may(role, permission);
};

type MayProps = { permission: Permission; children: ReactNode; otherwise?: ReactNode };

/** Shows its children to admins with a permission. */
export const May = ({ permission, children, otherwise = null }: MayProps): ReactNode =>
  useCan()(permission) ? children : otherwise;

/**
 * The address that was typed on the way to a session, so that log-in, forgotten password, reset and second step ask for it once: the one
 * of the time when the page opened, and a function that remembers another one.
 */
export const useLoginEmail = (): [email: string, remember: (email: string) => void] => {
  const dispatch = useAppDispatch();
  const current = useAppSelector((state) => state.loginEmail);
  const [email] = useState(current);
  const remember = useCallback((typed: string) => dispatch(loginEmail.typed(typed)), [dispatch]);
  return [email, remember];
};
