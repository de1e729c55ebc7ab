import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { useAppSelector } from '../../lib/state/hooks.ts';
import { listPlace } from '../../lib/state/list-left.ts';

const UserDeletedPage = (): ReactNode => {
  const left = useAppSelector((state) => state.listLeft);
  return <Navigate {...listPlace(left, 'userDeleted')} replace />;
};

export default UserDeletedPage;
