import { EntitySchema } from 'typeorm';

export type RefundRow = { refundId: string; invoiceId: string; amount: number; createdAt: Date };

export const refundEntity = new EntitySchema<RefundRow>({
  name: 'refund',
  tableName: 'refunds',
  columns: {
    refundId: { name: 'refund_id', type: 'varchar', length: 64, primary: true },
    invoiceId: { name: 'invoice_id', type: 'varchar', length: 64 },
    amount: { type: 'int' },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
  },
});
