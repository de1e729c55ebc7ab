import type { Account } from '@shortlist/contracts/api/identity';
import type { AccountRow } from './account.entity.ts';

export const presentAccount = ({
  id,
  email,
  role,
  createdAt,
}: Pick<AccountRow, 'id' | 'email' | 'role' | 'createdAt'>): Account => ({
  id,
  email,
  role,
  createdAt: createdAt.toISOString(),
});
