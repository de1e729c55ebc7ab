import {
  findSubscriber,
  type Lease,
  listDueEmails,
  settleEmail,
  writeCustomer,
} from '../subscriptions/queries.ts';
import { LEASE_WAIT_MS, type RefreshParts, withLease } from './refresh-subscriber.ts';

/**
 * Updates the email of the user's customer at Stripe, which sends receipts there. Runs under the lease, so that the newest email is written
 * last, and a customer that is being created gets it too. Logs a failure; reconciliation tries again.
 */
export const pushEmail = async (parts: RefreshParts, userId: string): Promise<void> => {
  const { db, stripe, log } = parts;
  const push = async (lease: Lease): Promise<void> => {
    const subscriber = await findSubscriber(db.manager, userId);
    if (subscriber === null || !subscriber.emailDue || subscriber.deletedAt !== null) return;
    const { customerId, email, emailVersion } = subscriber;
    // The idempotency key of a creation whose response was lost is bound to the former email.
    if (customerId === null) await writeCustomer(db.manager, lease, { customerKey: null, customerId });
    else await stripe.updateCustomerEmail(customerId, email, `email-${userId}-${emailVersion}`);
    await settleEmail(db.manager, subscriber);
    log.info({ userId, customerId, emailVersion }, 'customer email updated');
  };
  try {
    if ((await findSubscriber(db.manager, userId))?.emailDue)
      await withLease(parts, { userId, waitMs: LEASE_WAIT_MS.background }, push);
  } catch (error) {
    log.warn({ err: error, userId }, 'customer email not updated at Stripe yet');
  }
};

/** Repeats the updates of emails at Stripe that failed. */
export const pushDueEmails = async (parts: RefreshParts): Promise<void> => {
  for (const userId of await listDueEmails(parts.db.manager)) await pushEmail(parts, userId);
};
