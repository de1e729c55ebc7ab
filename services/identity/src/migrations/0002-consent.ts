import { migration } from '@shortlist/kit/data/migration';

/** The version of the terms that a user accepted at sign-up, and when; NULL where none were to be accepted. */
export const consent = migration('ConsentIdentity1795400000000', [
  {
    unlessColumn: ['accounts', 'terms_version'],
    sql: `ALTER TABLE accounts
      ADD COLUMN terms_version VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL,
      ADD COLUMN terms_accepted_at DATETIME(3) NULL`,
  },
]);
