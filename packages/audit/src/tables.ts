import type { TableRights } from '@shortlist/kit/data/migrate';
import { migration } from '@shortlist/kit/data/migration';

/**
 * The statements that create the audit log and its chain of hashes (decision 9). Rows are only ever added; redaction removes a deleted
 * user's text from them. `position` is the order of insertion, in which entries are sealed.
 */
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
    salt CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL,
    position BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    UNIQUE KEY audit_position (position),
    KEY audit_target (target_id, id),
    KEY audit_actor (actor_id, id)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS audit_chain (
    sequence BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    entry_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    record_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    details_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    sealed_at DATETIME(3) NOT NULL,
    UNIQUE KEY audit_chain_entry (entry_id)
  ) ENGINE=InnoDB`,
];

/** For the timeline of a user, of which a page reads as many entries as it has. */
export const auditTimes = migration('AuditTimes1766800000000', [
  {
    unlessIndex: ['audit_log', 'audit_target_times'],
    sql: 'ALTER TABLE audit_log ADD KEY audit_target_times (target_id, at, id), ALGORITHM = INPLACE, LOCK = NONE',
  },
]);

/** For a page of the timeline with the changes of one kind: the kind follows from the action and the actor. */
export const auditKinds = migration('AuditKinds1767200000000', [
  {
    unlessIndex: ['audit_log', 'audit_target_kinds'],
    sql: `ALTER TABLE audit_log ADD KEY audit_target_kinds (target_id, action, actor_id, at, id),
      ALGORITHM = INPLACE, LOCK = NONE`,
  },
]);

/** For pages of the log by time, of some actors or of one action too, however long ago. */
export const auditOrder = migration('AuditOrder1768500000000', [
  {
    unlessIndex: ['audit_log', 'audit_times'],
    sql: `ALTER TABLE audit_log ADD KEY audit_times (at, id), ADD KEY audit_actors (actor_id, at, id),
      ADD KEY audit_actions (action, at, id), DROP KEY audit_actor, ALGORITHM = INPLACE, LOCK = NONE`,
  },
]);

/** The rights of processes on the audit log: they may add and read entries and redact details, but not change or delete an entry. */
export const AUDIT_RIGHTS: TableRights = {
  audit_log: 'SELECT, INSERT, UPDATE (address, before_state, after_state, salt)',
  audit_chain: 'SELECT, INSERT',
};
