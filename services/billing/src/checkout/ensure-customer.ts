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

// An owner that paused for longer than its lease must not replace the customer that another owner created meanwhile.
const write = async ({ db }: Parts, lease: Lease, columns: CustomerColumns): Promise<void> => {
  if (!(await writeCustomer(db.manager, lease, columns)))
    throw createError('billing.busy', { retryAfterSeconds: 2 });
};

/**
 * Returns the user's customer at Stripe, creating it if needed. The key is stored before the call: if the response is lost, a
 * repeated call finds the same customer. One that is found has perhaps paid already, although nothing here says so, as after the
 * database was set back: what it has is taken over, and its open pages are closed. Throws what `assertCanBuy` throws.
 */
export const ensureCustomer = async (
  parts: RefreshParts,
  subscriber: SubscriberRow,
  { lease, assertCanBuy }: { lease: Lease; assertCanBuy: AssertCanBuy },
): Promise<string> => {
  if (subscriber.customerId !== null) return subscriber.customerId;
  const customerKey = subscriber.customerKey ?? randomUUID();
  if (subscriber.customerKey === null) await write(parts, lease, { customerKey, customerId: null });
  const existingId = await parts.stripe.findCustomer(subscriber);
  const customerId = existingId ?? (await parts.stripe.createCustomer(subscriber, customerKey));
  await write(parts, lease, { customerKey, customerId });
  if (existingId === null) return customerId;
  await expireCheckouts(parts, { userId: lease.userId, customerId });
  await refreshWithLease(parts, lease, { by: 'checkout', reason: 'customer found at Stripe' });
  await assertCanBuy(parts, lease);
  return customerId;
};

/** Clears the id of a customer that was deleted at Stripe, so that the next checkout creates a new one. */
export const clearCustomer = (parts: Parts, lease: Lease): Promise<void> =>
  write(parts, lease, { customerKey: null, customerId: null });
