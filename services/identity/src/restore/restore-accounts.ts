// The accounts after identity's database was set back: its own topic has who registered, left, and lost the right to a session since.
import { randomBytes } from 'node:crypto';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import {
  accessEnded,
  adminAccessChanged,
  apiKeyRevoked,
  type EmailChanged,
  emailChanged,
  passwordResetRequested,
  userDeleted,
  type UserRegistered,
  userRegistered,
} from '@shortlist/contracts/events/identity';
import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import { type Db, inTransaction, isDuplicate, type Tx } from '@shortlist/kit/data/db';
import { nextVersion } from '@shortlist/kit/data/version.rules';
import { SERVICE_CALLER } from '@shortlist/kit/http/service-token';
import type { Bus } from '@shortlist/kit/messaging/bus';
import { on } from '@shortlist/kit/messaging/handle-batch';
import { emit } from '@shortlist/kit/messaging/outbox';
import { readEvents } from '@shortlist/kit/messaging/read-events';
import type { Clock } from '@shortlist/kit/process/clock';
import { revokeKey } from '../api-keys/change-key.ts';
import { changePassword } from '../credentials/change-password.ts';
import { createHasher, type Hasher } from '../passwords.ts';
import { updateAccess } from '../team/queries.ts';
import { eraseUser } from '../accounts/delete-account.ts';
import { type AccountRow, insertAccount, lockAccount, updateEmail } from '../accounts/queries.ts';

type Parts = { db: Db; bus: Bus; clock: Clock; print: (line: string) => void };

type Access = { role: AdminRole | null; version: number };
/** What the topic says of one account; undefined where it has no such event. */
type Known = {
  registered?: CloudEvent<UserRegistered>;
  isDeleted: boolean;
  email?: EmailChanged;
  /** The highest generation that began. */
  generation: number;
  access?: Access;
  revokedKeys: string[];
};

const ACCOUNT_RIGHT = /^account:/;

/** What the topic says of each account. */
const readAccounts = async (bus: Bus): Promise<Map<string, Known>> => {
  const accounts = new Map<string, Known>();
  const of = (id: string): Known => {
    const known = accounts.get(id) ?? { isDeleted: false, generation: 0, revokedKeys: [] };
    accounts.set(id, known);
    return known;
  };
  const note =
    <Data>(change: (known: Known, event: CloudEvent<Data>) => void) =>
    (event: CloudEvent<Data>): Promise<void> =>
      Promise.resolve(change(of(event.subject), event));
  await readEvents(bus, userRegistered.topic, [
    on(
      userRegistered,
      note((known, event) => (known.registered = event)),
    ),
    on(
      userDeleted,
      note((known) => (known.isDeleted = true)),
    ),
    on(
      emailChanged,
      note((known, { data }) => {
        if (data.version > (known.email?.version ?? 0)) known.email = data;
      }),
    ),
    on(
      accessEnded,
      note((known, { data: { id, version } }) => {
        if (ACCOUNT_RIGHT.test(id)) known.generation = Math.max(known.generation, version);
      }),
    ),
    on(
      adminAccessChanged,
      note((known, { data }) => {
        if (data.version > (known.access?.version ?? 0)) known.access = data;
      }),
    ),
    on(
      apiKeyRevoked,
      note((known, { data }) => known.revokedKeys.push(data.keyId)),
    ),
  ]);
  return accounts;
};

type Change = { tx: Tx; hasher: Hasher; clock: Clock };

/** Replaces the password by one that nobody knows, which ends all that was begun with the former one, and emails a link to set another. */
const requireNewPassword = async ({ tx, hasher, clock }: Change, id: string): Promise<void> => {
  const passwordHash = await hasher.hash(randomBytes(32).toString('base64url'));
  await changePassword(tx, { id, passwordHash, caller: SERVICE_CALLER, clock });
  await emit(tx, passwordResetRequested, { subject: id, data: {}, clock });
};

/** The account of a user who registered after the instant. The email is to be confirmed again. */
const insertLost = ({ tx }: Change, { subject, data }: CloudEvent<UserRegistered>, email: string) =>
  insertAccount(tx, {
    id: subject,
    email,
    passwordHash: '',
    role: 'user',
    createdAt: new Date(data.createdAt),
    termsVersion: null,
    termsAcceptedAt: null,
    adminRole: null,
    adminName: null,
    adminVersion: 0,
    suspendedAt: null,
    emailVerifiedAt: null,
    ownedSince: null,
  });

const restoreLost = async (change: Change, { registered, email, isDeleted }: Known): Promise<string[]> => {
  if (registered === undefined || isDeleted) return [];
  await insertLost(change, registered, email?.email ?? registered.data.email);
  await requireNewPassword(change, registered.subject);
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

/** Brings one account up to date. Returns what was done. */
const restoreAccount = async (change: Change, id: string, known: Known): Promise<string[]> => {
  const { tx, clock } = change;
  const { isDeleted, email, access, generation, revokedKeys } = known;
  const account = await lockAccount(tx, id);
  if (account === null) return restoreLost(change, known);
  if (isDeleted && account.role === 'user') {
    await eraseUser(tx, { id, caller: SERVICE_CALLER, clock });
    return ['deleted since: deleted again'];
  }
  const done: string[] = [];
  if (email && email.version > account.emailVersion) {
    const emailVersion = nextVersion(email.version, clock());
    await updateEmail(tx, id, {
      email: email.email,
      emailVersion,
      emailVerifiedAt: clock(),
      ownedSince: clock(),
    });
    done.push('has the later address');
  }
  if (access && access.version > account.adminVersion) {
    await restoreAccess(change, account, access);
    done.push('has the later role');
  }
  for (const keyId of account.role === 'user' ? revokedKeys : [])
    await revokeKey(tx, { userId: id, keyId, caller: SERVICE_CALLER, clock }).catch((error: unknown) => {
      if (!isUnknownKey(error)) throw error; // made after the instant
    });
  if (generation > account.generation) {
    await requireNewPassword(change, id);
    done.push('lost its sessions since: needs a new password');
  }
  return done;
};

const isUnknownKey = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'identity.api_key_not_found';

/**
 * Applies again what the topic has and the database lost: registrations, deletions, addresses, roles and revoked keys. Whoever lost the right to a
 * session since, as by a new password, needs another password, since only its hash was stored, and a person with the former one must not get in.
 */
export const restoreAccounts = async ({ db, bus, clock, print }: Parts): Promise<void> => {
  const [accounts, hasher] = [await readAccounts(bus), await createHasher()];
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
  print(
    'Factors, passkeys, keys, webhooks, connections and requests for deletion from since then are lost; what was removed since, other than keys, is there again.',
  );
};
