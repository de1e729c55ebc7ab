import { EntitySchema } from 'typeorm';

/** A checkout session that is ordered or about to be ordered. Its id is the idempotency key of the order. */
export type CheckoutIntentRow = {
  id: string;
  userId: string;
  state: 'open' | 'closed';
  sessionId: string | null;
  createdAt: Date;
};

export const checkoutIntentEntity = new EntitySchema<CheckoutIntentRow>({
  name: 'checkout_intent',
  tableName: 'checkout_intents',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    userId: { name: 'user_id', type: 'char', length: 36 },
    state: { type: 'enum', enum: ['open', 'closed'] },
    sessionId: { name: 'session_id', type: 'varchar', length: 100, nullable: true },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
  },
});
