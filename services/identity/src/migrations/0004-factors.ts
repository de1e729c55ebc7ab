import { migration } from '@shortlist/kit/data/migration';

const ACCOUNT = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL';
const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';

/** The factors of an account beside its password. They go with the account. */
export const factors = migration('FactorsIdentity1795400004000', [
  // A secret without `confirmed_at` does not count yet.
  `CREATE TABLE IF NOT EXISTS totp_secrets (
    account_id ${ACCOUNT} PRIMARY KEY,
    secret VARCHAR(200) ${ASCII} NOT NULL,
    key_id VARCHAR(16) ${ASCII} NOT NULL,
    last_step BIGINT NOT NULL DEFAULT 0,
    created_at DATETIME(3) NOT NULL,
    confirmed_at DATETIME(3) NULL,
    CONSTRAINT totp_secrets_account FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS recovery_codes (
    account_id ${ACCOUNT},
    code_hash CHAR(43) ${ASCII} NOT NULL,
    used_at DATETIME(3) NULL,
    PRIMARY KEY (account_id, code_hash),
    CONSTRAINT recovery_codes_account FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS passkeys (
    id ${ACCOUNT} PRIMARY KEY,
    account_id ${ACCOUNT},
    credential_id VARCHAR(1364) ${ASCII} NOT NULL,
    public_key VARCHAR(1364) ${ASCII} NOT NULL,
    sign_count BIGINT NOT NULL,
    transports VARCHAR(200) ${ASCII} NOT NULL,
    name VARCHAR(100) CHARACTER SET utf8mb4 NOT NULL,
    created_at DATETIME(3) NOT NULL,
    last_used_at DATETIME(3) NULL,
    UNIQUE KEY passkeys_credential (credential_id),
    KEY passkeys_account (account_id),
    CONSTRAINT passkeys_account FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
  ) ENGINE=InnoDB`,
]);
