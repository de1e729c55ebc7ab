import { addColumn, dropIndex, migration } from '@shortlist/kit/data/migration';
import { OUTBOX_AND_INBOX } from '@shortlist/kit/messaging/outbox';

const ID = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL';

/** The first migration of a release. From here on migrations are only added: a database may have run this one. */
export const initial = migration('InitialWorker1764000005000', [
  ...OUTBOX_AND_INBOX,
  // One row per email; because of the unique key, a repeated event causes only one. `uncertain` marks an email that the provider may have accepted
  // although its response was lost: it is sent only once more. `redacted_at` is when the content was removed because the user was deleted.
  `CREATE TABLE IF NOT EXISTS mails (
    id ${ID} PRIMARY KEY,
    template VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    user_id ${ID},
    event_id ${ID},
    data TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    status ENUM('pending', 'sending', 'sent', 'failed', 'skipped') NOT NULL,
    uncertain BOOLEAN NOT NULL DEFAULT FALSE,
    attempts INT UNSIGNED NOT NULL DEFAULT 0,
    last_error VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    created_at DATETIME(3) NOT NULL,
    changed_at DATETIME(3) NOT NULL,
    redacted_at DATETIME(3) NULL,
    UNIQUE KEY mails_once (template, user_id, event_id),
    KEY mails_waiting (status, changed_at),
    KEY mails_user (user_id, id)
  ) ENGINE=InnoDB`,
]);

/** Messages to users' own systems, and the delivery of each to the endpoints that want it. */
export const webhooks = migration('Webhooks1764300005000', [
  `CREATE TABLE IF NOT EXISTS webhook_messages (
    id ${ID} PRIMARY KEY,
    user_id ${ID},
    event VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    cause VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    payload TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    created_at DATETIME(3) NOT NULL,
    spread_at DATETIME(3) NULL,
    UNIQUE KEY webhook_messages_once (user_id, event, cause),
    KEY webhook_messages_unspread (spread_at, created_at),
    KEY webhook_messages_age (created_at)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS webhook_deliveries (
    id ${ID} PRIMARY KEY,
    message_id ${ID},
    endpoint_id ${ID},
    user_id ${ID},
    state ENUM('pending', 'delivered', 'failed', 'canceled') NOT NULL,
    next_try_at DATETIME(3) NULL,
    taken_until DATETIME(3) NULL,
    claims INT UNSIGNED NOT NULL DEFAULT 0,
    tries TEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at DATETIME(3) NOT NULL,
    UNIQUE KEY webhook_deliveries_once (message_id, endpoint_id),
    KEY webhook_deliveries_due (state, next_try_at),
    KEY webhook_deliveries_endpoint (endpoint_id, id),
    KEY webhook_deliveries_user (user_id),
    KEY webhook_deliveries_age (created_at)
  ) ENGINE=InnoDB`,
]);

/**
 * The data of the email provider's events: the state of each email, and suppressed addresses. The new status comes last, so that existing rows
 * stay unchanged.
 */
export const deliveries = migration('Deliveries1764900005000', [
  `ALTER TABLE mails
    MODIFY status ENUM('pending', 'sending', 'sent', 'failed', 'skipped', 'undeliverable') NOT NULL`,
  addColumn(
    'mails',
    'delivery',
    "ENUM('deferred', 'blocked', 'delivered', 'dropped', 'bounced', 'complained') NULL",
  ),
  `CREATE TABLE IF NOT EXISTS suppressions (
    email VARCHAR(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL PRIMARY KEY,
    user_id ${ID},
    kind ENUM('bounced', 'complained') NOT NULL,
    reason VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    occurred_at DATETIME(3) NOT NULL,
    lifted_at DATETIME(3) NULL,
    changed_at DATETIME(3) NOT NULL,
    KEY suppressions_user (user_id),
    KEY suppressions_age (changed_at)
  ) ENGINE=InnoDB`,
]);

/**
 * When an email is tried next, and the trace that it belongs to. Processes of the previous release know neither: their emails are due at once,
 * and like all processes they claim an email by its status.
 */
export const dueMails = migration('DueMails1765000005000', [
  addColumn(
    'mails',
    'next_try_at',
    `DATETIME(3) NOT NULL DEFAULT '2000-01-01 00:00:00.000',
      ADD COLUMN traceparent CHAR(55) CHARACTER SET ascii COLLATE ascii_bin NULL`,
  ),
  {
    unlessIndex: ['mails', 'mails_due'],
    sql: 'ALTER TABLE mails ADD KEY mails_due (status, next_try_at), DROP KEY mails_waiting',
  },
]);

/** Users whose deletion was handled: what is stored about them afterwards would stay. */
export const deletedUsers = migration('DeletedUsers1766400005000', [
  `CREATE TABLE IF NOT EXISTS deleted_users (
    user_id ${ID} PRIMARY KEY,
    deleted_at DATETIME(3) NOT NULL
  ) ENGINE=InnoDB`,
]);

/** For the timeline of a user, of which a page reads as many emails as it has. */
export const mailTimes = migration('MailTimes1766700005000', [
  {
    unlessIndex: ['mails', 'mails_user_times'],
    sql: 'ALTER TABLE mails ADD KEY mails_user_times (user_id, created_at, id), ALGORITHM = INPLACE, LOCK = NONE',
  },
]);

/**
 * Changes of many users, and each user's part in one. `resolved_at`: when all users of a job were known; until then, `cursor_text` says which page
 * of them is next. `address` is the admin's, for the audit log, while the job runs.
 */
export const bulkJobs = migration('BulkJobs1766800005000', [
  `CREATE TABLE IF NOT EXISTS bulk_jobs (
    id ${ID} PRIMARY KEY,
    kind VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    state ENUM('running', 'paused', 'canceled', 'done') NOT NULL,
    problem VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NULL,
    reason VARCHAR(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    options TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    filter TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    cursor_text TEXT CHARACTER SET ascii COLLATE ascii_bin NULL,
    expected INT UNSIGNED NULL,
    created_by ${ID},
    address VARCHAR(45) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    undo_of CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    total INT UNSIGNED NOT NULL DEFAULT 0,
    done INT UNSIGNED NOT NULL DEFAULT 0,
    skipped INT UNSIGNED NOT NULL DEFAULT 0,
    failed INT UNSIGNED NOT NULL DEFAULT 0,
    created_at DATETIME(3) NOT NULL,
    resolved_at DATETIME(3) NULL,
    finished_at DATETIME(3) NULL,
    UNIQUE KEY bulk_jobs_undo (undo_of),
    KEY bulk_jobs_state (state, id),
    KEY bulk_jobs_age (created_at)
  ) ENGINE=InnoDB`,
  // `undoable`: whether there is something to undo, or will be once the item is done. `of_item`: what an undo undoes. `plan_version`: that of
  // the plan of which the renewal was stopped.
  `CREATE TABLE IF NOT EXISTS bulk_items (
    id ${ID} PRIMARY KEY,
    job_id ${ID},
    position INT UNSIGNED NOT NULL,
    user_id ${ID},
    state ENUM('waiting', 'done', 'skipped', 'failed') NOT NULL,
    why VARCHAR(60) CHARACTER SET ascii COLLATE ascii_bin NULL,
    tries INT UNSIGNED NOT NULL DEFAULT 0,
    undoable BOOLEAN NOT NULL DEFAULT FALSE,
    of_item CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    plan_version INT UNSIGNED NULL,
    created_at DATETIME(3) NOT NULL,
    UNIQUE KEY bulk_items_once (job_id, user_id),
    KEY bulk_items_due (job_id, state, tries, position),
    KEY bulk_items_list (job_id, position),
    KEY bulk_items_state (job_id, state, position),
    KEY bulk_items_user (user_id),
    KEY bulk_items_age (created_at)
  ) ENGINE=InnoDB`,
]);

/** Two rows, by which the metrics of this service report the newest backups. */
export const backupReports = migration('BackupReports1766500005000', [
  `CREATE TABLE IF NOT EXISTS backup_reports (
    name ENUM('backup', 'verified') NOT NULL PRIMARY KEY,
    instant DATETIME(3) NOT NULL
  ) ENGINE=InnoDB`,
]);

/** For the emails of the last day on the System screen, which reads nothing but the index. */
export const newestMails = migration('NewestMails1767000005000', [
  {
    unlessIndex: ['mails', 'mails_newest'],
    sql: `ALTER TABLE mails ADD KEY mails_newest (created_at, template, status, delivery),
      ALGORITHM = INPLACE, LOCK = NONE`,
  },
]);

/** Emails to many users share one text. The results of bulk jobs are read by job alone, so they lose the index of their users. */
export const mailTexts = migration('MailTexts1767100005000', [
  `CREATE TABLE IF NOT EXISTS mail_texts (
    id ${ID} PRIMARY KEY,
    data TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    created_at DATETIME(3) NOT NULL
  ) ENGINE=InnoDB`,
  dropIndex('bulk_items', 'bulk_items_user'),
]);

/** Emails that users have turned off, by kind. A process of the previous release knows none, and sends none of these kinds. */
export const turnedOffMails = migration('TurnedOffMails1768300005000', [
  `CREATE TABLE IF NOT EXISTS turned_off_mails (
    user_id ${ID},
    kind VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    turned_off_at DATETIME(3) NOT NULL,
    PRIMARY KEY (user_id, kind)
  ) ENGINE=InnoDB`,
]);

/** Two rows, by which the System screen and the metrics report the newest runs of `shortlist verify`. */
export const verifications = migration('Verifications1768600005000', [
  `CREATE TABLE IF NOT EXISTS verifications (
    name ENUM('last', 'last_held') NOT NULL PRIMARY KEY,
    ended_at DATETIME(3) NOT NULL,
    checked INT UNSIGNED NOT NULL,
    unchecked INT UNSIGNED NOT NULL,
    breached JSON NOT NULL
  ) ENGINE=InnoDB`,
]);
