import { AUDIT_CHAIN, AUDIT_LOG } from '@shortlist/audit/tables';
import { migration } from '@shortlist/kit/data/migration';
import { OUTBOX_AND_INBOX } from '@shortlist/kit/messaging/outbox';

export const initial = migration('InitialIdentity1764000001000', [
  ...OUTBOX_AND_INBOX,
  ...AUDIT_LOG,
  // E-mail addresses are normalised before they are stored, so a binary collation compares them.
  `CREATE TABLE IF NOT EXISTS accounts (
    id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    email VARCHAR(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    password_hash VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    role ENUM('user', 'admin') NOT NULL,
    created_at DATETIME(3) NOT NULL,
    UNIQUE KEY accounts_email (email)
  ) ENGINE=InnoDB`,
]);

/** The version of the terms that a user accepted at sign-up, and when; NULL where none were to be accepted. */
export const consent = migration('ConsentIdentity1795400000000', [
  {
    unlessColumn: ['accounts', 'terms_version'],
    sql: `ALTER TABLE accounts
      ADD COLUMN terms_version VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL,
      ADD COLUMN terms_accepted_at DATETIME(3) NULL`,
  },
]);

/**
 * Secrets that are sent by mail, as hashes: a token in a link, and for some purposes a short code as well. `reference` names what
 * the token is about, such as one change of an e-mail address.
 */
export const mailedTokens = migration('MailedTokensIdentity1795400001000', [
  `CREATE TABLE IF NOT EXISTS mailed_tokens (
    token_hash CHAR(43) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    purpose VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    account_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    reference CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    code_hash CHAR(43) CHARACTER SET ascii COLLATE ascii_bin NULL,
    attempts INT UNSIGNED NOT NULL DEFAULT 0,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    used_at DATETIME(3) NULL,
    KEY mailed_tokens_account (account_id, purpose),
    KEY mailed_tokens_expiry (expires_at)
  ) ENGINE=InnoDB`,
]);

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

const ID_NULLABLE = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin';
const TEXT = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL';

/** Log-ins, and failed ones in a row as one row. `network` is that of the address, which is stored nowhere. */
export const signIns = migration('SignInsIdentity1795400003000', [
  `CREATE TABLE IF NOT EXISTS sign_ins (
    id ${ID_NULLABLE} NOT NULL PRIMARY KEY,
    account_id ${ID_NULLABLE} NOT NULL,
    at DATETIME(3) NOT NULL,
    outcome ENUM('succeeded', 'failed') NOT NULL,
    method VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attempts INT UNSIGNED NOT NULL,
    browser VARCHAR(40) ${TEXT},
    operating_system VARCHAR(40) ${TEXT},
    network VARCHAR(50) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    place VARCHAR(100) ${TEXT},
    session_id ${ID_NULLABLE} NULL,
    is_new_device BOOLEAN NOT NULL,
    locked_at DATETIME(3) NULL,
    KEY sign_ins_account (account_id, id),
    KEY sign_ins_at (at)
  ) ENGINE=InnoDB`,
]);

/**
 * When the user proved that the address is theirs; NULL until then. The default makes every account verified that exists already,
 * or is inserted by a process that does not know the column: only a sign-up inserts NULL.
 */
export const emailVerification = migration('EmailVerificationIdentity1795400005000', [
  {
    unlessColumn: ['accounts', 'email_verified_at'],
    sql: 'ALTER TABLE accounts ADD COLUMN email_verified_at DATETIME(3) NULL DEFAULT CURRENT_TIMESTAMP(3)',
  },
]);

const EMAIL = 'VARCHAR(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';

/**
 * Changes of e-mail addresses, from the request on. `undo_until` is NULL where the old address cannot undo the change. A change goes
 * with its account.
 */
export const emailChanges = migration('EmailChangesIdentity1795400006000', [
  {
    unlessColumn: ['accounts', 'email_version'],
    sql: 'ALTER TABLE accounts ADD COLUMN email_version INT UNSIGNED NOT NULL DEFAULT 1',
  },
  `CREATE TABLE IF NOT EXISTS email_changes (
    id ${ID_NULLABLE} NOT NULL PRIMARY KEY,
    account_id ${ID_NULLABLE} NOT NULL,
    old_email ${EMAIL} NOT NULL,
    new_email ${EMAIL} NOT NULL,
    requested_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    confirmed_at DATETIME(3) NULL,
    undo_until DATETIME(3) NULL,
    ended_at DATETIME(3) NULL,
    KEY email_changes_account (account_id, requested_at),
    KEY email_changes_old (old_email),
    KEY email_changes_requested (requested_at),
    CONSTRAINT email_changes_account FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
  ) ENGINE=InnoDB`,
]);

/**
 * The role of each admin; the admins that exist are owners. `admin_version` grows with each change of what an admin may do, so that
 * a late change does not overwrite a later one. The key keeps a lock on the owners from locking the rows of users.
 */
export const adminRoles = migration('AdminRolesIdentity1795400007000', [
  {
    unlessColumn: ['accounts', 'admin_role'],
    sql: `ALTER TABLE accounts
      ADD COLUMN admin_role ENUM('owner', 'support', 'finance', 'read_only') NULL,
      ADD KEY accounts_admin_role (admin_role)`,
  },
  {
    unlessColumn: ['accounts', 'admin_version'],
    sql: 'ALTER TABLE accounts ADD COLUMN admin_version INT UNSIGNED NOT NULL DEFAULT 0',
  },
  {
    unlessColumn: ['accounts', 'suspended_at'],
    sql: 'ALTER TABLE accounts ADD COLUMN suspended_at DATETIME(3) NULL',
  },
  "UPDATE accounts SET admin_role = 'owner' WHERE role = 'admin' AND admin_role IS NULL",
]);

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

/** Invitations to the panel that were neither accepted nor withdrawn. */
export const adminInvitations = migration('AdminInvitationsIdentity1795400009000', [
  `CREATE TABLE IF NOT EXISTS admin_invitations (
    id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    email VARCHAR(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    role ENUM('owner', 'support', 'finance', 'read_only') NOT NULL,
    invited_by CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    UNIQUE KEY admin_invitations_email (email),
    KEY admin_invitations_expiry (expires_at)
  ) ENGINE=InnoDB`,
]);

/**
 * `generation` grows with each change that ends what began before it: sessions, log-ins under way and trusted devices. `owned_since`
 * is when the user of the account proved to read its mail; those of confirmed accounts are taken to. `owned_before` is its value before
 * a change of the address, which an undo restores; `first_requested_at` is when the first of the requests that replaced each other
 * was made. The tries of mailed
 * codes are counted per account; `mailed_tokens.attempts` counted them per mail.
 */
export const generations = migration('GenerationsIdentity1795400010000', [
  {
    unlessColumn: ['accounts', 'generation'],
    sql: 'ALTER TABLE accounts ADD COLUMN generation INT UNSIGNED NOT NULL DEFAULT 0',
  },
  {
    unlessColumn: ['accounts', 'owned_since'],
    sql: 'ALTER TABLE accounts ADD COLUMN owned_since DATETIME(3) NULL',
  },
  'UPDATE accounts SET owned_since = email_verified_at WHERE owned_since IS NULL',
  {
    unlessColumn: ['email_changes', 'owned_before'],
    sql: 'ALTER TABLE email_changes ADD COLUMN owned_before DATETIME(3) NULL',
  },
  {
    unlessColumn: ['email_changes', 'first_requested_at'],
    sql: "ALTER TABLE email_changes ADD COLUMN first_requested_at DATETIME(3) NOT NULL DEFAULT '2000-01-01'",
  },
  "UPDATE email_changes SET first_requested_at = requested_at WHERE first_requested_at = '2000-01-01'",
  {
    unlessColumn: ['accounts', 'code_tries'],
    sql: 'ALTER TABLE accounts ADD COLUMN code_tries INT UNSIGNED NOT NULL DEFAULT 0',
  },
  {
    unlessColumn: ['accounts', 'code_tries_since'],
    sql: 'ALTER TABLE accounts ADD COLUMN code_tries_since DATETIME(3) NULL',
  },
  // Codes that exist already are as old as the authenticator app that they belong to.
  {
    unlessColumn: ['recovery_codes', 'created_at'],
    sql: "ALTER TABLE recovery_codes ADD COLUMN created_at DATETIME(3) NOT NULL DEFAULT '2000-01-01'",
  },
]);

/** When the user of an account was reminded to confirm the address, and why an account is kept without that. */
export const unconfirmedAccounts = migration('UnconfirmedAccountsIdentity1795400011000', [
  {
    unlessColumn: ['accounts', 'reminded_at'],
    sql: `ALTER TABLE accounts
      ADD COLUMN reminded_at DATETIME(3) NULL,
      ADD COLUMN kept_for VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NULL,
      ADD KEY accounts_unconfirmed (email_verified_at, created_at)`,
  },
]);

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

/** The audit log becomes a chain of hashes (decision 11). */
export const auditChain = migration('AuditChainIdentity1795400012000', AUDIT_CHAIN);
