import { migration } from '@shortlist/kit/data/migration';

/** When the content of a mail was removed, because its user was deleted. The key finds the mails of a user. */
export const redaction = migration('RedactionWorker1795400009000', [
  {
    unlessColumn: ['mails', 'redacted_at'],
    sql: 'ALTER TABLE mails ADD COLUMN redacted_at DATETIME(3) NULL, ADD KEY mails_user (user_id, id)',
  },
]);
