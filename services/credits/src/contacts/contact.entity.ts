import { EntitySchema } from 'typeorm';

/** A contact that the operation `operationId` was charged for, by the key of its reference. */
export type ContactRow = {
  userId: string;
  reason: string;
  contactKey: string;
  operationId: string;
  chargedAt: Date;
};

export const contactEntity = new EntitySchema<ContactRow>({
  name: 'contact',
  tableName: 'contacts',
  columns: {
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    reason: { type: 'varchar', length: 40, primary: true },
    contactKey: { name: 'reference', type: 'varchar', length: 600, primary: true },
    operationId: { name: 'operation_id', type: 'varchar', length: 100 },
    chargedAt: { name: 'charged_at', type: 'datetime', precision: 3 },
  },
});
