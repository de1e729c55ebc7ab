import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { propertiesExcept, upsert } from '@shortlist/kit/data/insert';
import { In } from 'typeorm';
import type { PayoutSnapshot } from '../stripe/snapshot.ts';

/** A transfer from Stripe's balance to the bank. `amount` is minor units; `arrivalAt` is the day on which the bank has it. */
export const payoutEntity = defineEntity('payout', 'payouts', {
  payoutId: { ...column.varchar(64), primary: true },
  amount: column.int,
  currency: column.char(3),
  status: column.varchar(30),
  arrivalAt: column.dateTime,
  createdAt: column.dateTime,
});
export type PayoutRow = RowOf<typeof payoutEntity>;

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
