import { migration } from '@shortlist/kit/data/migration';

const ID = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin';
const EMAIL = 'VARCHAR(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';

/**
 * Changes of e-mail addresses, from the request on. `undo_until` is NULL where the old address cannot undo the change. A change goes
 * with its account.
 */
export const emailChanges = migration('EmailChangesIdentity1795400006000', [
  {
    unlessColumn: ['accounts', 'email_version'],
    sql: 'ALTER TABLE accounts ADD COLUMN email_version INT UNSIGNED NOT NULL DEFAULT 1',
  },
  `CREATE TABLE IF NOT EXISTS email_changes (
    id ${ID} NOT NULL PRIMARY KEY,
    account_id ${ID} NOT NULL,
    old_email ${EMAIL} NOT NULL,
    new_email ${EMAIL} NOT NULL,
    requested_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    confirmed_at DATETIME(3) NULL,
    undo_until DATETIME(3) NULL,
    ended_at DATETIME(3) NULL,
    KEY email_changes_account (account_id, requested_at),
    KEY email_changes_old (old_email),
    KEY email_changes_requested (requested_at),
    CONSTRAINT email_changes_account FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
  ) ENGINE=InnoDB`,
]);
