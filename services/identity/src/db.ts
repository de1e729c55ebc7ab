import { createAuditLog, createOutboxAndInbox } from '@shortlist/kit/migration';
import { accountEntity } from './accounts/account.entity.ts';
import { createAccounts } from './migrations/0001-create-accounts.ts';

export const schema = {
  entities: [accountEntity],
  migrations: [createOutboxAndInbox, createAccounts, createAuditLog],
};
