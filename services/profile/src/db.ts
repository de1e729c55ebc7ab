import { auditLogEntity, chainEntity } from '@shortlist/audit/queries';
import { AUDIT_RIGHTS } from '@shortlist/audit/tables';
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
  migrations: [initial, paymentProblems, endedRights],
  rights: AUDIT_RIGHTS,
};
