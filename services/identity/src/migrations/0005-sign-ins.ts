import { migration } from '@shortlist/kit/data/migration';

const ID = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin';
const TEXT = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL';

/** Log-ins, and failed ones in a row as one row. `network` is that of the address, which is stored nowhere. */
export const signIns = migration('SignInsIdentity1795400003000', [
  `CREATE TABLE IF NOT EXISTS sign_ins (
    id ${ID} NOT NULL PRIMARY KEY,
    account_id ${ID} NOT NULL,
    at DATETIME(3) NOT NULL,
    outcome ENUM('succeeded', 'failed') NOT NULL,
    method VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attempts INT UNSIGNED NOT NULL,
    browser VARCHAR(40) ${TEXT},
    operating_system VARCHAR(40) ${TEXT},
    network VARCHAR(50) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    place VARCHAR(100) ${TEXT},
    session_id ${ID} NULL,
    is_new_device BOOLEAN NOT NULL,
    locked_at DATETIME(3) NULL,
    KEY sign_ins_account (account_id, id),
    KEY sign_ins_at (at)
  ) ENGINE=InnoDB`,
]);
