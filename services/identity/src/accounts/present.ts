import type { AdminAccess, AdminRole } from '@shortlist/contracts/admin-permissions';
import type { Account } from '@shortlist/contracts/api/identity';
import type { AccountRow, NewAccountRow } from './account.entity.ts';

type Access = Pick<AccountRow, 'adminRole' | 'adminVersion' | 'suspendedAt'>;

/** What an admin may do now. */
export const accessOf = ({ adminRole, adminVersion, suspendedAt }: Access): AdminAccess => ({
  role: suspendedAt === null ? adminRole : null,
  version: adminVersion,
});

export const presentAccount = (account: NewAccountRow): Account => {
  const { id, email, role, createdAt } = account;
  const admin = role === 'admin' ? accessOf(account) : null;
  return { id, email, role, createdAt: createdAt.toISOString(), admin };
};

export const presentAdmin = (
  account: AccountRow,
): { userId: string; email: string; role: AdminRole | null } => ({
  ...{ userId: account.id, email: account.email },
  role: accessOf(account).role,
});
