import { addAuditEndpoint } from '@shortlist/audit/audit-log';
import { startSealing } from '@shortlist/audit/chain';
import { addTimelineEndpoint } from '@shortlist/audit/timeline';
import { dataExportEndpoints } from '@shortlist/contracts/api/privacy';
import { topicsOf } from '@shortlist/contracts/events/catalogue';
import { type Db, inTransaction, type SharedClock } from '@shortlist/kit/data/db';
import { addSectionEndpoint } from '@shortlist/kit/http/section-endpoint';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Log } from '@shortlist/kit/process/log';
import type { Service } from '@shortlist/kit/service';
import { repeatDeletion } from './accounts/delete-account.ts';
import { lockRights } from './accounts/end-right.ts';
import { EXPIRED_EMAIL_CHANGES } from './accounts/email-change-queries.ts';
import { EXPIRED_REGISTRATIONS } from './accounts/queries.ts';
import { addAccountEndpoints } from './accounts/routes.ts';
import { addBulkJobEndpoint } from './bulk-jobs/routes.ts';
import { EXPIRED_SIGN_INS } from './credentials/sign-in-queries.ts';
import { EXPIRED_API_KEYS } from './api-keys/queries.ts';
import { addApiKeyEndpoints } from './api-keys/routes.ts';
import { addCredentialEndpoints } from './credentials/routes.ts';
import { EXPIRED_EXPORTS } from './data-exports/queries.ts';
import { addChunkParser, addDataExportEndpoints } from './data-exports/routes.ts';
import { schema } from './db.ts';
import { addEmailEndpoints } from './emails/routes.ts';
import { exportSections } from './export-sections.ts';
import type { FactorKeys } from './factors/factor-keys.ts';
import { addFactorEndpoints } from './factors/routes.ts';
import { createAuthorizationServer, mountAuthorizationServer } from './oauth/authorization-server.ts';
import { EXPIRED_ARTIFACTS } from './oauth/queries.ts';
import { addAuthorizationEndpoints } from './oauth/routes.ts';
import type { Hasher, PasswordPolicy } from './passwords.ts';
import { EXPIRED_INVITATIONS } from './team/queries.ts';
import { addRecoveryEndpoints } from './restore/routes.ts';
import { addTeamEndpoints } from './team/routes.ts';
import { timelineLists } from './timeline/list-events.ts';
import { ENDED_CONNECTIONS } from './tools/connection-queries.ts';
import { addToolEndpoints } from './tools/routes.ts';
import type { WebhookTargets } from './webhooks/change-webhook.ts';
import { addWebhookEndpoints } from './webhooks/routes.ts';

type Parts = {
  db: Db;
  hasher: Hasher;
  clock: Clock;
  sharedClock: SharedClock;
  log: Log;
  keys: FactorKeys;
  passwordPolicy: PasswordPolicy;
  webhookTargets: WebhookTargets;
  /** The URL of the product, which is the issuer of tokens. */
  publicUrl: string;
};

/** identity: accounts and passwords. It emits events and consumes none. */
export const createIdentity = (parts: Parts): Service => ({
  name: 'identity',
  topics: topicsOf('identity'),
  ...schema,
  background: startSealing,
  handlers: [],
  eraseAgain: ({ userId: id }) =>
    inTransaction(parts.db, (tx) => repeatDeletion(tx, { id, clock: parts.clock })),
  lockRights,
  rawRoutes: (app, identify) => {
    addChunkParser(app);
    mountAuthorizationServer(app, createAuthorizationServer(parts), identify);
  },
  prune: [
    EXPIRED_SIGN_INS,
    EXPIRED_EMAIL_CHANGES,
    EXPIRED_INVITATIONS,
    EXPIRED_REGISTRATIONS,
    ...EXPIRED_EXPORTS,
    ...EXPIRED_API_KEYS,
    ...ENDED_CONNECTIONS,
    ...EXPIRED_ARTIFACTS,
  ],
  endpoints: (router) => {
    addAccountEndpoints(router, parts);
    addEmailEndpoints(router, parts);
    addRecoveryEndpoints(router, parts);
    addDataExportEndpoints(router, parts);
    addSectionEndpoint(router, dataExportEndpoints.identity, exportSections(parts.db));
    addAuditEndpoint(router, parts.db);
    addTimelineEndpoint(router, parts.db, timelineLists(parts.db.manager));
    addFactorEndpoints(router, parts);
    addApiKeyEndpoints(router, parts);
    addAuthorizationEndpoints(router, parts);
    addToolEndpoints(router, parts);
    addWebhookEndpoints(router, { ...parts, targets: parts.webhookTargets });
    addTeamEndpoints(router, parts);
    addBulkJobEndpoint(router, parts);
    addCredentialEndpoints(router, parts);
  },
});
