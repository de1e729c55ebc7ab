import { randomUUID } from 'node:crypto';
import type { Db } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import type { StripeGateway } from '../stripe/gateway.ts';
import { type CustomerColumns, type Lease, writeCustomer } from '../subscriptions/queries.ts';
import type { SubscriberRow } from '../subscriptions/subscriber.entity.ts';

type Parts = { db: Db; stripe: StripeGateway };

// An owner that paused for longer than its lease must not replace the customer that another owner created meanwhile.
const write = async ({ db }: Parts, lease: Lease, columns: CustomerColumns): Promise<void> => {
  if (!(await writeCustomer(db.manager, lease, columns)))
    throw createError('billing.busy', { retryAfterSeconds: 2 });
};

/**
 * Returns the user's customer at Stripe, creating it if needed. The key is stored before the call: if the response is lost, a
 * repeated call finds the same customer.
 */
export const ensureCustomer = async (
  parts: Parts,
  subscriber: SubscriberRow,
  lease: Lease,
): Promise<string> => {
  if (subscriber.customerId !== null) return subscriber.customerId;
  const customerKey = subscriber.customerKey ?? randomUUID();
  const isRepeated = subscriber.customerKey !== null;
  if (!isRepeated) await write(parts, lease, { customerKey, customerId: null });
  // Stripe keeps an idempotency key for a day, and the customer created under it for ever.
  const existingId = isRepeated ? await parts.stripe.findCustomer(subscriber) : null;
  const customerId = existingId ?? (await parts.stripe.createCustomer(subscriber, customerKey));
  await write(parts, lease, { customerKey, customerId });
  return customerId;
};

/** Clears the id of a customer that was deleted at Stripe, so that the next checkout creates a new one. */
export const clearCustomer = (parts: Parts, lease: Lease): Promise<void> =>
  write(parts, lease, { customerKey: null, customerId: null });
