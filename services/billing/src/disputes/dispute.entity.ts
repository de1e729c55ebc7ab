import { EntitySchema } from 'typeorm';

/** A dispute as last read from Stripe. `closedAt` is when its end was first seen, since Stripe states no time for it. */
export type DisputeRow = {
  disputeId: string;
  invoiceId: string;
  userId: string;
  chargeId: string;
  amount: number;
  currency: string;
  reason: string;
  status: string;
  openedAt: Date;
  evidenceDueAt: Date | null;
  closedAt: Date | null;
};

export const disputeEntity = new EntitySchema<DisputeRow>({
  name: 'dispute',
  tableName: 'disputes',
  columns: {
    disputeId: { name: 'dispute_id', type: 'varchar', length: 64, primary: true },
    invoiceId: { name: 'invoice_id', type: 'varchar', length: 64 },
    userId: { name: 'user_id', type: 'char', length: 36 },
    chargeId: { name: 'charge_id', type: 'varchar', length: 64 },
    amount: { type: 'int' },
    currency: { type: 'char', length: 3 },
    reason: { type: 'varchar', length: 60 },
    status: { type: 'varchar', length: 30 },
    openedAt: { name: 'opened_at', type: 'datetime', precision: 3 },
    evidenceDueAt: { name: 'evidence_due_at', type: 'datetime', precision: 3, nullable: true },
    closedAt: { name: 'closed_at', type: 'datetime', precision: 3, nullable: true },
  },
});
