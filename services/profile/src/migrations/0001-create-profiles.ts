import { migration } from '@shortlist/kit/migration';

const ID = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL';
const TEXT = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci NOT NULL';

export const createProfiles = migration('CreateProfiles1763600002000', [
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
    picture CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    created_at DATETIME(3) NOT NULL,
    version INT UNSIGNED NOT NULL DEFAULT 1,
    plan_version INT UNSIGNED NOT NULL DEFAULT 0,
    premium_until DATETIME(3) NULL,
    KEY profiles_created (created_at, user_id),
    KEY profiles_name (first_name, last_name, user_id),
    KEY profiles_email (email, user_id),
    KEY profiles_organization (organization_name, user_id),
    KEY profiles_country (country, user_id),
    KEY profiles_premium (premium_until, user_id)
  ) ENGINE=InnoDB`,
  // A plan heard of before its person is: facts of different topics come in any order.
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
