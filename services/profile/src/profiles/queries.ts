import type { Profile } from '@shortlist/contracts/api/profile';
import { mapFields, type ProfileFieldName, profileFields } from '@shortlist/contracts/profile-fields';
import type { Tx } from '@shortlist/kit/data/db';
import { insertIfAbsent } from '@shortlist/kit/data/insert';
import { change } from '@shortlist/kit/data/sql';
import { EntitySchema, type EntitySchemaColumnOptions, MoreThan } from 'typeorm';

export type ProfileRow = Record<ProfileFieldName, string> & {
  id: string;
  email: string;
  /** The version of the address: an older event changes nothing. */
  emailVersion: number;
  picture: string | null;
  createdAt: Date;
  version: number;
  planVersion: number;
  premiumUntil: Date | null;
  /** The user's search terms as one text. */
  terms: string;
};

const fieldColumns = mapFields(profileFields, ({ column, max }): EntitySchemaColumnOptions => ({
  name: column,
  type: 'varchar',
  length: max,
})) as Record<ProfileFieldName, EntitySchemaColumnOptions>;

export const profileColumns = {
  ...fieldColumns,
  id: { name: 'user_id', type: 'char', length: 36, primary: true },
  email: { type: 'varchar', length: 254 },
  emailVersion: { name: 'email_version', type: 'int', unsigned: true, default: 1 },
  picture: { type: 'char', length: 36, nullable: true },
  createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
  version: { type: 'int', unsigned: true },
  planVersion: { name: 'plan_version', type: 'int', unsigned: true },
  premiumUntil: { name: 'premium_until', type: 'datetime', precision: 3, nullable: true },
  terms: { type: 'varchar', length: 800 },
} as const;

export const profileEntity = new EntitySchema<ProfileRow>({
  name: 'profile',
  tableName: 'profiles',
  columns: profileColumns,
});

export const presentProfile = (row: ProfileRow): Profile => {
  const {
    emailVersion: _emailVersion,
    planVersion: _version,
    premiumUntil: _until,
    terms: _terms,
    createdAt,
    ...profile
  } = row;
  return { ...profile, createdAt: createdAt.toISOString() };
};

export const findProfile = (tx: Tx, id: string): Promise<ProfileRow | null> =>
  tx.getRepository(profileEntity).findOneBy({ id });

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

/** Leaves the version of the profile as it is: the address is no field of its form. */
export const updateEmailCopy = async (
  tx: Tx,
  id: string,
  copy: Pick<ProfileRow, 'email' | 'emailVersion' | 'terms'>,
): Promise<void> => {
  await tx.getRepository(profileEntity).update({ id }, copy);
};

type PlanCopy = Pick<ProfileRow, 'planVersion' | 'premiumUntil'>;

export const updatePlanCopy = async (
  tx: Tx,
  id: string,
  { planVersion, premiumUntil }: PlanCopy,
): Promise<void> => {
  await tx.getRepository(profileEntity).update({ id }, { planVersion, premiumUntil });
};

/** Stores the copy of a plan unless a newer one is stored. Returns false when there is no profile. */
export const updateOlderPlanCopy = async (
  tx: Tx,
  id: string,
  { planVersion, premiumUntil }: PlanCopy,
): Promise<boolean> => {
  // By hand: the assignments are evaluated in their order, and the first reads the column that the second sets.
  const result = await change(tx, {
    sql: `UPDATE profiles SET premium_until = IF(plan_version < ?, ?, premium_until), plan_version = GREATEST(plan_version, ?)
      WHERE user_id = ?`,
    values: [planVersion, premiumUntil, planVersion, id],
  });
  return result.affectedRows === 1;
};

export const deleteProfile = async (tx: Tx, id: string): Promise<void> => {
  await tx.getRepository(profileEntity).delete({ id });
};
