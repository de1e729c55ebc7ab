import { deletionsToRepeat } from '@shortlist/kit/data/deletions-to-repeat';
import { requestCounts } from '@shortlist/kit/data/request-counts';
import { endedRights } from '@shortlist/kit/data/rights';
import { backupReportEntity } from './backups/queries.ts';
import { bulkItemEntity, bulkJobEntity } from './bulk/queries.ts';
import { deletedUserEntity } from './erase-user.ts';
import { mailEntity } from './mail/queries.ts';
import { mailTextEntity } from './mail/mail-text-queries.ts';
import { suppressionEntity } from './mail/suppression-queries.ts';
import { turnedOffEntity } from './mail/turned-off-queries.ts';
import {
  backupReports,
  bulkJobs,
  deletedUsers,
  deliveries,
  dueMails,
  initial,
  mailTexts,
  mailTimes,
  newestMails,
  turnedOffMails,
  verifications,
  webhooks,
} from './migrations.ts';
import { verificationEntity } from './verifications/queries.ts';
import { deliveryEntity, messageEntity } from './webhooks/queries.ts';

export const schema = {
  entities: [
    mailEntity,
    mailTextEntity,
    suppressionEntity,
    turnedOffEntity,
    messageEntity,
    deliveryEntity,
    deletedUserEntity,
    backupReportEntity,
    verificationEntity,
    bulkJobEntity,
    bulkItemEntity,
  ],
  migrations: [
    initial,
    webhooks,
    endedRights,
    deliveries,
    dueMails,
    deletedUsers,
    backupReports,
    deletionsToRepeat,
    mailTimes,
    bulkJobs,
    newestMails,
    mailTexts,
    requestCounts,
    turnedOffMails,
    verifications,
  ],
};
