// The accounts after identity's database was set back: its own topic has who registered, left, and lost the right to a session since.
import { randomBytes } from 'node:crypto';
import {
  type EmailChanged,
  passwordResetRequested,
  type UserRegistered,
} from '@shortlist/contracts/events/identity';
import { type Db, inTransaction, isDuplicate, type Tx } from '@shortlist/kit/data/db';
import { nextVersion } from '@shortlist/kit/data/version.rules';
import { SERVICE_CALLER } from '@shortlist/kit/http/service-token';
import type { Bus } from '@shortlist/kit/messaging/bus';
import { emit } from '@shortlist/kit/messaging/outbox';
import type { Clock } from '@shortlist/kit/process/clock';
import { AppError } from '@shortlist/kit/process/errors';
import { revokeKey } from '../api-keys/change-key.ts';
import { changePassword } from '../credentials/change-password.ts';
import { createHasher, type Hasher } from '../passwords.ts';
import { removeAllFactors } from '../factors/change-factors.ts';
import { updateAccess } from '../team/queries.ts';
import { endConnection } from '../tools/change-connection.ts';
import { lockConnection } from '../tools/connection-queries.ts';
import { disableTool } from '../tools/change-tool.ts';
import { stopWebhook } from '../webhooks/change-webhook.ts';
import { lockWebhook } from '../webhooks/queries.ts';
import { eraseUser } from '../accounts/delete-account.ts';
import { findDeletion, insertDeletion, removeDeletion } from '../accounts/deletion-queries.ts';
import {
  type AccountRow,
  insertAccount,
  lockAccount,
  markEmailVerified,
  updateEmail,
} from '../accounts/queries.ts';
import { type Access, type Known, readAccounts } from './read-accounts.ts';

type Parts = { db: Db; bus: Bus; clock: Clock; since: Date; print: (line: string) => void };

export type Change = { tx: Tx; hasher: Hasher; clock: Clock };

type Lost = Pick<UserRegistered, 'email' | 'createdAt'> & { version?: number };

/** Replaces the password by one that nobody knows, which ends all that was begun with the former one, and emails a link to set another. */
const requireNewPassword = async ({ tx, hasher, clock }: Change, id: string): Promise<void> => {
  const passwordHash = await hasher.hash(randomBytes(32).toString('base64url'));
  await changePassword(tx, { id, passwordHash, caller: SERVICE_CALLER, clock });
  await emit(tx, passwordResetRequested, { subject: id, data: {}, clock });
};

/** The account of a user who registered after the instant. The email is to be confirmed again. */
const insertLost = ({ tx }: Change, id: string, { email, version = 1, createdAt }: Lost) =>
  insertAccount(tx, {
    id,
    email,
    emailVersion: version,
    passwordHash: '',
    role: 'user',
    createdAt: new Date(createdAt),
    termsVersion: null,
    termsAcceptedAt: null,
    adminRole: null,
    adminName: null,
    adminVersion: 0,
    suspendedAt: null,
    emailVerifiedAt: null,
    ownedSince: null,
  });

const restoreLost = async (
  change: Change,
  id: string,
  { registered, email, isDeleted }: Known,
): Promise<string[]> => {
  if (registered === undefined || isDeleted) return [];
  await insertLost(change, id, { ...registered, ...email });
  await requireNewPassword(change, id);
  return ['registered since: needs a new password'];
};

const restoreAccess = async ({ tx, clock }: Change, { id, adminVersion }: AccountRow, access: Access) => {
  const { role, version } = access;
  const change = role === null ? { suspendedAt: clock() } : { adminRole: role, suspendedAt: null };
  await updateAccess(tx, id, {
    ...change,
    adminVersion: nextVersion(Math.max(adminVersion, version), clock()),
  });
};

const REASON = 'Again, after a loss of data';

/** What was made after the instant is lost, and need not end. */
const UNKNOWN: readonly string[] = ['identity.api_key_not_found', 'identity.tool_not_found'];
const ifKnown = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => {
    if (!(error instanceof AppError && UNKNOWN.includes(error.code))) throw error;
  });

/** Ends again what acted for the user. Returns what had not ended. */
const endAgain = async ({ tx, clock }: Change, userId: string, known: Known): Promise<string[]> => {
  const by = { caller: SERVICE_CALLER, clock };
  const ended: string[] = [];
  for (const keyId of known.revokedKeys) await ifKnown(revokeKey(tx, { userId, keyId, ...by }));
  for (const { connectionId: id, reason } of known.endedConnections)
    if ((await lockConnection(tx, { id, userId }))?.endedAt === null) {
      await endConnection(tx, { connectionId: id, userId, reason, ...by });
      ended.push(`connection ${id}`);
    }
  for (const id of known.stoppedWebhooks) {
    const webhook = await lockWebhook(tx, { id, userId });
    if (webhook?.stop !== null) continue;
    await stopWebhook(tx, webhook, { stop: 'support', ...by });
    ended.push(`webhook ${id}`);
  }
  return ended.length > 0 ? [`ended since: ${ended.join(', ')}`] : [];
};

/** Requests or cancels the deletion of an account again. Its mails were sent then. */
const restoreDeletion = async ({ tx, clock }: Change, id: string, { deletion }: Known): Promise<string[]> => {
  if (deletion === undefined) return [];
  const stored = await findDeletion(tx, id);
  if (stored?.id === deletion?.id) return [];
  if (stored !== null && !(await removeDeletion(tx, id, clock()))) return [];
  if (deletion === null) return ['has cancelled its deletion since'];
  await insertDeletion(tx, deletion);
  return [`has requested its deletion since: due ${deletion.dueAt.toISOString()}`];
};

const restoreEmail = async (
  { tx, clock }: Change,
  id: string,
  email: Pick<EmailChanged, 'email' | 'version'>,
): Promise<void> => {
  const emailVersion = nextVersion(email.version, clock());
  const now = clock();
  await updateEmail(tx, id, { email: email.email, emailVersion, emailVerifiedAt: now, ownedSince: now });
};

/** Brings one account up to date. Returns what was done. */
export const restoreAccount = async (change: Change, id: string, known: Known): Promise<string[]> => {
  const { tx, clock } = change;
  const { isDeleted, email, access, generation, verifiedAt, removedFactors } = known;
  const account = await lockAccount(tx, id);
  if (account === null) return restoreLost(change, id, known);
  if (isDeleted && account.role === 'user') {
    await eraseUser(tx, { id, caller: SERVICE_CALLER, clock });
    return ['deleted since: deleted again'];
  }
  const done: string[] = [];
  if (email && email.version > account.emailVersion) {
    await restoreEmail(change, id, email);
    done.push('has the later address');
  }
  if (verifiedAt && (await markEmailVerified(tx, id, verifiedAt)))
    done.push('has confirmed its address since');
  if (access && access.version > account.adminVersion) {
    await restoreAccess(change, account, access);
    done.push('has the later role');
  }
  if (account.role === 'user') done.push(...(await endAgain(change, id, known)));
  if (generation > account.generation) {
    const removal = { accountId: id, caller: SERVICE_CALLER, clock, reason: REASON };
    if (await removeAllFactors(tx, removal, removedFactors))
      done.push(`has removed factors since: ${[...removedFactors].join(', ')}`);
    await requireNewPassword(change, id);
    done.push('lost its sessions or factors since: needs a new password');
  }
  done.push(...(await restoreDeletion(change, id, known)));
  return done;
};

/**
 * Applies again what the topic has and the database lost: registrations, deletions, addresses, roles, and what was ended or removed. Whoever lost
 * the right to a session or a factor since, as by a new password, needs another password: only its hash was stored, and a person with the former
 * one must not get in.
 */
export const restoreAccounts = async ({ db, bus, clock, since, print }: Parts): Promise<void> => {
  const { accounts, disabledTools, isComplete } = await readAccounts({ db, bus, since });
  const hasher = await createHasher();
  for (const toolId of disabledTools) {
    await ifKnown(inTransaction(db, (tx) => disableTool(tx, { toolId, caller: SERVICE_CALLER, clock })));
    print(`${toolId}\tthis tool was disabled since: disabled again`);
  }
  let restored = 0;
  for (const [id, known] of accounts) {
    const work = (tx: Tx): Promise<string[]> => restoreAccount({ tx, hasher, clock }, id, known);
    const done = await inTransaction(db, work).catch((error: unknown) => {
      if (isDuplicate(error)) return ['not restored: another account has its address'];
      throw error;
    });
    if (done.length === 0) continue;
    restored += 1;
    print(`${id}\t${done.join('; ')}`);
  }
  print(`${restored} of ${accounts.size} accounts with events were brought up to date.`);
  if (!isComplete)
    print(
      'The topic has no event that the database knows. If Kafka has lost it, who registered, left, or got another password, address or role since is not known: then empty the Redis of the sessions before the start, since those that it has may have ended.',
    );
  print(
    'Factors, passkeys, keys, webhooks, connections and exports from since then are lost. A webhook that was deleted or changed since is as before.',
  );
};
