import { migration } from '@shortlist/kit/data/migration';

/**
 * The version of a subscriber's address, so that an older event restores no older address. `email_due` is TRUE while the customer at
 * Stripe may have an older one.
 */
export const emailVersion = migration('EmailVersionBilling1795400006000', [
  {
    unlessColumn: ['subscribers', 'email_version'],
    sql: `ALTER TABLE subscribers
      ADD COLUMN email_version INT UNSIGNED NOT NULL DEFAULT 1,
      ADD COLUMN email_due BOOLEAN NOT NULL DEFAULT FALSE,
      ADD KEY subscribers_email_due (email_due)`,
  },
]);
