import { EntitySchema } from 'typeorm';

/** A stored picture. Its `userId` is null until a profile uses it. */
export type PictureRow = { name: string; userId: string | null; bytes: Buffer; createdAt: Date };

export const pictureEntity = new EntitySchema<PictureRow>({
  name: 'picture',
  tableName: 'pictures',
  columns: {
    name: { type: 'char', length: 36, primary: true },
    userId: { name: 'user_id', type: 'char', length: 36, nullable: true },
    bytes: { type: 'mediumblob' },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
  },
});
