import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { useAppSelector } from '../../lib/state/hooks.tsx';
import { listDestination } from '../../lib/state/list-view.ts';

const UserDeletedPage = (): ReactNode => {
  const listView = useAppSelector((state) => state.listView);
  return <Navigate {...listDestination(listView, 'userDeleted')} replace />;
};

export default UserDeletedPage;
