import { affectedRows, type Tx } from '@shortlist/kit/data/db';

export const insertPicture = async (
  tx: Tx,
  picture: { name: string; bytes: Buffer; createdAt: Date },
): Promise<void> => {
  await tx.query('INSERT INTO pictures (name, user_id, bytes, created_at) VALUES (?, NULL, ?, ?)', [
    picture.name,
    picture.bytes,
    picture.createdAt,
  ]);
};

export const findPictureBytes = async (tx: Tx, name: string): Promise<Buffer | null> => {
  const rows: { bytes: Buffer }[] = await tx.query('SELECT bytes FROM pictures WHERE name = ?', [name]);
  return rows[0]?.bytes ?? null;
};

/** Gives an unowned picture its owner; another's is left alone. */
export const attachPicture = async (tx: Tx, name: string, userId: string): Promise<void> => {
  await tx.query('UPDATE pictures SET user_id = ? WHERE name = ? AND user_id IS NULL', [userId, name]);
};

export const deletePicture = async (tx: Tx, name: string): Promise<void> => {
  await tx.query('DELETE FROM pictures WHERE name = ?', [name]);
};

export const deletePicturesOf = async (tx: Tx, userId: string): Promise<void> => {
  await tx.query('DELETE FROM pictures WHERE user_id = ?', [userId]);
};

/** Removes pictures that were stored for a sign-up or an edit which then failed. */
export const deleteOrphans = async (tx: Tx, before: Date): Promise<number> =>
  affectedRows(
    await tx.query('DELETE FROM pictures WHERE user_id IS NULL AND created_at < ? LIMIT 500', [before]),
  );
