import { auditLogEntity } from '@shortlist/audit/audit-log.entity';
import { profileEntity } from './profiles/profile.entity.ts';
import { initial } from './migrations/0001-initial.ts';

export const schema = { entities: [auditLogEntity, profileEntity], migrations: [initial] };
