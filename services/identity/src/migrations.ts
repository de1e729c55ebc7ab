import { AUDIT_LOG } from '@shortlist/audit/tables';
import { addColumn, migration } from '@shortlist/kit/data/migration';
import { OUTBOX_AND_INBOX } from '@shortlist/kit/messaging/outbox';

const ID = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin';
const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';
const TEXT = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';

/** The first migration of a release. From here on migrations are only added: a database may have run this one. */
export const initial = migration('InitialIdentity1764000001000', [
  ...OUTBOX_AND_INBOX,
  ...AUDIT_LOG,
  // Emails are normalised before they are stored, so a binary collation compares them. The terms are those that the user accepted at sign-up,
  // NULL if none were required. `email_verified_at` is NULL until the user proves to own the email; only a sign-up inserts NULL.
  // `admin_version` grows with each change of an admin's permissions, so that a delayed change does not overwrite a newer one; the key on the
  // role prevents a lock on the owners from locking users' rows. `generation` grows with each change that ends existing sessions, log-ins in
  // progress and trusted devices. `owned_since` is when the user proved to read the mailbox. Tries of emailed codes are counted per account.
  // `reminded_at` is when the user was reminded to confirm the email, and `kept_for` why an unconfirmed account is kept.
  `CREATE TABLE IF NOT EXISTS accounts (
    id ${ID} NOT NULL PRIMARY KEY,
    email VARCHAR(254) ${TEXT} NOT NULL,
    password_hash VARCHAR(255) ${ASCII} NOT NULL,
    role ENUM('user', 'admin') NOT NULL,
    created_at DATETIME(3) NOT NULL,
    terms_version VARCHAR(40) ${ASCII} NULL,
    terms_accepted_at DATETIME(3) NULL,
    email_verified_at DATETIME(3) NULL DEFAULT CURRENT_TIMESTAMP(3),
    email_version INT UNSIGNED NOT NULL DEFAULT 1,
    admin_role ENUM('owner', 'support', 'finance', 'read_only') NULL,
    admin_version INT UNSIGNED NOT NULL DEFAULT 0,
    suspended_at DATETIME(3) NULL,
    generation INT UNSIGNED NOT NULL DEFAULT 0,
    owned_since DATETIME(3) NULL,
    code_tries INT UNSIGNED NOT NULL DEFAULT 0,
    code_tries_since DATETIME(3) NULL,
    reminded_at DATETIME(3) NULL,
    kept_for VARCHAR(10) ${ASCII} NULL,
    UNIQUE KEY accounts_email (email),
    KEY accounts_admin_role (admin_role),
    KEY accounts_unconfirmed (email_verified_at, created_at)
  ) ENGINE=InnoDB`,
  // Hashes of secrets that are sent by email: a token in a link, and for some purposes also a short code. `reference` names what the token is
  // for, such as one change of an email.
  `CREATE TABLE IF NOT EXISTS mailed_tokens (
    token_hash CHAR(43) ${ASCII} NOT NULL PRIMARY KEY,
    purpose VARCHAR(20) ${ASCII} NOT NULL,
    account_id ${ID} NOT NULL,
    reference ${ID} NULL,
    code_hash CHAR(43) ${ASCII} NULL,
    attempts INT UNSIGNED NOT NULL DEFAULT 0,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    used_at DATETIME(3) NULL,
    KEY mailed_tokens_account (account_id, purpose),
    KEY mailed_tokens_expiry (expires_at)
  ) ENGINE=InnoDB`,
  // The factors of an account besides its password, deleted with the account. A secret without `confirmed_at` has no effect yet.
  `CREATE TABLE IF NOT EXISTS totp_secrets (
    account_id ${ID} NOT NULL PRIMARY KEY,
    secret VARCHAR(200) ${ASCII} NOT NULL,
    key_id VARCHAR(16) ${ASCII} NOT NULL,
    last_step BIGINT NOT NULL DEFAULT 0,
    created_at DATETIME(3) NOT NULL,
    confirmed_at DATETIME(3) NULL,
    CONSTRAINT totp_secrets_account FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS recovery_codes (
    account_id ${ID} NOT NULL,
    code_hash CHAR(43) ${ASCII} NOT NULL,
    used_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL DEFAULT '2000-01-01',
    PRIMARY KEY (account_id, code_hash),
    CONSTRAINT recovery_codes_account FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS passkeys (
    id ${ID} NOT NULL PRIMARY KEY,
    account_id ${ID} NOT NULL,
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
  // Log-ins, with consecutive failures as one row. Only the network of an IP address is stored.
  `CREATE TABLE IF NOT EXISTS sign_ins (
    id ${ID} NOT NULL PRIMARY KEY,
    account_id ${ID} NOT NULL,
    at DATETIME(3) NOT NULL,
    outcome ENUM('succeeded', 'failed') NOT NULL,
    method VARCHAR(20) ${ASCII} NOT NULL,
    attempts INT UNSIGNED NOT NULL,
    browser VARCHAR(40) ${TEXT} NOT NULL,
    operating_system VARCHAR(40) ${TEXT} NOT NULL,
    network VARCHAR(50) ${ASCII} NOT NULL,
    place VARCHAR(100) ${TEXT} NOT NULL,
    session_id ${ID} NULL,
    is_new_device BOOLEAN NOT NULL,
    locked_at DATETIME(3) NULL,
    KEY sign_ins_account (account_id, id),
    KEY sign_ins_at (at)
  ) ENGINE=InnoDB`,
  // Changes of emails, from the request on. `undo_until` is NULL if the old email cannot undo the change. `owned_before` is the account's
  // earlier `owned_since`, which an undo restores; `first_requested_at` is the time of the first in a series of requests that replaced each
  // other. Deleted with the account.
  `CREATE TABLE IF NOT EXISTS email_changes (
    id ${ID} NOT NULL PRIMARY KEY,
    account_id ${ID} NOT NULL,
    old_email VARCHAR(254) ${TEXT} NOT NULL,
    new_email VARCHAR(254) ${TEXT} NOT NULL,
    requested_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    confirmed_at DATETIME(3) NULL,
    undo_until DATETIME(3) NULL,
    ended_at DATETIME(3) NULL,
    owned_before DATETIME(3) NULL,
    first_requested_at DATETIME(3) NOT NULL DEFAULT '2000-01-01',
    KEY email_changes_account (account_id, requested_at),
    KEY email_changes_old (old_email),
    KEY email_changes_requested (requested_at),
    CONSTRAINT email_changes_account FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
  ) ENGINE=InnoDB`,
  // Requested deletions, and the files with users' data. Both are deleted with the account.
  `CREATE TABLE IF NOT EXISTS deletions (
    id ${ID} NOT NULL PRIMARY KEY,
    account_id ${ID} NOT NULL,
    requested_at DATETIME(3) NOT NULL,
    due_at DATETIME(3) NOT NULL,
    reminded_at DATETIME(3) NULL,
    UNIQUE KEY deletions_account (account_id),
    KEY deletions_due (due_at),
    KEY deletions_reminder (reminded_at, due_at),
    CONSTRAINT deletions_account FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
  ) ENGINE=InnoDB`,
  // `attempt` is the run that writes the file. A row outlives its file, because the number of files per day is limited.
  `CREATE TABLE IF NOT EXISTS data_exports (
    id ${ID} NOT NULL PRIMARY KEY,
    account_id ${ID} NOT NULL,
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
  // The file in pieces of a mebibyte, so that neither side has all of it in memory (decision 18).
  `CREATE TABLE IF NOT EXISTS data_export_chunks (
    export_id ${ID} NOT NULL,
    attempt INT UNSIGNED NOT NULL,
    position INT UNSIGNED NOT NULL,
    content MEDIUMBLOB NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    PRIMARY KEY (export_id, attempt, position),
    KEY data_export_chunks_expiry (expires_at),
    CONSTRAINT data_export_chunks_export FOREIGN KEY (export_id) REFERENCES data_exports (id) ON DELETE CASCADE
  ) ENGINE=InnoDB`,
  // Invitations to the panel that were neither accepted nor withdrawn.
  `CREATE TABLE IF NOT EXISTS admin_invitations (
    id ${ID} NOT NULL PRIMARY KEY,
    email VARCHAR(254) ${TEXT} NOT NULL,
    role ENUM('owner', 'support', 'finance', 'read_only') NOT NULL,
    invited_by ${ID} NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    UNIQUE KEY admin_invitations_email (email),
    KEY admin_invitations_expiry (expires_at)
  ) ENGINE=InnoDB`,
  // Sign-ups with the email of an unconfirmed account. Each becomes an account if its email is confirmed first.
  `CREATE TABLE IF NOT EXISTS registrations (
    id ${ID} NOT NULL PRIMARY KEY,
    email VARCHAR(254) ${TEXT} NOT NULL,
    password_hash VARCHAR(255) ${ASCII} NOT NULL,
    terms_version VARCHAR(40) ${ASCII} NULL,
    profile TEXT ${TEXT} NOT NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    KEY registrations_email (email),
    KEY registrations_expiry (expires_at)
  ) ENGINE=InnoDB`,
]);

/** The names of admins, who have no profile. */
export const adminNames = migration('AdminNames1764100001000', [
  addColumn('accounts', 'admin_name', `VARCHAR(100) ${TEXT} NULL`),
]);

/** URLs of users' own systems, to which webhooks are sent. Deleted with the account. */
export const webhooks = migration('Webhooks1764300001000', [
  `CREATE TABLE IF NOT EXISTS webhooks (
    id ${ID} NOT NULL PRIMARY KEY,
    user_id ${ID} NOT NULL,
    url VARCHAR(500) ${TEXT} NOT NULL,
    events VARCHAR(500) ${ASCII} NOT NULL,
    created_at DATETIME(3) NOT NULL,
    changed_at DATETIME(3) NOT NULL,
    stop VARCHAR(20) ${ASCII} NULL,
    failing_since DATETIME(3) NULL,
    warned_at DATETIME(3) NULL,
    secret VARCHAR(120) ${ASCII} NOT NULL,
    key_id CHAR(16) ${ASCII} NOT NULL,
    previous_secret VARCHAR(120) ${ASCII} NULL,
    previous_key_id CHAR(16) ${ASCII} NULL,
    previous_until DATETIME(3) NULL,
    KEY webhooks_user (user_id, id),
    KEY webhooks_failing (failing_since),
    CONSTRAINT webhooks_account FOREIGN KEY (user_id) REFERENCES accounts (id) ON DELETE CASCADE
  ) ENGINE=InnoDB`,
]);

/** The keys with which apps act for users. Deleted with the account; only their hashes are stored. */
export const apiKeys = migration('ApiKeys1764200001000', [
  `CREATE TABLE IF NOT EXISTS api_keys (
    id ${ID} NOT NULL PRIMARY KEY,
    user_id ${ID} NOT NULL,
    name VARCHAR(60) ${TEXT} NOT NULL,
    scopes VARCHAR(200) ${ASCII} NOT NULL,
    key_hash CHAR(43) ${ASCII} NOT NULL,
    hint VARCHAR(20) ${TEXT} NOT NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NULL,
    revoked_at DATETIME(3) NULL,
    last_used_day CHAR(10) ${ASCII} NULL,
    last_used_network VARCHAR(50) ${ASCII} NOT NULL DEFAULT '',
    UNIQUE KEY api_keys_hash (key_hash),
    KEY api_keys_user (user_id, id),
    KEY api_keys_revoked (revoked_at),
    KEY api_keys_expiry (expires_at),
    CONSTRAINT api_keys_account FOREIGN KEY (user_id) REFERENCES accounts (id) ON DELETE CASCADE
  ) ENGINE=InnoDB`,
]);

/**
 * The apps that operators registered, users' grants to their installations, and what the authorization server has issued. Tokens and codes are
 * stored as hashes. A connection is deleted with its account, and everything issued for it with the connection.
 */
export const connections = migration('Connections1764300001000', [
  `CREATE TABLE IF NOT EXISTS tools (
    id ${ID} NOT NULL PRIMARY KEY,
    name VARCHAR(60) ${TEXT} NOT NULL,
    logo TEXT ${ASCII} NULL,
    redirect_uris TEXT ${ASCII} NOT NULL,
    scopes VARCHAR(200) ${ASCII} NOT NULL,
    is_verified BOOLEAN NOT NULL,
    created_at DATETIME(3) NOT NULL,
    disabled_at DATETIME(3) NULL
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS connections (
    id ${ID} NOT NULL PRIMARY KEY,
    user_id ${ID} NOT NULL,
    tool_id ${ID} NOT NULL,
    scopes VARCHAR(200) ${ASCII} NOT NULL,
    device VARCHAR(60) ${TEXT} NOT NULL,
    browser VARCHAR(40) ${TEXT} NOT NULL,
    operating_system VARCHAR(40) ${TEXT} NOT NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    ended_at DATETIME(3) NULL,
    last_used_day CHAR(10) ${ASCII} NULL,
    last_used_network VARCHAR(50) ${ASCII} NOT NULL DEFAULT '',
    KEY connections_user (user_id, id),
    KEY connections_tool (tool_id, ended_at),
    KEY connections_ended (ended_at),
    KEY connections_expiry (expires_at),
    CONSTRAINT connections_account FOREIGN KEY (user_id) REFERENCES accounts (id) ON DELETE CASCADE
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS oauth_artifacts (
    id_hash CHAR(43) ${ASCII} NOT NULL PRIMARY KEY,
    model VARCHAR(30) ${ASCII} NOT NULL,
    connection_id ${ID} NULL,
    user_code_hash CHAR(43) ${ASCII} NULL,
    payload TEXT ${TEXT} NOT NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    consumed_at DATETIME(3) NULL,
    polled_at DATETIME(3) NULL,
    UNIQUE KEY oauth_artifacts_user_code (user_code_hash),
    KEY oauth_artifacts_expiry (expires_at),
    CONSTRAINT oauth_artifacts_connection FOREIGN KEY (connection_id) REFERENCES connections (id) ON DELETE CASCADE
  ) ENGINE=InnoDB`,
]);

/**
 * `generation` of an app grows whenever it is disabled. A connection of an earlier generation has ended, even if its row is not updated yet and
 * after the app is enabled again. The key finds those rows among thousands of active ones.
 */
export const toolGenerations = migration('ToolGenerations1764400001000', [
  addColumn('tools', 'generation', 'INT UNSIGNED NOT NULL DEFAULT 0'),
  addColumn(
    'connections',
    'tool_generation',
    `INT UNSIGNED NOT NULL DEFAULT 0,
      DROP KEY connections_tool, ADD KEY connections_tool (tool_id, ended_at, tool_generation)`,
  ),
]);

/** For the removal of used tokens, which would read the whole table every ten minutes. */
export const consumedArtifacts = migration('ConsumedArtifacts1766100000000', [
  {
    unlessIndex: ['oauth_artifacts', 'oauth_artifacts_consumed'],
    sql: `ALTER TABLE oauth_artifacts ADD KEY oauth_artifacts_consumed (consumed_at), ALGORITHM = INPLACE, LOCK = NONE`,
  },
]);

/** The time of a warning was called `locked_at`, although a warning of wrong second factors locks nothing. */
export const signInWarnings = migration('SignInWarnings1766300000000', [
  addColumn('sign_ins', 'warned_at', 'DATETIME(3) NULL'),
]);

/** Which key a hash has, so that an operator learns when an older key can be removed. */
export const recoveryCodeKeys = migration('RecoveryCodeKeys1766400000000', [
  addColumn('recovery_codes', 'key_id', `CHAR(16) ${ASCII} NULL`),
]);
