import { migration } from '@shortlist/kit/migration';

const KEY = 'CHARACTER SET ascii COLLATE ascii_bin NOT NULL';

export const addCyclesAndReservations = migration('AddCyclesAndReservations1763700003000', [
  // When a person's next free window is due. The row is also the lock under which free windows are opened, so that first
  // spends at the same moment open one, and it keeps the search for what is due from growing with every window that was.
  `CREATE TABLE IF NOT EXISTS free_cycles (
    user_id CHAR(36) ${KEY} PRIMARY KEY,
    due_at DATETIME(3) NOT NULL,
    KEY free_cycles_due (due_at, user_id)
  ) ENGINE=InnoDB`,
  `INSERT IGNORE INTO free_cycles (user_id, due_at)
   SELECT user_id, MAX(ends_at) FROM windows WHERE plan = 'free' GROUP BY user_id`,
  // A contact that was charged for. The key makes a second charge wait for the first and find it.
  `CREATE TABLE IF NOT EXISTS contacts (
    user_id CHAR(36) ${KEY},
    reason VARCHAR(40) ${KEY},
    reference VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    operation_id VARCHAR(100) ${KEY},
    charged_at DATETIME(3) NOT NULL,
    PRIMARY KEY (user_id, reason, reference)
  ) ENGINE=InnoDB`,
  // A credit that is taken but not yet settled. The ledger has it as spent; a release writes it back.
  `CREATE TABLE IF NOT EXISTS reservations (
    id CHAR(36) ${KEY} PRIMARY KEY,
    user_id CHAR(36) ${KEY},
    operation_id VARCHAR(100) ${KEY},
    state ENUM('held', 'committed', 'released') NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    UNIQUE KEY reservations_operation (user_id, operation_id),
    KEY reservations_due (state, expires_at)
  ) ENGINE=InnoDB`,
  // Windows whose last credit was told of. A credit that comes back and goes again is no second exhaustion.
  `CREATE TABLE IF NOT EXISTS exhausted_windows (
    window_id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    user_id CHAR(36) ${KEY},
    KEY exhausted_windows_user (user_id)
  ) ENGINE=InnoDB`,
]);
