import { endedRights } from '@shortlist/kit/data/rights';
import { mailEntity } from './mail/queries.ts';
import { initial, webhooks } from './migrations.ts';
import { deliveryEntity, messageEntity } from './webhooks/queries.ts';

export const schema = {
  entities: [mailEntity, messageEntity, deliveryEntity],
  migrations: [initial, webhooks, endedRights],
};
