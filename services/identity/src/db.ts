import { auditLogEntity, chainEntity } from '@shortlist/audit/queries';
import { AUDIT_RIGHTS, auditKinds, auditOrder, auditTimes } from '@shortlist/audit/tables';
import { deletionsToRepeat } from '@shortlist/kit/data/deletions-to-repeat';
import { requestCounts } from '@shortlist/kit/data/request-counts';
import { endedRights } from '@shortlist/kit/data/rights';
import { deletionEntity } from './accounts/deletion-queries.ts';
import { emailChangeEntity } from './accounts/email-change-queries.ts';
import { mailedTokenEntity } from './accounts/mailed-token-queries.ts';
import { accountEntity, registrationEntity } from './accounts/queries.ts';
import { signInEntity } from './credentials/sign-in-queries.ts';
import { apiKeyEntity } from './api-keys/queries.ts';
import { chunkEntity, dataExportEntity } from './data-exports/queries.ts';
import { passkeyEntity, recoveryCodeEntity, totpEntity } from './factors/queries.ts';
import {
  adminNames,
  apiKeys,
  connections,
  consumedArtifacts,
  initial,
  recoveryCodeKeys,
  signInWarnings,
  toolGenerations,
  webhooks,
} from './migrations.ts';
import { artifactEntity } from './oauth/queries.ts';
import { invitationEntity } from './team/queries.ts';
import { connectionEntity } from './tools/connection-queries.ts';
import { toolEntity } from './tools/queries.ts';
import { webhookEntity } from './webhooks/queries.ts';

export const schema = {
  entities: [
    auditLogEntity,
    chainEntity,
    accountEntity,
    mailedTokenEntity,
    totpEntity,
    recoveryCodeEntity,
    passkeyEntity,
    signInEntity,
    deletionEntity,
    dataExportEntity,
    chunkEntity,
    emailChangeEntity,
    invitationEntity,
    registrationEntity,
    apiKeyEntity,
    webhookEntity,
    toolEntity,
    connectionEntity,
    artifactEntity,
  ],
  migrations: [
    initial,
    adminNames,
    apiKeys,
    webhooks,
    connections,
    toolGenerations,
    endedRights,
    consumedArtifacts,
    signInWarnings,
    recoveryCodeKeys,
    deletionsToRepeat,
    auditTimes,
    auditKinds,
    requestCounts,
    auditOrder,
  ],
  rights: AUDIT_RIGHTS,
};
