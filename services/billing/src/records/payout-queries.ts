import type { Tx } from '@shortlist/kit/data/db';
import { propertiesExcept, upsert } from '@shortlist/kit/data/insert';
import { EntitySchema, In } from 'typeorm';
import type { PayoutSnapshot } from '../stripe/snapshot.ts';

/** A transfer from Stripe's balance to the bank. `amount` is minor units; `arrivalAt` is the day on which the bank has it. */
export type PayoutRow = {
  payoutId: string;
  amount: number;
  currency: string;
  status: string;
  arrivalAt: Date;
  createdAt: Date;
};

export const payoutEntity = new EntitySchema<PayoutRow>({
  name: 'payout',
  tableName: 'payouts',
  columns: {
    payoutId: { name: 'payout_id', type: 'varchar', length: 64, primary: true },
    amount: { type: 'int' },
    currency: { type: 'char', length: 3 },
    status: { type: 'varchar', length: 30 },
    arrivalAt: { name: 'arrival_at', type: 'datetime', precision: 3 },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
  },
});

const CHANGING = propertiesExcept(payoutEntity, 'payoutId', 'currency', 'createdAt');

export const upsertPayouts = async (tx: Tx, payouts: PayoutSnapshot[]): Promise<void> => {
  const rows = payouts.map(({ id: payoutId, ...columns }) => ({ payoutId, ...columns }));
  await upsert(tx, payoutEntity, { rows, update: CHANGING });
};

/** The stored ones among these payouts, by id. */
export const findPayouts = async (tx: Tx, payoutIds: string[]): Promise<Map<string, PayoutRow>> => {
  const rows = await tx.getRepository(payoutEntity).findBy({ payoutId: In(payoutIds) });
  return new Map(rows.map((row) => [row.payoutId, row]));
};
