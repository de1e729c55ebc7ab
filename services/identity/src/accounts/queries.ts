import { ADMIN_ROLES } from '@shortlist/contracts/admin-permissions';
import type { AdminAccess } from '@shortlist/contracts/api/team';
import type { KeptFor } from '@shortlist/contracts/api/email';
import type { Account, Role } from '@shortlist/contracts/api/identity';
import type { NewAccount } from '@shortlist/contracts/api/authentication';
import { days } from '@shortlist/contracts/durations';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertRows } from '@shortlist/kit/data/insert';
import { selectRows, text } from '@shortlist/kit/data/sql';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { nextVersionOf } from '@shortlist/kit/data/version.rules';
import { createError } from '@shortlist/kit/process/errors';
import { In, IsNull, MoreThan } from 'typeorm';

export const accountEntity = defineEntity('account', 'accounts', {
  id: { ...column.uuid, primary: true },
  email: column.varchar(254),
  passwordHash: column.varchar(255),
  role: column.enumOf(['user', 'admin']),
  createdAt: column.dateTime,
  /** The terms that the user accepted at sign-up; null for accounts created by an admin, and if no terms were configured. */
  termsVersion: column.nullable(column.varchar(40)),
  termsAcceptedAt: column.nullable(column.dateTime),
  /** Null for users. */
  adminRole: column.nullable(column.enumOf(ADMIN_ROLES)),
  /** Null for users, and for admins until they enter one. */
  adminName: column.nullable(column.varchar(100)),
  /** Grows with each change of an admin's permissions. */
  adminVersion: { ...column.unsigned, default: 0 },
  /** Set while an admin is suspended. */
  suspendedAt: column.nullable(column.dateTime),
  /** Null until the user confirms the email. Admins' accounts, and those created by an admin, are confirmed. */
  emailVerifiedAt: column.nullable(column.dateTime),
  /**
   * When the user proved to read the mailbox, by a code in a session or by setting a password from an email. Until then null: the account may
   * belong to another person who signed up with this email or requested the change to it.
   */
  ownedSince: column.nullable(column.dateTime),
  /** The number of emailed codes tried since `codeTriesSince`. */
  codeTries: { ...column.unsigned, default: 0 },
  codeTriesSince: column.nullable(column.dateTime),
  /** Grows with each change that ends existing sessions, log-ins in progress and trusted devices. */
  generation: { ...column.unsigned, default: 0 },
  /** When the user was reminded to confirm the email; null until then. */
  remindedAt: column.nullable(column.dateTime),
  /** Why the account is kept although its email is not confirmed; null if it is not known to be in use. */
  keptFor: column.nullable(column.varchar<KeptFor>(10)),
  /** Grows with each change of the email, to order the events about it. */
  emailVersion: { ...column.unsigned, default: 1 },
});
export type AccountRow = RowOf<typeof accountEntity>;

/** A row to insert; the other columns have defaults. */
export type NewAccountRow = Omit<
  AccountRow,
  'emailVersion' | 'generation' | 'codeTries' | 'codeTriesSince' | 'remindedAt' | 'keptFor'
> &
  Partial<Pick<AccountRow, 'emailVersion'>>;

/** An email has at most one account, whatever its role. */
export const findAccountOfAnyRole = (tx: Tx, email: string): Promise<AccountRow | null> =>
  tx.getRepository(accountEntity).findOneBy({ email });

export const findAccountByEmail = (tx: Tx, email: string, role: Role): Promise<AccountRow | null> =>
  tx.getRepository(accountEntity).findOneBy({ email, role });

export const findAccount = (tx: Tx, id: string): Promise<AccountRow | null> =>
  tx.getRepository(accountEntity).findOneBy({ id });

export type EmailRow = Pick<AccountRow, 'id' | 'email' | 'role' | 'createdAt'>;
const EMAIL_COLUMNS = { id: true, email: true, role: true, createdAt: true } as const;

/** The next accounts by id. */
export const listEmailsAfter = (tx: Tx, after: string, limit: number): Promise<EmailRow[]> =>
  tx.getRepository(accountEntity).find({
    select: EMAIL_COLUMNS,
    where: { id: MoreThan(after) },
    order: { id: 'ASC' },
    take: limit,
  });

/** The accounts with exactly these emails. */
export const listEmails = (tx: Tx, emails: readonly string[]): Promise<EmailRow[]> =>
  tx.getRepository(accountEntity).find({ select: EMAIL_COLUMNS, where: { email: In([...emails]) } });

/** The version of the email of those of these accounts that exist. */
export const listEmailVersions = async (tx: Tx, ids: readonly string[]): Promise<Map<string, number>> => {
  const rows = await tx
    .getRepository(accountEntity)
    .find({ select: { id: true, emailVersion: true }, where: { id: In([...ids]) } });
  return new Map(rows.map(({ id, emailVersion }) => [id, emailVersion]));
};

/** Of these ids, those that no account has. */
export const listUnknownAccounts = async (tx: Tx, ids: readonly string[]): Promise<string[]> => {
  const known = await tx
    .getRepository(accountEntity)
    .find({ select: { id: true }, where: { id: In([...ids]) } });
  const found = new Set(known.map(({ id }) => id));
  return ids.filter((id) => !found.has(id));
};

/** Locks the row of an account until the end of the transaction. */
export const lockAccount = (tx: Tx, id: string): Promise<AccountRow | null> =>
  tx.getRepository(accountEntity).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });

/** Locks the rows of those accounts that exist, in the order of their ids. */
export const lockAccounts = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await selectRows(
    tx,
    { id: text },
    // Raw SQL, because it is part of every change.
    { sql: 'SELECT id FROM accounts WHERE id IN (?) ORDER BY id FOR UPDATE', values: [ids] },
  );
};

export const lockAccountByEmail = (tx: Tx, email: string): Promise<AccountRow | null> =>
  tx.getRepository(accountEntity).findOne({ where: { email }, lock: { mode: 'pessimistic_write' } });

export const accountExists = (tx: Tx, id: string): Promise<boolean> =>
  tx.getRepository(accountEntity).existsBy({ id });

export const insertAccount = (tx: Tx, account: NewAccountRow): Promise<void> =>
  insertRows(tx, accountEntity, account);

/** Returns whether the email was unconfirmed before. */
export const markEmailVerified = async (tx: Tx, id: string, at: Date): Promise<boolean> => {
  const { affected } = await tx
    .getRepository(accountEntity)
    .update({ id, emailVerifiedAt: IsNull() }, { emailVerifiedAt: at });
  return affected === 1;
};

/**
 * Counts a try of an emailed code before it is compared, in one statement. Returns the number of tries in the current day; 0 for an unknown
 * account.
 */
export const countCodeTry = async (tx: Tx, id: string, now: Date): Promise<number> => {
  const isNewDay = 'code_tries_since IS NULL OR code_tries_since < :dayAgo';
  const repository = tx.getRepository(accountEntity);
  await repository
    .createQueryBuilder()
    .update()
    // The database assigns from left to right: the count comes first, because it reads the stored time.
    .set({
      codeTries: () => `IF(${isNewDay}, 1, code_tries + 1)`,
      codeTriesSince: () => `IF(${isNewDay}, :now, code_tries_since)`,
    })
    .where({ id })
    .setParameters({ dayAgo: new Date(now.getTime() - days(1)), now })
    .execute();
  return (await repository.findOne({ select: { codeTries: true }, where: { id } }))?.codeTries ?? 0;
};

/** Records that the user has proved to read the mailbox. */
export const markOwned = async (tx: Tx, id: string, at: Date): Promise<void> => {
  await tx.getRepository(accountEntity).update({ id, ownedSince: IsNull() }, { ownedSince: at });
};

/** Stores a new email, whose ownership is proved. Throws the database's error if it has an account. */
export const updateEmail = async (
  tx: Tx,
  id: string,
  change: Pick<AccountRow, 'email' | 'emailVersion' | 'emailVerifiedAt' | 'ownedSince'>,
): Promise<void> => {
  await tx.getRepository(accountEntity).update({ id }, change);
};

/** Replaces a hash by another of the same password, unless the password has changed in the meantime. */
export const renewPasswordHash = async (
  tx: Tx,
  { id, passwordHash }: Pick<AccountRow, 'id' | 'passwordHash'>,
  renewed: string,
): Promise<void> => {
  await tx.getRepository(accountEntity).update({ id, passwordHash }, { passwordHash: renewed });
};

/** Returns the new generation. The row stays locked until the end of the transaction. */
export const raiseGeneration = async (tx: Tx, id: string, now: Date): Promise<number> => {
  const repository = tx.getRepository(accountEntity);
  await repository.update({ id }, { generation: () => nextVersionOf('generation', now) });
  const account = await repository.findOne({ select: { generation: true }, where: { id } });
  if (account === null) throw createError('identity.user_not_found');
  return account.generation;
};

type NewHash = Pick<AccountRow, 'id' | 'passwordHash'> & { replacing: string | undefined };

/** Returns whether the account exists and, if `replacing` is given, has that hash. */
export const updatePasswordHash = async (
  tx: Tx,
  { id, passwordHash, replacing }: NewHash,
): Promise<boolean> => {
  const isCurrent = replacing === undefined ? {} : { passwordHash: replacing };
  const { affected } = await tx.getRepository(accountEntity).update({ id, ...isCurrent }, { passwordHash });
  return affected === 1;
};

/** Deletes a user; an admin's account is not affected. Returns whether there was one. */
export const deleteUser = async (tx: Tx, id: string): Promise<boolean> => {
  const result = await tx.getRepository(accountEntity).delete({ id, role: 'user' });
  return result.affected === 1;
};

type Access = Pick<AccountRow, 'adminRole' | 'adminVersion' | 'suspendedAt'>;

/** An admin's current permissions. */
export const accessOf = ({ adminRole, adminVersion, suspendedAt }: Access): AdminAccess => ({
  role: suspendedAt === null ? adminRole : null,
  version: adminVersion,
});

export const presentAccount = (account: NewAccountRow): Account => {
  const { id, email, role, createdAt } = account;
  const admin = role === 'admin' ? accessOf(account) : null;
  return { id, email, role, createdAt: createdAt.toISOString(), admin };
};

export type ProfileOfSignUp = Omit<NewAccount, 'password' | 'termsVersion'>;

/** A sign-up with the email of an unconfirmed account. */
export const registrationEntity = defineEntity('registration', 'registrations', {
  id: { ...column.uuid, primary: true },
  email: column.varchar(254),
  passwordHash: column.varchar(255),
  termsVersion: column.nullable(column.varchar(40)),
  profile: column.json<ProfileOfSignUp>(),
  createdAt: column.dateTime,
  expiresAt: column.dateTime,
});
export type RegistrationRow = RowOf<typeof registrationEntity>;

/** An unconfirmed registration is deleted once its link has ended. */
export const EXPIRED_REGISTRATIONS: PruneRule = {
  days: 0,
  remove: 'DELETE FROM registrations WHERE expires_at < ? ORDER BY expires_at LIMIT ?',
};

export const insertRegistration = (tx: Tx, row: RegistrationRow): Promise<void> =>
  insertRows(tx, registrationEntity, row);

export const findRegistration = (tx: Tx, id: string, now: Date): Promise<RegistrationRow | null> =>
  tx.getRepository(registrationEntity).findOneBy({ id, expiresAt: MoreThan(now) });

/** Deletes every registration with an email. */
export const deleteRegistrations = async (tx: Tx, email: string): Promise<void> => {
  await tx.getRepository(registrationEntity).delete({ email });
};
