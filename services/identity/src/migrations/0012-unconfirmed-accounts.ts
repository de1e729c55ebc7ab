import { migration } from '@shortlist/kit/data/migration';

/** When the user of an account was reminded to confirm the address, and why an account is kept without that. */
export const unconfirmedAccounts = migration('UnconfirmedAccountsIdentity1795400011000', [
  {
    unlessColumn: ['accounts', 'reminded_at'],
    sql: `ALTER TABLE accounts
      ADD COLUMN reminded_at DATETIME(3) NULL,
      ADD COLUMN kept_for VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NULL,
      ADD KEY accounts_unconfirmed (email_verified_at, created_at)`,
  },
]);
