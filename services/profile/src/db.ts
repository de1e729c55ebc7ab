import { auditLogEntity, chainEntity } from '@shortlist/audit/queries';
import { AUDIT_RIGHTS, auditKinds, auditOrder, auditTimes } from '@shortlist/audit/tables';
import { deletionsToRepeat } from '@shortlist/kit/data/deletions-to-repeat';
import { requestCounts } from '@shortlist/kit/data/request-counts';
import { endedRights } from '@shortlist/kit/data/rights';
import { savedFilterEntity } from './directory/filter-queries.ts';
import { initial, notices, noticeVersions, paymentProblems, savedFilters, userNotes } from './migrations.ts';
import { noteEntity } from './notes/queries.ts';
import { noticeEntity } from './notices/queries.ts';
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
    noteEntity,
    noticeEntity,
    pictureEntity,
    profileEntity,
    savedFilterEntity,
  ],
  migrations: [
    initial,
    paymentProblems,
    endedRights,
    deletionsToRepeat,
    userNotes,
    auditTimes,
    savedFilters,
    notices,
    noticeVersions,
    auditKinds,
    requestCounts,
    auditOrder,
  ],
  rights: AUDIT_RIGHTS,
};
