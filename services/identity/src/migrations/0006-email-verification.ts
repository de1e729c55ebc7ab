import { migration } from '@shortlist/kit/data/migration';

/**
 * When the user proved that the address is theirs; NULL until then. The default makes every account verified that exists already,
 * or is inserted by a process that does not know the column: only a sign-up inserts NULL.
 */
export const emailVerification = migration('EmailVerificationIdentity1795400005000', [
  {
    unlessColumn: ['accounts', 'email_verified_at'],
    sql: 'ALTER TABLE accounts ADD COLUMN email_verified_at DATETIME(3) NULL DEFAULT CURRENT_TIMESTAMP(3)',
  },
]);
