import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { failureOf } from '../../lib/api/api-error.ts';
import { useAppSelector } from '../../lib/state/hooks.ts';
import { listDestination } from '../../lib/state/list-view.ts';

/** Whether the error of a query means that there is no such user. Other errors may pass. */
export const isMissingUser = (error: unknown): boolean =>
  error !== undefined && [404, 410].includes(failureOf(error).status);

/** Leads to the last view of the list, which shows the server's message. */
export const MissingUser = ({ error }: { error: unknown }): ReactNode => {
  const listView = useAppSelector((state) => state.listView);
  const { to, state } = listDestination(listView);
  return <Navigate to={to} state={{ ...state, problem: failureOf(error).message }} replace />;
};
