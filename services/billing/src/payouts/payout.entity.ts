import { EntitySchema } from 'typeorm';

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
