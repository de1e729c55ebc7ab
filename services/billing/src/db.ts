import { createAuditLog, createOutboxAndInbox } from '@shortlist/kit/migration';
import { createBilling } from './migrations/0001-create-billing.ts';
import { addCursors } from './migrations/0002-add-cursors.ts';
import { indexRefunds } from './migrations/0003-index-refunds.ts';
import { subscriberEntity } from './subscriptions/subscriber.entity.ts';

export const schema = {
  entities: [subscriberEntity],
  migrations: [createOutboxAndInbox, createBilling, createAuditLog, addCursors, indexRefunds],
};
