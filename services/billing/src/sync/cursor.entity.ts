import { EntitySchema } from 'typeorm';

/** The position of reconciliation in one of Stripe's lists; null is the start. */
export type CursorRow = {
  list: 'events' | 'subscriptions' | 'fees' | 'invoices' | 'disputes' | 'payouts';
  position: string | null;
};

export const cursorEntity = new EntitySchema<CursorRow>({
  name: 'cursor',
  tableName: 'cursors',
  columns: {
    list: { type: 'varchar', length: 30, primary: true },
    position: { type: 'varchar', length: 100, nullable: true },
  },
});
