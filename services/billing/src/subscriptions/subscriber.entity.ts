import type { PaymentProblem } from '@shortlist/contracts/api/public';
import type { Coverage } from '@shortlist/contracts/plan';
import { EntitySchema, type ValueTransformer } from 'typeorm';

export type SubscriberRow = {
  userId: string;
  email: string;
  /** The version of the address: an older event changes nothing. */
  emailVersion: number;
  /** Whether the customer at Stripe may still have an older address. */
  emailDue: boolean;
  name: string;
  customerId: string | null;
  customerKey: string | null;
  subscriptionId: string | null;
  subscriptionStatus: string | null;
  renews: boolean;
  priceAmount: number | null;
  priceCurrency: string | null;
  version: number;
  paid: Coverage | null;
  granted: Coverage | null;
  /** What keeps a payment from going through, as last read from Stripe. */
  problem: PaymentProblem | null;
  /** The end of premium whose event is not emitted yet. */
  planEndsAt: Date | null;
  deletedAt: Date | null;
  /** Whether Stripe may still take money of a deleted user: by an open checkout or a subscription that has not ended. */
  closing: boolean;
};

/** Read and written by the statements of the lease alone. */
type LeaseColumns = { leaseOwner: string | null; leaseUntil: Date | null };

const json: ValueTransformer = {
  to: (value: unknown) => (value === null || value === undefined ? value : JSON.stringify(value)),
  from: (text: string | null) => (text === null ? null : (JSON.parse(text) as unknown)),
};

export const subscriberEntity = new EntitySchema<SubscriberRow & LeaseColumns>({
  name: 'subscriber',
  tableName: 'subscribers',
  columns: {
    userId: { name: 'user_id', type: 'char', length: 36, primary: true },
    email: { type: 'varchar', length: 254 },
    emailVersion: { name: 'email_version', type: 'int', unsigned: true, default: 1 },
    emailDue: { name: 'email_due', type: 'boolean', default: false },
    name: { type: 'varchar', length: 210 },
    customerId: { name: 'customer_id', type: 'varchar', length: 64, nullable: true },
    customerKey: { name: 'customer_key', type: 'char', length: 36, nullable: true },
    subscriptionId: { name: 'subscription_id', type: 'varchar', length: 64, nullable: true },
    subscriptionStatus: { name: 'subscription_status', type: 'varchar', length: 30, nullable: true },
    renews: { type: 'boolean', default: false },
    priceAmount: { name: 'price_amount', type: 'int', nullable: true },
    priceCurrency: { name: 'price_currency', type: 'char', length: 3, nullable: true },
    version: { type: 'int', default: 0 },
    paid: { type: 'text', nullable: true, transformer: json },
    granted: { type: 'text', nullable: true, transformer: json },
    problem: { type: 'text', nullable: true, transformer: json },
    planEndsAt: { name: 'plan_ends_at', type: 'datetime', precision: 3, nullable: true },
    leaseOwner: { name: 'lease_owner', type: 'char', length: 36, nullable: true, select: false },
    leaseUntil: { name: 'lease_until', type: 'datetime', precision: 3, nullable: true, select: false },
    deletedAt: { name: 'deleted_at', type: 'datetime', precision: 3, nullable: true },
    closing: { type: 'boolean', default: false },
  },
});
