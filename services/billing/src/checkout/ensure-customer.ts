import { randomUUID } from 'node:crypto';
import type { Db } from '@shortlist/kit/data/db';
import { createError } from '@shortlist/kit/process/errors';
import type { StripeGateway } from '../stripe/gateway.ts';
import { type CustomerColumns, type Holding, writeCustomer } from '../subscriptions/queries.ts';
import type { SubscriberRow } from '../subscriptions/subscriber.entity.ts';

type Parts = { db: Db; stripe: StripeGateway };

// A holder that was away for longer than its lease must not take the customer away that another has made meanwhile.
const write = async ({ db }: Parts, holding: Holding, change: CustomerColumns): Promise<void> => {
  if (!(await writeCustomer(db.manager, holding, change)))
    throw createError('billing.busy', { retryAfterSeconds: 2 });
};

/** The person's customer at the provider. The key is stored before it is asked: if the answer is lost, asking again finds the same. */
export const ensureCustomer = async (
  parts: Parts,
  subscriber: SubscriberRow,
  holding: Holding,
): Promise<string> => {
  if (subscriber.customerId !== null) return subscriber.customerId;
  const customerKey = subscriber.customerKey ?? randomUUID();
  const askedBefore = subscriber.customerKey !== null;
  if (!askedBefore) await write(parts, holding, { customerKey, customerId: null });
  // The provider forgets a key after a day, but not the customer that came of it.
  const made = askedBefore ? await parts.stripe.findCustomer(subscriber) : null;
  const customerId = made ?? (await parts.stripe.createCustomer(subscriber, customerKey));
  await write(parts, holding, { customerKey, customerId });
  return customerId;
};

/** Forgets a customer whom somebody has deleted at the provider, so that the next one is made anew. */
export const forgetCustomer = (parts: Parts, holding: Holding): Promise<void> =>
  write(parts, holding, { customerKey: null, customerId: null });
