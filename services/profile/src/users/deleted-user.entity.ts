import { EntitySchema } from 'typeorm';

export type DeletedUserRow = { userId: string; deletedAt: Date };

export const deletedUserEntity = new EntitySchema<DeletedUserRow>({
  name: 'deleted_user',
  tableName: 'deleted_users',
  columns: {
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    deletedAt: { name: 'deleted_at', type: 'datetime', precision: 3 },
  },
});
