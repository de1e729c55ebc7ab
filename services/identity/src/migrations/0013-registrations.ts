import { migration } from '@shortlist/kit/data/migration';

/** Sign-ups with the address of an account that has not confirmed it. Each becomes an account when its mail is confirmed first. */
export const registrations = migration('RegistrationsIdentity1795400011001', [
  `CREATE TABLE IF NOT EXISTS registrations (
    id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    email VARCHAR(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    password_hash VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    terms_version VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL,
    profile TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    KEY registrations_email (email),
    KEY registrations_expiry (expires_at)
  ) ENGINE=InnoDB`,
]);
