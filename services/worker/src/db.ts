import { endedRights } from '@shortlist/kit/data/rights';
import { deletedUserEntity } from './erase-user.ts';
import { mailEntity } from './mail/queries.ts';
import { suppressionEntity } from './mail/suppression-queries.ts';
import { deletedUsers, deliveries, dueMails, initial, webhooks } from './migrations.ts';
import { deliveryEntity, messageEntity } from './webhooks/queries.ts';

export const schema = {
  entities: [mailEntity, suppressionEntity, messageEntity, deliveryEntity, deletedUserEntity],
  migrations: [initial, webhooks, endedRights, deliveries, dueMails, deletedUsers],
};
