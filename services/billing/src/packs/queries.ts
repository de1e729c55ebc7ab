import { type CreditPack, PACK_STATES } from '@shortlist/contracts/api/billing';
import type { Tx } from '@shortlist/kit/data/db';
import { EntitySchema } from 'typeorm';

/** A paid pack of credits, one row per invoice. When its user is deleted, the invoice stays, but the pack does not. */
export type PackRow = Omit<CreditPack, 'paidAt'> & { userId: string; invoiceId: string; paidAt: Date };

export const packEntity = new EntitySchema<PackRow>({
  name: 'credit_pack',
  tableName: 'credit_packs',
  columns: {
    packId: { name: 'pack_id', type: 'char', length: 36, primary: true },
    userId: { name: 'user_id', type: 'char', length: 36 },
    invoiceId: { name: 'invoice_id', type: 'varchar', length: 64 },
    version: { type: 'int', unsigned: true },
    credits: { type: 'int', unsigned: true },
    paidCredits: { name: 'paid_credits', type: 'int', unsigned: true },
    amount: { type: 'int' },
    currency: { type: 'char', length: 3 },
    state: { type: 'enum', enum: [...PACK_STATES] },
    paidAt: { name: 'paid_at', type: 'datetime', precision: 3 },
  },
});

export const findPackByInvoice = (tx: Tx, invoiceId: string): Promise<PackRow | null> =>
  tx.getRepository(packEntity).findOneBy({ invoiceId });

export const listPacks = (tx: Tx, userId: string): Promise<PackRow[]> =>
  tx.getRepository(packEntity).find({ where: { userId }, order: { paidAt: 'ASC', packId: 'ASC' } });

export const insertPack = async (tx: Tx, pack: PackRow): Promise<void> => {
  await tx.getRepository(packEntity).insert(pack);
};

export const updatePack = async (
  tx: Tx,
  { packId, version, paidCredits, state }: Pick<PackRow, 'packId' | 'version' | 'paidCredits' | 'state'>,
): Promise<void> => {
  await tx.getRepository(packEntity).update({ packId }, { version, paidCredits, state });
};

export const presentPack = ({
  userId: _user,
  invoiceId: _invoice,
  paidAt,
  ...pack
}: PackRow): CreditPack => ({
  ...pack,
  paidAt: paidAt.toISOString(),
});
