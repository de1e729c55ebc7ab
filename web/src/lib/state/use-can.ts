import { may, type Permission } from '@shortlist/contracts/admin-permissions';
import { useAppSelector } from './hooks.ts';

/** Whether the admin of this browser has a permission. The server checks every request; this decides what the panel shows. */
export const useCan = (): ((permission: Permission) => boolean) => {
  const role = useAppSelector((state) => state.adminAuth.role);
  return (permission) => may(role, permission);
};
