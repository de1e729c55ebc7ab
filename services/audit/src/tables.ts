import type { MigrationStatement } from '@shortlist/kit/data/migration';
import type { TableRights } from '@shortlist/kit/data/migrate';

/** The statement that creates the audit log. Rows are only ever added; redaction removes a deleted user's text from them. */
export const AUDIT_LOG: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS audit_log (
    id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    at DATETIME(3) NOT NULL,
    actor_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    address VARCHAR(45) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    action VARCHAR(60) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    target_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    before_state TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    after_state TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    KEY audit_target (target_id, id),
    KEY audit_actor (actor_id, id)
  ) ENGINE=InnoDB`,
];

/**
 * The statements that make the audit log a chain. `position` is the order of insertion, in which entries are sealed; those that exist are
 * numbered, salted and sealed first.
 */
export const AUDIT_CHAIN: readonly MigrationStatement[] = [
  `CREATE TABLE IF NOT EXISTS audit_chain (
    sequence BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    entry_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    record_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    details_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    sealed_at DATETIME(3) NOT NULL,
    UNIQUE KEY audit_chain_entry (entry_id)
  ) ENGINE=InnoDB`,
  {
    unlessColumn: ['audit_log', 'position'],
    sql: `ALTER TABLE audit_log
      ADD COLUMN salt CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL,
      ADD COLUMN position BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      ADD UNIQUE KEY audit_position (position)`,
  },
  `UPDATE audit_log a LEFT JOIN audit_chain c ON c.entry_id = a.id
   SET a.salt = LOWER(HEX(RANDOM_BYTES(16))) WHERE c.entry_id IS NULL AND a.salt IS NULL`,
];

/** What the processes may do with the audit log: they add and read entries, and redact their details; they change and delete none. */
export const AUDIT_RIGHTS: TableRights = {
  audit_log: 'SELECT, INSERT, UPDATE (address, before_state, after_state, salt)',
  audit_chain: 'SELECT, INSERT',
};
