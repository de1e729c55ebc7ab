import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { useUserList } from '../../lib/state/hooks.tsx';

const UserDeletedPage = (): ReactNode => {
  return <Navigate {...useUserList({ notice: 'userDeleted' })} replace />;
};

export default UserDeletedPage;
