import type { Role } from '@shortlist/contracts/api/identity';
import { affectedRows, type Tx } from '@shortlist/kit/data/db';
import { In } from 'typeorm';
import { accountEntity, type AccountRow } from './account.entity.ts';

export const findAccountByEmail = (tx: Tx, email: string, role: Role): Promise<AccountRow | null> =>
  tx.getRepository(accountEntity).findOneBy({ email, role });

export const emailExists = (tx: Tx, email: string): Promise<boolean> =>
  tx.getRepository(accountEntity).existsBy({ email });

export const listAdminEmails = (tx: Tx, ids: string[]): Promise<Pick<AccountRow, 'id' | 'email'>[]> =>
  tx
    .getRepository(accountEntity)
    .find({ select: { id: true, email: true }, where: { id: In(ids), role: 'admin' } });

export const insertAccount = async (tx: Tx, account: AccountRow): Promise<void> => {
  await tx.createQueryBuilder().insert().into(accountEntity).values(account).updateEntity(false).execute();
};

/** Answers whether there was such an account. */
export const updatePasswordHash = async (tx: Tx, id: string, passwordHash: string): Promise<boolean> => {
  const result = await tx.getRepository(accountEntity).update({ id }, { passwordHash });
  return result.affected === 1;
};

/** Answers whether there was such a user. Admins are not deleted here. */
export const deleteUser = async (tx: Tx, id: string): Promise<boolean> =>
  affectedRows(await tx.query("DELETE FROM accounts WHERE id = ? AND role = 'user'", [id])) === 1;
