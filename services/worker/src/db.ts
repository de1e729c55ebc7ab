import { endedRights } from '@shortlist/kit/data/rights';
import { mailEntity } from './mail/queries.ts';
import { suppressionEntity } from './mail/suppression-queries.ts';
import { deliveries, dueMails, initial, webhooks } from './migrations.ts';
import { deliveryEntity, messageEntity } from './webhooks/queries.ts';

export const schema = {
  entities: [mailEntity, suppressionEntity, messageEntity, deliveryEntity],
  migrations: [initial, webhooks, endedRights, deliveries, dueMails],
};
