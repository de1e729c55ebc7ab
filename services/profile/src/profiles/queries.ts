import { affectedRows, type Tx } from '@shortlist/kit/data/db';
import { change } from '@shortlist/kit/data/sql';
import { MoreThan } from 'typeorm';
import { profileEntity, type ProfileRow } from './profile.entity.ts';

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
export const insertProfileIfAbsent = async (tx: Tx, row: ProfileRow): Promise<boolean> => {
  const result = await tx
    .createQueryBuilder()
    .insert()
    .orIgnore()
    .into(profileEntity)
    .values(row)
    .updateEntity(false)
    .execute();
  return affectedRows(result.raw) === 1;
};

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

export const deleteProfileRow = async (tx: Tx, id: string): Promise<void> => {
  await tx.getRepository(profileEntity).delete({ id });
};
