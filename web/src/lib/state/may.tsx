import type { Permission } from '@shortlist/contracts/admin-permissions';
import type { ReactNode } from 'react';
import { useCan } from './use-can.ts';

type MayProps = { permission: Permission; children: ReactNode; otherwise?: ReactNode };

/** Shows its children to admins with a permission. */
export const May = ({ permission, children, otherwise = null }: MayProps): ReactNode =>
  useCan()(permission) ? children : otherwise;
