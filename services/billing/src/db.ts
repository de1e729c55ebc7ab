import { auditLogEntity } from '@shortlist/audit/audit-log.entity';
import { subscriberEntity } from './subscriptions/subscriber.entity.ts';
import { initial } from './migrations/0001-initial.ts';

export const schema = { entities: [auditLogEntity, subscriberEntity], migrations: [initial] };
