import { EntitySchema } from 'typeorm';

/** One subscription of a user's history, as last read from Stripe. The price is that of one month in minor units. */
export type SubscriptionRow = {
  subscriptionId: string;
  userId: string;
  status: string;
  startedAt: Date;
  canceledAt: Date | null;
  endedAt: Date | null;
  cancelReason: string | null;
  priceAmount: number | null;
  priceCurrency: string | null;
};

export const subscriptionEntity = new EntitySchema<SubscriptionRow>({
  name: 'subscription',
  tableName: 'subscriptions',
  columns: {
    subscriptionId: { name: 'subscription_id', type: 'varchar', length: 64, primary: true },
    userId: { name: 'user_id', type: 'char', length: 36 },
    status: { type: 'varchar', length: 30 },
    startedAt: { name: 'started_at', type: 'datetime', precision: 3 },
    canceledAt: { name: 'canceled_at', type: 'datetime', precision: 3, nullable: true },
    endedAt: { name: 'ended_at', type: 'datetime', precision: 3, nullable: true },
    cancelReason: { name: 'cancel_reason', type: 'varchar', length: 64, nullable: true },
    priceAmount: { name: 'price_amount', type: 'int', nullable: true },
    priceCurrency: { name: 'price_currency', type: 'char', length: 3, nullable: true },
  },
});
