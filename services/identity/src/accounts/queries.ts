import { ADMIN_ROLES, type AdminRole } from '@shortlist/contracts/admin-permissions';
import type { AdminAccess } from '@shortlist/contracts/api/team';
import type { KeptFor } from '@shortlist/contracts/api/email';
import type { Account, Role } from '@shortlist/contracts/api/identity';
import type { NewAccount } from '@shortlist/contracts/api/authentication';
import { days } from '@shortlist/contracts/durations';
import type { Tx } from '@shortlist/kit/data/db';
import { selectRows, text } from '@shortlist/kit/data/sql';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { createError } from '@shortlist/kit/process/errors';
import { EntitySchema, In, IsNull, MoreThan, type ValueTransformer } from 'typeorm';

export type AccountRow = {
  id: string;
  email: string;
  passwordHash: string;
  role: Role;
  createdAt: Date;
  /** The terms that the user accepted at sign-up; null for accounts created by an admin, and if no terms were configured. */
  termsVersion: string | null;
  termsAcceptedAt: Date | null;
  /** Null until the user confirms the email. Admins' accounts, and those created by an admin, are confirmed. */
  emailVerifiedAt: Date | null;
  /** When the user was reminded to confirm the email; null until then. */
  remindedAt: Date | null;
  /** Why the account is kept although its email is not confirmed; null if it is not known to be in use. */
  keptFor: KeptFor | null;
  /** Grows with each change of the email, to order the events about it. */
  emailVersion: number;
  /**
   * When the user proved to read the mailbox, by a code in a session or by setting a password from an email. Until then null: the account may
   * belong to another person who signed up with this email or requested the change to it.
   */
  ownedSince: Date | null;
  /** The number of emailed codes tried since `codeTriesSince`. */
  codeTries: number;
  codeTriesSince: Date | null;
  /** Grows with each change that ends existing sessions, log-ins in progress and trusted devices. */
  generation: number;
  /** Null for users. */
  adminRole: AdminRole | null;
  /** Null for users, and for admins until they enter one. */
  adminName: string | null;
  /** Grows with each change of an admin's permissions. */
  adminVersion: number;
  /** Set while an admin is suspended. */
  suspendedAt: Date | null;
};

/** A row to insert; the other columns have defaults. */
export type NewAccountRow = Omit<
  AccountRow,
  'emailVersion' | 'generation' | 'codeTries' | 'codeTriesSince' | 'remindedAt' | 'keptFor'
>;

export const accountEntity = new EntitySchema<AccountRow>({
  name: 'account',
  tableName: 'accounts',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    email: { type: 'varchar', length: 254 },
    passwordHash: { name: 'password_hash', type: 'varchar', length: 255 },
    role: { type: 'enum', enum: ['user', 'admin'] },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
    termsVersion: { name: 'terms_version', type: 'varchar', length: 40, nullable: true },
    termsAcceptedAt: { name: 'terms_accepted_at', type: 'datetime', precision: 3, nullable: true },
    adminRole: { name: 'admin_role', type: 'enum', enum: [...ADMIN_ROLES], nullable: true },
    adminName: { name: 'admin_name', type: 'varchar', length: 100, nullable: true },
    adminVersion: { name: 'admin_version', type: 'int', unsigned: true, default: 0 },
    suspendedAt: { name: 'suspended_at', type: 'datetime', precision: 3, nullable: true },
    emailVerifiedAt: { name: 'email_verified_at', type: 'datetime', precision: 3, nullable: true },
    ownedSince: { name: 'owned_since', type: 'datetime', precision: 3, nullable: true },
    codeTries: { name: 'code_tries', type: 'int', unsigned: true, default: 0 },
    codeTriesSince: { name: 'code_tries_since', type: 'datetime', precision: 3, nullable: true },
    generation: { type: 'int', unsigned: true, default: 0 },
    remindedAt: { name: 'reminded_at', type: 'datetime', precision: 3, nullable: true },
    keptFor: { name: 'kept_for', type: 'varchar', length: 10, nullable: true },
    emailVersion: { name: 'email_version', type: 'int', unsigned: true, default: 1 },
  },
});

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

export const insertAccount = async (tx: Tx, account: NewAccountRow): Promise<void> => {
  await tx.createQueryBuilder().insert().into(accountEntity).values(account).updateEntity(false).execute();
};

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
  { email, verifiedAt, ownedSince }: { email: string; verifiedAt: Date; ownedSince: Date | null },
): Promise<void> => {
  await tx
    .getRepository(accountEntity)
    .update(
      { id },
      { email, emailVerifiedAt: verifiedAt, ownedSince, emailVersion: () => 'email_version + 1' },
    );
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
export const raiseGeneration = async (tx: Tx, id: string): Promise<number> => {
  const repository = tx.getRepository(accountEntity);
  await repository.update({ id }, { generation: () => 'generation + 1' });
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
export type RegistrationRow = {
  id: string;
  email: string;
  passwordHash: string;
  termsVersion: string | null;
  profile: ProfileOfSignUp;
  createdAt: Date;
  expiresAt: Date;
};

const json: ValueTransformer = {
  to: (value: unknown) => JSON.stringify(value),
  from: (text: string) => JSON.parse(text) as unknown,
};

export const registrationEntity = new EntitySchema<RegistrationRow>({
  name: 'registration',
  tableName: 'registrations',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    email: { type: 'varchar', length: 254 },
    passwordHash: { name: 'password_hash', type: 'varchar', length: 255 },
    termsVersion: { name: 'terms_version', type: 'varchar', length: 40, nullable: true },
    profile: { type: 'text', transformer: json },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
    expiresAt: { name: 'expires_at', type: 'datetime', precision: 3 },
  },
});

/** An unconfirmed registration is deleted once its link has ended. */
export const EXPIRED_REGISTRATIONS: PruneRule = {
  days: 0,
  remove: 'DELETE FROM registrations WHERE expires_at < ? ORDER BY expires_at LIMIT ?',
};

export const insertRegistration = async (tx: Tx, row: RegistrationRow): Promise<void> => {
  await tx.createQueryBuilder().insert().into(registrationEntity).values(row).updateEntity(false).execute();
};

export const findRegistration = (tx: Tx, id: string, now: Date): Promise<RegistrationRow | null> =>
  tx.getRepository(registrationEntity).findOneBy({ id, expiresAt: MoreThan(now) });

/** Deletes every registration with an email. */
export const deleteRegistrations = async (tx: Tx, email: string): Promise<void> => {
  await tx.getRepository(registrationEntity).delete({ email });
};
