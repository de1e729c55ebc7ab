import { EntitySchema } from 'typeorm';

/** An event as delivered by Stripe, or as found by reconciliation. `dueAt` is the database's time. */
export type StripeEventRow = {
  eventId: string;
  type: string;
  customerId: string | null;
  /** The fields that actions read, which describe no person; an empty object once the user is deleted. */
  payload: string;
  status: 'pending' | 'done' | 'ignored' | 'failed';
  attempts: number;
  lastError: string | null;
  receivedAt: Date;
  dueAt: Date;
};

export const stripeEventEntity = new EntitySchema<StripeEventRow>({
  name: 'stripe_event',
  tableName: 'stripe_events',
  columns: {
    eventId: { name: 'event_id', type: 'varchar', length: 64, primary: true },
    type: { type: 'varchar', length: 80 },
    customerId: { name: 'customer_id', type: 'varchar', length: 64, nullable: true },
    payload: { type: 'mediumtext' },
    status: { type: 'enum', enum: ['pending', 'done', 'ignored', 'failed'] },
    attempts: { type: 'int', default: 0 },
    lastError: { name: 'last_error', type: 'varchar', length: 500, nullable: true },
    receivedAt: { name: 'received_at', type: 'datetime', precision: 3 },
    dueAt: { name: 'due_at', type: 'datetime', precision: 3 },
  },
});
