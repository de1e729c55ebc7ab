import { migration } from '@shortlist/kit/data/migration';

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
