import { auditSection } from '@shortlist/audit/data-export';
import type { ExportRow, ExportSection } from '@shortlist/contracts/data-export';
import type { Db, Tx } from '@shortlist/kit/data/db';
import { type ReadSection, wholeSection } from '@shortlist/kit/http/section-endpoint';
import { listChanges } from './accounts/email-change-queries.ts';
import { findAccount } from './accounts/queries.ts';
import { listSignIns } from './accounts/sign-in-queries.ts';
import { findDeletion } from './deletion/queries.ts';
import { findTotp, listPasskeys } from './factors/queries.ts';

const iso = (time: Date | null | undefined): string | null => time?.toISOString() ?? null;

const accountRows = async (tx: Tx, userId: string): Promise<ExportRow[]> => {
  const account = await findAccount(tx, userId);
  if (account === null) return [];
  const deletion = await findDeletion(tx, userId);
  return [
    {
      id: account.id,
      email: account.email,
      createdAt: iso(account.createdAt),
      emailVerifiedAt: iso(account.emailVerifiedAt),
      termsVersion: account.termsVersion,
      termsAcceptedAt: iso(account.termsAcceptedAt),
      deletionRequestedAt: iso(deletion?.requestedAt),
      deletionDueAt: iso(deletion?.dueAt),
    },
  ];
};

const emailChangeRows = async (tx: Tx, userId: string): Promise<ExportRow[]> =>
  (await listChanges(tx, userId)).map(({ oldEmail, newEmail, requestedAt, confirmedAt, endedAt }) => ({
    oldEmail,
    newEmail,
    requestedAt: iso(requestedAt),
    confirmedAt: iso(confirmedAt),
    endedAt: iso(endedAt),
  }));

const signInRows = async (tx: Tx, userId: string): Promise<ExportRow[]> =>
  (await listSignIns(tx, userId)).map(({ accountId: _, sessionId: _session, warnedAt: _warned, ...row }) => ({
    ...row,
    at: row.at.toISOString(),
    isNewDevice: Boolean(row.isNewDevice),
  }));

/** The factors by name and time. Their secrets, keys and codes are of no use to their user, and leave no service. */
const signInMethodRows = async (tx: Tx, userId: string): Promise<ExportRow[]> => {
  const [totp, passkeys] = await Promise.all([findTotp(tx, userId), listPasskeys(tx, userId)]);
  const app = { kind: 'authenticator app', name: '', createdAt: iso(totp?.confirmedAt), lastUsedAt: null };
  return [
    ...(totp?.confirmedAt ? [app] : []),
    ...passkeys.map(({ name, createdAt, lastUsedAt }) => ({
      kind: 'passkey',
      name,
      createdAt: iso(createdAt),
      lastUsedAt: iso(lastUsedAt),
    })),
  ];
};

/** What identity stores about a user. */
export const exportSections = (db: Db): Record<ExportSection<'identity'>, ReadSection> => ({
  account: wholeSection((userId) => accountRows(db.manager, userId)),
  email_changes: wholeSection((userId) => emailChangeRows(db.manager, userId)),
  sign_ins: wholeSection((userId) => signInRows(db.manager, userId)),
  sign_in_methods: wholeSection((userId) => signInMethodRows(db.manager, userId)),
  changes: auditSection(db),
});
