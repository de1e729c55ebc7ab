import { AUDIT_LOG } from '@shortlist/audit/tables';
import { migration } from '@shortlist/kit/data/migration';
import { OUTBOX_AND_INBOX } from '@shortlist/kit/messaging/outbox';

export const initial = migration('InitialIdentity1764000001000', [
  ...OUTBOX_AND_INBOX,
  ...AUDIT_LOG,
  // E-mail addresses are normalised before they are stored, so a binary collation compares them.
  `CREATE TABLE IF NOT EXISTS accounts (
    id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    email VARCHAR(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    password_hash VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    role ENUM('user', 'admin') NOT NULL,
    created_at DATETIME(3) NOT NULL,
    UNIQUE KEY accounts_email (email)
  ) ENGINE=InnoDB`,
]);
