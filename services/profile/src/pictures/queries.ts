import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertRows } from '@shortlist/kit/data/insert';
import { change } from '@shortlist/kit/data/sql';
import { IsNull, MoreThan } from 'typeorm';

/** A stored picture. Its `userId` is null until a profile uses it. */
export const pictureEntity = defineEntity('picture', 'pictures', {
  name: { ...column.uuid, primary: true },
  userId: column.nullable(column.uuid),
  bytes: column.blob,
  createdAt: column.dateTime,
});
export type PictureRow = RowOf<typeof pictureEntity>;

export const insertPicture = (tx: Tx, picture: Omit<PictureRow, 'userId'>): Promise<void> =>
  insertRows(tx, pictureEntity, { ...picture, userId: null });

export const findPictureBytes = async (tx: Tx, name: string): Promise<Buffer | null> => {
  const picture = await tx
    .getRepository(pictureEntity)
    .findOne({ select: { name: true, bytes: true }, where: { name } });
  return picture?.bytes ?? null;
};

/** The first picture of a user by name after `after`. */
export const findPictureAfter = (tx: Tx, userId: string, after: string): Promise<PictureRow | null> =>
  tx
    .getRepository(pictureEntity)
    .findOne({ where: { userId, name: MoreThan(after) }, order: { name: 'ASC' } });

/** Sets the owner of a picture that has none. */
export const attachPicture = async (tx: Tx, name: string, userId: string): Promise<void> => {
  await tx.getRepository(pictureEntity).update({ name, userId: IsNull() }, { userId });
};

export const deletePicture = async (tx: Tx, name: string): Promise<void> => {
  await tx.getRepository(pictureEntity).delete({ name });
};

/** Deletes pictures that were stored for a sign-up or an edit that failed. */
export const deleteOrphans = async (tx: Tx, before: Date): Promise<number> => {
  // Raw SQL, because the builder lacks LIMIT in DELETE.
  const { affectedRows } = await change(tx, {
    sql: 'DELETE FROM pictures WHERE user_id IS NULL AND created_at < ? LIMIT 500',
    values: [before],
  });
  return affectedRows;
};
