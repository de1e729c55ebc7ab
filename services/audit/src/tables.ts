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
