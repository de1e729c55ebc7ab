import { randomUUID } from 'node:crypto';
import type { Db } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import { type RefreshParts, refreshWithLease } from '../refresh/refresh-subscriber.ts';
import type { StripeGateway } from '../stripe/gateway.ts';
import { expireCheckouts } from '../refresh/settle-customer.ts';
import {
  type CustomerColumns,
  type Lease,
  type SubscriberRow,
  writeCustomer,
} from '../subscriptions/queries.ts';

type Parts = { db: Db; stripe: StripeGateway };
type AssertCanBuy = (parts: RefreshParts, lease: Lease) => Promise<SubscriberRow>;

// A lease owner that paused for too long must not replace the customer that another owner has created.
const write = async ({ db }: Parts, lease: Lease, columns: CustomerColumns): Promise<void> => {
  if (!(await writeCustomer(db.manager, lease, columns)))
    throw createError('billing.busy', { retryAfterSeconds: 2 });
};

/**
 * Returns the user's customer at Stripe, creating it if needed. The key is stored before the call, so that a repeated call finds the same
 * customer if the response was lost. A found customer may already have paid without a record here, for example after the database was restored:
 * its state is taken over, and its open pages are closed. Throws what `assertCanBuy` throws.
 */
export const ensureCustomer = async (
  parts: RefreshParts,
  subscriber: SubscriberRow,
  { lease, assertCanBuy }: { lease: Lease; assertCanBuy: AssertCanBuy },
): Promise<string> => {
  if (subscriber.customerId !== null) return subscriber.customerId;
  const customerKey = subscriber.customerKey ?? randomUUID();
  if (subscriber.customerKey === null) await write(parts, lease, { customerKey, customerId: null });
  const existingId = await parts.stripe.findCustomer(subscriber, subscriber.customerKey !== null);
  const customerId = existingId ?? (await parts.stripe.createCustomer(subscriber, customerKey));
  await write(parts, lease, { customerKey, customerId });
  if (existingId === null) return customerId;
  await expireCheckouts(parts, { userId: lease.userId, customerId });
  await refreshWithLease(parts, lease, { by: 'checkout', reason: 'customer found at Stripe' });
  await assertCanBuy(parts, lease);
  return customerId;
};

/** Clears the id of a customer that was deleted at Stripe, so that the next checkout creates another. */
export const clearCustomer = (parts: Parts, lease: Lease): Promise<void> =>
  write(parts, lease, { customerKey: null, customerId: null });
