import { migration } from '@shortlist/kit/migration';

const ID = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL';

export const createLedger = migration('CreateLedger1763600003000', [
  // The newest plan state heard of, by which the window in force is chosen.
  `CREATE TABLE IF NOT EXISTS accounts (
    user_id ${ID} PRIMARY KEY,
    plan_version INT UNSIGNED NOT NULL DEFAULT 0,
    plan_state TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL
  ) ENGINE=InnoDB`,
  // source_key names what opened the window: an invoice, a grant, or a free period's first day. One window each.
  `CREATE TABLE IF NOT EXISTS windows (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    user_id ${ID},
    source_key VARCHAR(120) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    plan ENUM('premium', 'free') NOT NULL,
    credit_limit INT UNSIGNED NOT NULL,
    used INT UNSIGNED NOT NULL DEFAULT 0,
    starts_at DATETIME(3) NOT NULL,
    ends_at DATETIME(3) NOT NULL,
    UNIQUE KEY windows_source (user_id, source_key),
    KEY windows_due (plan, ends_at, user_id),
    CONSTRAINT windows_not_overspent CHECK (used <= credit_limit)
  ) ENGINE=InnoDB`,
  // Append-only. used_after lets a repeated operation be answered as it was the first time.
  `CREATE TABLE IF NOT EXISTS ledger (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    user_id ${ID},
    window_id BIGINT UNSIGNED NOT NULL,
    operation_id VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    amount INT NOT NULL,
    reason VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    reference VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    used_after INT UNSIGNED NOT NULL,
    created_at DATETIME(3) NOT NULL,
    UNIQUE KEY ledger_operation (user_id, operation_id),
    KEY ledger_history (user_id, id),
    KEY ledger_window (window_id)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS deleted_users (
    user_id ${ID} PRIMARY KEY,
    deleted_at DATETIME(3) NOT NULL
  ) ENGINE=InnoDB`,
]);
