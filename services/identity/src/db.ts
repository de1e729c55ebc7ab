import { auditLogEntity } from '@shortlist/audit/audit-log.entity';
import { accountEntity } from './accounts/account.entity.ts';
import { initial } from './migrations/0001-initial.ts';
import { consent } from './migrations/0002-consent.ts';
import { signIns } from './migrations/0005-sign-ins.ts';
import { signInEntity } from './sign-ins/sign-in.entity.ts';

export const schema = {
  entities: [auditLogEntity, accountEntity, signInEntity],
  migrations: [initial, consent, signIns],
};
