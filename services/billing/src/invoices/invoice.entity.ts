import { EntitySchema } from 'typeorm';

/** An invoice as last read from Stripe. Amounts are minor units. */
export type InvoiceRow = {
  invoiceId: string;
  userId: string;
  status: 'open' | 'paid';
  amount: number;
  currency: string;
  fee: number;
  refunded: number;
  attempts: number;
  paidAt: Date | null;
};

export const invoiceEntity = new EntitySchema<InvoiceRow>({
  name: 'invoice',
  tableName: 'invoices',
  columns: {
    invoiceId: { name: 'invoice_id', type: 'varchar', length: 64, primary: true },
    userId: { name: 'user_id', type: 'char', length: 36 },
    status: { type: 'enum', enum: ['open', 'paid'] },
    amount: { type: 'int' },
    currency: { type: 'char', length: 3 },
    fee: { type: 'int', default: 0 },
    refunded: { type: 'int', default: 0 },
    attempts: { type: 'int', default: 0 },
    paidAt: { name: 'paid_at', type: 'datetime', precision: 3, nullable: true },
  },
});
