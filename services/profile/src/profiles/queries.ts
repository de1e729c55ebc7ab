import { ACCOUNT_COPIES_MAX, type AccountCopy } from '@shortlist/contracts/api/identity';
import type { Profile } from '@shortlist/contracts/api/profile';
import type { PaymentProblemKind } from '@shortlist/contracts/plan';
import { mapFields, type ProfileFieldName, profileFields } from '@shortlist/contracts/profile-fields';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertIfAbsent } from '@shortlist/kit/data/insert';
import { change, selectRows, text } from '@shortlist/kit/data/sql';
import { In, MoreThan } from 'typeorm';
import { rowTermsOf } from './terms.rules.ts';

const fieldColumns = mapFields(profileFields, ({ column: name, max }) => ({
  ...column.varchar(max),
  name,
})) as Record<ProfileFieldName, column.Column<string>>;

const profileColumns = {
  ...fieldColumns,
  id: { ...column.uuid, name: 'user_id', primary: true },
  email: column.varchar(254),
  /** The version of the email: an older event changes nothing. */
  emailVersion: { ...column.unsigned, default: 1 },
  picture: column.nullable(column.uuid),
  createdAt: column.dateTime,
  version: column.unsigned,
  planVersion: column.unsigned,
  premiumUntil: column.nullable(column.dateTime),
  /** Why a payment for the plan has not gone through. */
  paymentProblem: column.nullable(column.varchar<PaymentProblemKind>(20)),
  /** The user's search terms as one text. */
  terms: column.varchar(800),
} as const;

export const profileEntity = defineEntity('profile', 'profiles', profileColumns);
export type ProfileRow = RowOf<typeof profileEntity>;

export const presentProfile = (row: ProfileRow): Profile => {
  const {
    emailVersion: _emailVersion,
    planVersion: _version,
    premiumUntil: _until,
    paymentProblem: _problem,
    terms: _terms,
    createdAt,
    ...profile
  } = row;
  return { ...profile, createdAt: createdAt.toISOString() };
};

export const findProfile = (tx: Tx, id: string): Promise<ProfileRow | null> =>
  tx.getRepository(profileEntity).findOneBy({ id });

export const listNames = (
  tx: Tx,
  ids: string[],
): Promise<Pick<ProfileRow, 'id' | 'firstName' | 'lastName' | 'email'>[]> =>
  tx
    .getRepository(profileEntity)
    .find({ select: { id: true, firstName: true, lastName: true, email: true }, where: { id: In(ids) } });

/** A page of what is known here of the accounts, by id. */
export const listAccountCopies = async (
  tx: Tx,
  after = '',
): Promise<{ data: AccountCopy[]; next: string | null }> => {
  const rows = await tx.getRepository(profileEntity).find({
    select: { id: true, email: true, emailVersion: true, createdAt: true },
    where: { id: MoreThan(after) },
    order: { id: 'ASC' },
    take: ACCOUNT_COPIES_MAX,
  });
  const data = rows.map(({ id, email, emailVersion, createdAt }) => ({
    ...{ id, email, emailVersion },
    createdAt: createdAt.toISOString(),
  }));
  return { data, next: rows.length === ACCOUNT_COPIES_MAX ? (rows.at(-1)?.id ?? null) : null };
};

/** Reads a whole index: not for every request of a large directory. */
export const countProfiles = (tx: Tx): Promise<number> => tx.getRepository(profileEntity).count();

export const countPremiumProfiles = (tx: Tx, now: Date): Promise<number> =>
  tx.getRepository(profileEntity).countBy({ premiumUntil: MoreThan(now) });

/** Locks the row until the transaction ends, so that concurrent edits of one profile are serialised. */
export const lockProfile = (tx: Tx, id: string): Promise<ProfileRow | null> =>
  tx.getRepository(profileEntity).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });

/** Inserts the row unless it exists: the sign-up's request and its event both call this, in either order. */
export const insertProfileIfAbsent = async (tx: Tx, row: ProfileRow): Promise<boolean> =>
  (await insertIfAbsent(tx, profileEntity, row)) === 1;

export const updateProfileRow = async (tx: Tx, id: string, fields: Partial<ProfileRow>): Promise<void> => {
  await tx
    .createQueryBuilder()
    .update(profileEntity)
    .set({ ...fields, version: () => 'version + 1' })
    .where('user_id = :id', { id })
    .updateEntity(false)
    .execute();
};

/** Keeps the version of the profile, because the email is not a field of its form. */
export const updateEmailCopy = async (
  tx: Tx,
  id: string,
  copy: Pick<ProfileRow, 'email' | 'emailVersion' | 'terms'>,
): Promise<void> => {
  await tx.getRepository(profileEntity).update({ id }, copy);
};

type PlanCopy = Pick<ProfileRow, 'planVersion' | 'premiumUntil' | 'paymentProblem'>;

export const updatePlanCopy = async (
  tx: Tx,
  id: string,
  { planVersion, premiumUntil, paymentProblem }: PlanCopy,
): Promise<void> => {
  await tx.getRepository(profileEntity).update({ id }, { planVersion, premiumUntil, paymentProblem });
};

/** Stores the copy of a plan unless a newer one is stored. Returns false if there is no profile. */
export const updateOlderPlanCopy = async (
  tx: Tx,
  id: string,
  { planVersion, premiumUntil, paymentProblem }: PlanCopy,
): Promise<boolean> => {
  // Raw SQL, because assignments are evaluated in order, and the others read the column that the last one sets.
  const result = await change(tx, {
    sql: `UPDATE profiles SET premium_until = IF(plan_version < ?, ?, premium_until),
      payment_problem = IF(plan_version < ?, ?, payment_problem), plan_version = GREATEST(plan_version, ?)
      WHERE user_id = ?`,
    values: [planVersion, premiumUntil, planVersion, paymentProblem, planVersion, id],
  });
  return result.affectedRows === 1;
};

/** The columns by which the directory filters and sorts; each row of a term repeats them (decision 10). */
const { email, firstName, lastName, organizationName, country, createdAt } = profileColumns;
const { premiumUntil, paymentProblem, terms } = profileColumns;
const copied = {
  email,
  firstName,
  lastName,
  organizationName,
  country,
  createdAt,
  premiumUntil,
  paymentProblem,
  terms,
};
type Copy = Pick<ProfileRow, keyof typeof copied>;
type IndexedProfile = Copy & { id: string };

export const directoryTermEntity = defineEntity('directory_term', 'directory_terms', {
  term: { ...column.varchar(100), primary: true },
  userId: { ...column.uuid, primary: true },
  ...copied,
});

/** The rows of a user by the whole primary key, because the table has no index by user. */
const keysOf = (profile: IndexedProfile) => ({ term: In(rowTermsOf(profile)), userId: profile.id });

export const deleteTerms = async (tx: Tx, profile: IndexedProfile): Promise<void> => {
  await tx.getRepository(directoryTermEntity).delete(keysOf(profile));
};

export const insertTerms = async (tx: Tx, profile: IndexedProfile): Promise<void> => {
  // Two terms that differ only in accents are the same to the database, which ignores the second.
  const rows = rowTermsOf(profile).map((term) => ({ ...profile, userId: profile.id, term }));
  await insertIfAbsent(tx, directoryTermEntity, rows);
};

type TermSource = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  organizationName: string;
};
type ListedTerms = TermSource & { terms: string };

/** The last id of the next page of profiles; null at the end. */
export const findPageEnd = async (tx: Tx, after: string, size: number): Promise<string | null> => {
  const ids = await tx.getRepository(profileEntity).find({
    select: { id: true },
    where: { id: MoreThan(after) },
    order: { id: 'ASC' },
    take: size,
  });
  return ids.at(-1)?.id ?? null;
};

/** Profiles of a page whose terms have more than one spelling, because of a letter or an internationalised domain. */
export const listSpelledTwice = (
  tx: Tx,
  { after, end, letters }: { after: string; end: string; letters: string },
): Promise<ListedTerms[]> =>
  selectRows(
    tx,
    { id: text, email: text, firstName: text, lastName: text, organizationName: text, terms: text },
    {
      sql: `SELECT user_id AS id, email, first_name AS firstName, last_name AS lastName,
          organization_name AS organizationName, terms FROM profiles
        WHERE user_id > ? AND user_id <= ?
          AND (email LIKE '%xn--%' OR CONCAT_WS(' ', first_name, last_name, organization_name) REGEXP ?)`,
      values: [after, end, `[${letters}]`],
    },
  );

export const updateTerms = async (tx: Tx, id: string, searchTerms: string): Promise<void> => {
  await tx.getRepository(profileEntity).update({ id }, { terms: searchTerms });
};

export const updatePlanOfTerms = async (tx: Tx, profile: IndexedProfile): Promise<void> => {
  const { premiumUntil: until, paymentProblem: problem } = profile;
  await tx
    .getRepository(directoryTermEntity)
    .update(keysOf(profile), { premiumUntil: until, paymentProblem: problem });
};

// Data of users without a profile: before their registration, and after their deletion.

/** A copy of a plan that arrived before the user's registration. */
export const earlyPlanEntity = defineEntity('early_plan', 'early_plans', {
  userId: { ...column.uuid, primary: true },
  planVersion: column.unsigned,
  premiumUntil,
  paymentProblem,
});
export type EarlyPlanRow = RowOf<typeof earlyPlanEntity>;

export const deletedUserEntity = defineEntity('deleted_user', 'deleted_users', {
  userId: { ...column.uuid, primary: true },
  deletedAt: column.dateTime,
});

/** Stores the copy unless a newer one is stored. */
export const upsertOlderEarlyPlan = async (
  tx: Tx,
  { userId, planVersion, premiumUntil: until, paymentProblem: problem }: EarlyPlanRow,
): Promise<void> => {
  // Raw SQL, because the builder lacks conditions in ON DUPLICATE KEY UPDATE.
  await change(tx, {
    sql: `INSERT INTO early_plans (user_id, plan_version, premium_until, payment_problem) VALUES (?, ?, ?, ?)
      ON DUPLICATE KEY UPDATE premium_until = IF(plan_version < VALUES(plan_version), VALUES(premium_until), premium_until),
        payment_problem = IF(plan_version < VALUES(plan_version), VALUES(payment_problem), payment_problem),
        plan_version = GREATEST(plan_version, VALUES(plan_version))`,
    values: [userId, planVersion, until, problem],
  });
};

/** The early plan, locked, so that a concurrent transaction that stores one commits before it is read. */
export const lockEarlyPlan = (tx: Tx, userId: string): Promise<EarlyPlanRow | null> =>
  tx.getRepository(earlyPlanEntity).findOne({ where: { userId }, lock: { mode: 'pessimistic_write' } });

export const deleteEarlyPlan = async (tx: Tx, userId: string): Promise<void> => {
  await tx.getRepository(earlyPlanEntity).delete({ userId });
};

export const isDeleted = (tx: Tx, userId: string): Promise<boolean> =>
  tx.getRepository(deletedUserEntity).existsBy({ userId });

export const listDeleted = async (tx: Tx, ids: string[]): Promise<string[]> =>
  (await tx.getRepository(deletedUserEntity).findBy({ userId: In(ids) })).map(({ userId }) => userId);

export const insertDeletedUserIfAbsent = async (tx: Tx, userId: string, deletedAt: Date): Promise<void> => {
  await insertIfAbsent(tx, deletedUserEntity, { userId, deletedAt });
};
