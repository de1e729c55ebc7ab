import { AUDIT_LOG } from '@shortlist/audit/tables';
import { OUTBOX_AND_INBOX } from '@shortlist/kit/messaging/outbox';
import { addColumn, migration } from '@shortlist/kit/data/migration';

const ID = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL';
const TEXT = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL';

/** The first migration of a release. From here on migrations are only added: a database may have run this one. */
export const initial = migration('InitialProfile1764000002000', [
  ...OUTBOX_AND_INBOX,
  ...AUDIT_LOG,
  // role_type is set only by admins and empty until then. terms repeats the user's search terms, so that a scan of profiles can test for a term
  // without reading directory_terms. email_version prevents an older event from restoring an older email.
  `CREATE TABLE IF NOT EXISTS profiles (
    user_id ${ID} PRIMARY KEY,
    email VARCHAR(254) ${TEXT},
    first_name VARCHAR(100) ${TEXT},
    last_name VARCHAR(100) ${TEXT},
    organization_name VARCHAR(200) ${TEXT},
    type_of_organization VARCHAR(40) ${TEXT},
    primary_recruiting_industry VARCHAR(100) ${TEXT},
    country VARCHAR(60) ${TEXT},
    city VARCHAR(100) ${TEXT},
    linkedin VARCHAR(300) ${TEXT},
    role_type VARCHAR(40) ${TEXT} DEFAULT '',
    terms VARCHAR(800) ${TEXT} DEFAULT '',
    picture CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    created_at DATETIME(3) NOT NULL,
    version INT UNSIGNED NOT NULL DEFAULT 1,
    plan_version INT UNSIGNED NOT NULL DEFAULT 0,
    premium_until DATETIME(3) NULL,
    email_version INT UNSIGNED NOT NULL DEFAULT 1,
    KEY profiles_created (created_at, user_id),
    KEY profiles_name (first_name, last_name, user_id),
    KEY profiles_email (email, user_id),
    KEY profiles_organization (organization_name, user_id),
    KEY profiles_country (country, user_id),
    KEY profiles_premium (premium_until, user_id)
  ) ENGINE=InnoDB`,
  // The search terms of each user, with the columns by which the list is filtered and ordered. The primary key makes the
  // users with one term a contiguous range, read without a look-up in profiles (decision 10).
  `CREATE TABLE IF NOT EXISTS directory_terms (
    user_id ${ID},
    term VARCHAR(100) ${TEXT},
    email VARCHAR(254) ${TEXT} DEFAULT '',
    first_name VARCHAR(100) ${TEXT} DEFAULT '',
    last_name VARCHAR(100) ${TEXT} DEFAULT '',
    organization_name VARCHAR(200) ${TEXT} DEFAULT '',
    country VARCHAR(60) ${TEXT} DEFAULT '',
    created_at DATETIME(3) NOT NULL DEFAULT '1970-01-01 00:00:00',
    premium_until DATETIME(3) NULL,
    terms VARCHAR(800) ${TEXT} DEFAULT '',
    PRIMARY KEY (term, user_id)
  ) ENGINE=InnoDB`,
  // A plan state received before the user's registration: events of different topics arrive in any order.
  `CREATE TABLE IF NOT EXISTS early_plans (
    user_id ${ID} PRIMARY KEY,
    plan_version INT UNSIGNED NOT NULL,
    premium_until DATETIME(3) NULL
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS deleted_users (
    user_id ${ID} PRIMARY KEY,
    deleted_at DATETIME(3) NOT NULL
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS pictures (
    name CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    user_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    bytes MEDIUMBLOB NOT NULL,
    created_at DATETIME(3) NOT NULL,
    KEY pictures_orphans (user_id, created_at)
  ) ENGINE=InnoDB`,
]);

const PROBLEM = 'VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NULL';

/** The payment problem of each copy of a plan. Few users have one, so the index finds them. */
export const paymentProblems = migration('PaymentProblems1764500000000', [
  addColumn('profiles', 'payment_problem', `${PROBLEM}, ADD KEY profiles_problem (payment_problem, user_id)`),
  addColumn('directory_terms', 'payment_problem', PROBLEM),
  addColumn('early_plans', 'payment_problem', PROBLEM),
]);

/** The filters of the directory that each admin has saved. */
export const savedFilters = migration('SavedFilters1766900000000', [
  `CREATE TABLE IF NOT EXISTS saved_filters (
    id ${ID} PRIMARY KEY,
    admin_id ${ID},
    name VARCHAR(60) ${TEXT},
    query TEXT ${TEXT},
    KEY saved_filters_admin (admin_id)
  ) ENGINE=InnoDB`,
]);

export const userNotes = migration('UserNotes1766700000000', [
  `CREATE TABLE IF NOT EXISTS user_notes (
    id ${ID} PRIMARY KEY,
    user_id ${ID},
    author_id ${ID},
    text TEXT ${TEXT},
    created_at DATETIME(3) NOT NULL,
    KEY user_notes_user (user_id, created_at)
  ) ENGINE=InnoDB`,
]);

export const notices = migration('Notices1767000000000', [
  `CREATE TABLE IF NOT EXISTS notices (
    id ${ID} PRIMARY KEY,
    audience VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    tone VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    text VARCHAR(300) ${TEXT},
    link_label VARCHAR(40) ${TEXT},
    link_to VARCHAR(300) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    from_at DATETIME(3) NOT NULL,
    until_at DATETIME(3) NOT NULL,
    KEY notices_until (until_at, id)
  ) ENGINE=InnoDB`,
]);

/** The release before leaves the version as it is: its changes come before what follows, and conflict with none. */
export const noticeVersions = migration('NoticeVersions1767100000000', [
  addColumn('notices', 'version', 'INT UNSIGNED NOT NULL DEFAULT 1'),
]);
