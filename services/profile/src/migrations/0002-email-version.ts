import { migration } from '@shortlist/kit/data/migration';

/** The version of the address that a profile repeats, so that an older event restores no older address. */
export const emailVersion = migration('EmailVersionProfile1795400006000', [
  {
    unlessColumn: ['profiles', 'email_version'],
    sql: 'ALTER TABLE profiles ADD COLUMN email_version INT UNSIGNED NOT NULL DEFAULT 1',
  },
]);
