import { auditSection } from '@shortlist/audit/audit-log';
import { EXPORT_SECTIONS, type ExportSection } from '@shortlist/contracts/api/privacy';
import type { Db, Tx } from '@shortlist/kit/data/db';
import { type ReadSection, wholeSection } from '@shortlist/kit/http/section-endpoint';
import { findDeletion } from './accounts/deletion-queries.ts';
import { listChanges } from './accounts/email-change-queries.ts';
import { findAccount } from './accounts/queries.ts';
import { listSignIns } from './credentials/sign-in-queries.ts';
import { listKeys } from './api-keys/queries.ts';
import { findTotp, listPasskeys } from './factors/queries.ts';
import { listConnections } from './tools/connection-queries.ts';
import { listWebhooks } from './webhooks/queries.ts';

const { account, email_changes: emailChanges, sign_ins: signIns } = EXPORT_SECTIONS.identity;
const { sign_in_methods: signInMethods, api_keys: apiKeys } = EXPORT_SECTIONS.identity;
const { webhooks, connections } = EXPORT_SECTIONS.identity;

const readAccount = async (tx: Tx, userId: string) => {
  const row = await findAccount(tx, userId);
  if (row === null) return [];
  const deletion = await findDeletion(tx, userId);
  return [
    {
      ...row,
      deletionRequestedAt: deletion?.requestedAt ?? null,
      deletionDueAt: deletion?.dueAt ?? null,
    },
  ];
};

/** The factors by name and time. Their secrets, keys and codes never leave the service. */
const readSignInMethods = async (tx: Tx, userId: string) => {
  const [totp, passkeys] = await Promise.all([findTotp(tx, userId), listPasskeys(tx, userId)]);
  const app = { kind: 'authenticator app', name: '', createdAt: totp?.confirmedAt, lastUsedAt: null };
  return [
    ...(totp?.confirmedAt ? [app] : []),
    ...passkeys.map((passkey) => ({ ...passkey, kind: 'passkey' })),
  ];
};

/** The keys as their user knows them, without hashes. */
const readApiKeys = async (tx: Tx, userId: string) =>
  (await listKeys(tx, userId)).map((key) => ({ ...key, scopes: key.scopes.join(', ') }));

/** The webhooks without their secrets, which were shown when they were created. */
const readWebhooks = async (tx: Tx, userId: string) =>
  (await listWebhooks(tx, userId)).map((webhook) => ({ ...webhook, events: webhook.events.join(', ') }));
const readConnections = async (tx: Tx, userId: string) =>
  (await listConnections(tx, userId)).map(({ tool, ...connection }) => ({
    ...connection,
    name: tool.name,
    scopes: connection.scopes.join(', '),
  }));

/** The data that identity stores about a user. */
export const exportSections = (db: Db): Record<ExportSection<'identity'>, ReadSection> => ({
  account: wholeSection(account, (userId) => readAccount(db.manager, userId)),
  email_changes: wholeSection(emailChanges, (userId) => listChanges(db.manager, userId)),
  sign_ins: wholeSection(signIns, async (userId) =>
    (await listSignIns(db.manager, userId)).map((row) => ({
      ...row,
      isNewDevice: Boolean(row.isNewDevice),
    })),
  ),
  sign_in_methods: wholeSection(signInMethods, (userId) => readSignInMethods(db.manager, userId)),
  api_keys: wholeSection(apiKeys, (userId) => readApiKeys(db.manager, userId)),
  webhooks: wholeSection(webhooks, (userId) => readWebhooks(db.manager, userId)),
  connections: wholeSection(connections, (userId) => readConnections(db.manager, userId)),
  changes: auditSection(db),
});
