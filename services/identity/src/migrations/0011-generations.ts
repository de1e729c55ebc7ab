import { migration } from '@shortlist/kit/data/migration';

/**
 * `generation` grows with each change that ends what began before it: sessions, log-ins under way and trusted devices. `owned_since`
 * is when the account and its mailbox proved to have one owner; those of confirmed accounts that exist already are taken to.
 */
export const generations = migration('GenerationsIdentity1795400010000', [
  {
    unlessColumn: ['accounts', 'generation'],
    sql: 'ALTER TABLE accounts ADD COLUMN generation INT UNSIGNED NOT NULL DEFAULT 0',
  },
]);
