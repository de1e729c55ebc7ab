import { EntitySchema } from 'typeorm';

/** Money that a dispute moved. `amount` was withdrawn from the balance; a negative one was given back. */
export type DisputeTransactionRow = {
  transactionId: string;
  disputeId: string;
  amount: number;
  fee: number;
  currency: string;
  createdAt: Date;
};

export const disputeTransactionEntity = new EntitySchema<DisputeTransactionRow>({
  name: 'dispute_transaction',
  tableName: 'dispute_transactions',
  columns: {
    transactionId: { name: 'transaction_id', type: 'varchar', length: 64, primary: true },
    disputeId: { name: 'dispute_id', type: 'varchar', length: 64 },
    amount: { type: 'int' },
    fee: { type: 'int' },
    currency: { type: 'char', length: 3 },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
  },
});
