import { type CreditPack, PACK_STATES } from '@shortlist/contracts/api/billing';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertRows } from '@shortlist/kit/data/insert';

/** A paid pack of credits, one row per invoice. When its user is deleted, the invoice stays, but the pack does not. */
export const packEntity = defineEntity('credit_pack', 'credit_packs', {
  packId: { ...column.uuid, primary: true },
  userId: column.uuid,
  invoiceId: column.varchar(64),
  version: column.unsigned,
  credits: column.unsigned,
  paidCredits: column.unsigned,
  amount: column.int,
  currency: column.char(3),
  state: column.enumOf(PACK_STATES),
  paidAt: column.dateTime,
});
export type PackRow = RowOf<typeof packEntity>;

export const findPackByInvoice = (tx: Tx, invoiceId: string): Promise<PackRow | null> =>
  tx.getRepository(packEntity).findOneBy({ invoiceId });

export const listPacks = (tx: Tx, userId: string): Promise<PackRow[]> =>
  tx.getRepository(packEntity).find({ where: { userId }, order: { paidAt: 'ASC', packId: 'ASC' } });

export const insertPack = (tx: Tx, pack: PackRow): Promise<void> => insertRows(tx, packEntity, pack);

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
