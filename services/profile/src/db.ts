import { auditLogEntity } from '@shortlist/audit/audit-log.entity';
import { chainEntity } from '@shortlist/audit/chain.entity';
import { AUDIT_RIGHTS } from '@shortlist/audit/tables';
import { earlyPlanEntity } from './early-plans/early-plan.entity.ts';
import { initial } from './migrations/0001-initial.ts';
import { emailVersion } from './migrations/0002-email-version.ts';
import { auditChain } from './migrations/0003-audit-chain.ts';
import { pictureEntity } from './pictures/picture.entity.ts';
import { profileEntity } from './profiles/profile.entity.ts';
import { directoryTermEntity } from './terms/directory-term.entity.ts';
import { deletedUserEntity } from './users/deleted-user.entity.ts';

export const schema = {
  entities: [
    auditLogEntity,
    chainEntity,
    deletedUserEntity,
    directoryTermEntity,
    earlyPlanEntity,
    pictureEntity,
    profileEntity,
  ],
  migrations: [initial, emailVersion, auditChain],
  rights: AUDIT_RIGHTS,
};
