import { affectedRows, type Tx } from '@shortlist/kit/data/db';
import { profileEntity, type ProfileRow } from './profile.entity.ts';

type NewRow = Omit<ProfileRow, 'version' | 'planVersion' | 'premiumUntil'>;

export const findProfile = (tx: Tx, id: string): Promise<ProfileRow | null> =>
  tx.getRepository(profileEntity).findOneBy({ id });

/** Locks the row until the transaction ends, so that two edits of one person come one after the other. */
export const lockProfile = (tx: Tx, id: string): Promise<ProfileRow | null> =>
  tx.getRepository(profileEntity).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });

/** Adds the row unless there is one: the sign-up's own call and its fact both do, in either order. */
export const insertProfileIfAbsent = async (tx: Tx, row: NewRow): Promise<boolean> => {
  const result = await tx
    .createQueryBuilder()
    .insert()
    .orIgnore()
    .into(profileEntity)
    .values({ ...row, version: 1, planVersion: 0, premiumUntil: null })
    .updateEntity(false)
    .execute();
  return affectedRows(result.raw) === 1;
};

export const updateProfileRow = async (tx: Tx, id: string, change: Partial<ProfileRow>): Promise<void> => {
  await tx
    .createQueryBuilder()
    .update(profileEntity)
    .set({ ...change, version: () => 'version + 1' })
    .where('user_id = :id', { id })
    .updateEntity(false)
    .execute();
};

export const deleteProfileRow = async (tx: Tx, id: string): Promise<void> => {
  await tx.query('DELETE FROM profiles WHERE user_id = ?', [id]);
};

export const isDeleted = async (tx: Tx, id: string): Promise<boolean> => {
  const rows: unknown[] = await tx.query('SELECT 1 FROM deleted_users WHERE user_id = ?', [id]);
  return rows.length > 0;
};

export const rememberDeleted = async (tx: Tx, id: string, at: Date): Promise<void> => {
  await tx.query('INSERT IGNORE INTO deleted_users (user_id, deleted_at) VALUES (?, ?)', [id, at]);
};
