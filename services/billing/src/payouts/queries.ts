import type { Tx } from '@shortlist/kit/data/db';
import { In } from 'typeorm';
import type { PayoutSnapshot } from '../stripe/snapshot.ts';
import { payoutEntity, type PayoutRow } from './payout.entity.ts';

export const upsertPayouts = async (tx: Tx, payouts: PayoutSnapshot[]): Promise<void> => {
  if (payouts.length === 0) return;
  await tx
    .createQueryBuilder()
    .insert()
    .into(payoutEntity)
    .values(payouts.map(({ id: payoutId, ...columns }) => ({ payoutId, ...columns })))
    .orUpdate(['amount', 'status', 'arrival_at'])
    .updateEntity(false)
    .execute();
};

/** Those of these payouts that are stored, by id. */
export const findPayouts = async (tx: Tx, payoutIds: string[]): Promise<Map<string, PayoutRow>> => {
  const rows = await tx.getRepository(payoutEntity).findBy({ payoutId: In(payoutIds) });
  return new Map(rows.map((row) => [row.payoutId, row]));
};
