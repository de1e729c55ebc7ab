import type { Tx } from '@shortlist/kit/data/db';
import { deletedUserEntity } from './deleted-user.entity.ts';

export const isDeleted = (tx: Tx, userId: string): Promise<boolean> =>
  tx.getRepository(deletedUserEntity).existsBy({ userId });

export const insertDeletedUserIfAbsent = async (tx: Tx, userId: string, deletedAt: Date): Promise<void> => {
  await tx
    .createQueryBuilder()
    .insert()
    .orIgnore()
    .into(deletedUserEntity)
    .values({ userId, deletedAt })
    .updateEntity(false)
    .execute();
};
