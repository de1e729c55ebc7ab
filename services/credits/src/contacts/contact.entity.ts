import { EntitySchema } from 'typeorm';

/** A contact that the operation `operationId` was charged for. */
export type ContactRow = {
  userId: string;
  reason: string;
  reference: string;
  operationId: string;
  chargedAt: Date;
};

export const contactEntity = new EntitySchema<ContactRow>({
  name: 'contact',
  tableName: 'contacts',
  columns: {
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    reason: { type: 'varchar', length: 40, primary: true },
    reference: { type: 'varchar', length: 200, primary: true },
    operationId: { name: 'operation_id', type: 'varchar', length: 100 },
    chargedAt: { name: 'charged_at', type: 'datetime', precision: 3 },
  },
});
