import { auditLogEntity, chainEntity } from '@shortlist/audit/queries';
import { AUDIT_RIGHTS } from '@shortlist/audit/tables';
import { deletionsToRepeat } from '@shortlist/kit/data/deletions-to-repeat';
import { endedRights } from '@shortlist/kit/data/rights';
import { initial, paymentProblems } from './migrations.ts';
import { pictureEntity } from './pictures/queries.ts';
import {
  deletedUserEntity,
  directoryTermEntity,
  earlyPlanEntity,
  profileEntity,
} from './profiles/queries.ts';

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
  migrations: [initial, paymentProblems, endedRights, deletionsToRepeat],
  rights: AUDIT_RIGHTS,
};
