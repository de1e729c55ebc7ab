import { migration } from '@shortlist/kit/migration';

export const createAccounts = migration('CreateAccounts1763600001000', [
  // Addresses are normalised before they are stored, so they compare byte by byte.
  `CREATE TABLE IF NOT EXISTS accounts (
    id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    email VARCHAR(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    password_hash VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    role ENUM('user', 'admin') NOT NULL,
    created_at DATETIME(3) NOT NULL,
    UNIQUE KEY accounts_email (email)
  ) ENGINE=InnoDB`,
]);
