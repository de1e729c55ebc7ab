import { migration } from '@shortlist/kit/data/migration';

const ID = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL';

/** Requested deletions, and the files with the data of users. Both go with the account. */
export const privacy = migration('PrivacyIdentity1795400008000', [
  `CREATE TABLE IF NOT EXISTS deletions (
    id ${ID} PRIMARY KEY,
    account_id ${ID},
    requested_at DATETIME(3) NOT NULL,
    due_at DATETIME(3) NOT NULL,
    reminded_at DATETIME(3) NULL,
    UNIQUE KEY deletions_account (account_id),
    KEY deletions_due (due_at),
    KEY deletions_reminder (reminded_at, due_at),
    CONSTRAINT deletions_account FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
  ) ENGINE=InnoDB`,
  // `attempt` is that of the run that writes the file. A row outlives its file: the number of files a day is limited.
  `CREATE TABLE IF NOT EXISTS data_exports (
    id ${ID} PRIMARY KEY,
    account_id ${ID},
    state ENUM('waiting', 'running', 'ready', 'failed', 'removed') NOT NULL,
    attempt INT UNSIGNED NOT NULL DEFAULT 0,
    done INT UNSIGNED NOT NULL DEFAULT 0,
    bytes BIGINT UNSIGNED NULL,
    requested_at DATETIME(3) NOT NULL,
    changed_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NULL,
    KEY data_exports_account (account_id, id),
    KEY data_exports_state (state, changed_at),
    KEY data_exports_requested (requested_at),
    CONSTRAINT data_exports_account FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
  ) ENGINE=InnoDB`,
  // The file in pieces of a mebibyte, so that neither side has the whole of it in memory (decision 26).
  `CREATE TABLE IF NOT EXISTS data_export_chunks (
    export_id ${ID},
    attempt INT UNSIGNED NOT NULL,
    position INT UNSIGNED NOT NULL,
    content MEDIUMBLOB NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    PRIMARY KEY (export_id, attempt, position),
    KEY data_export_chunks_expiry (expires_at),
    CONSTRAINT data_export_chunks_export FOREIGN KEY (export_id) REFERENCES data_exports (id) ON DELETE CASCADE
  ) ENGINE=InnoDB`,
]);
