import type { AccountRow } from './account.entity.ts';

/**
 * Whether an account gives its address up to a person who proves that it is theirs, which its own user has never done. One with a plan
 * does not: the owner of the address takes it over by setting a new password.
 */
export const givesWay = ({
  role,
  emailVerifiedAt,
  keptFor,
}: Pick<AccountRow, 'role' | 'emailVerifiedAt' | 'keptFor'>): boolean =>
  role === 'user' && emailVerifiedAt === null && keptFor !== 'plan';
