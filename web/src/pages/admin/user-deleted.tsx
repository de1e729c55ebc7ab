import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { paths } from '../../lib/paths.ts';

const UserDeletedPage = (): ReactNode => <Navigate to={`${paths.userList}?userDeleted=true`} replace />;

export default UserDeletedPage;
