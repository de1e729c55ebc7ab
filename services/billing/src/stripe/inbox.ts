import { affectedRows, type Tx } from '@shortlist/kit/data/db';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';

// `due_at` decides when an event is worked off, so it is in the database's time, the one clock that all processes share.

export type StoredEvent = { eventId: string; type: string; customerId: string | null };
/** `ignored` says why nothing follows from it, where that is known at once. */
export type ReceivedEvent = StoredEvent & { payload: string; receivedAt: Date; ignored?: string | null };

/** Stores a delivery. Answers false when this event was stored before. */
export const insertStripeEvent = async (tx: Tx, event: ReceivedEvent): Promise<boolean> => {
  const result: unknown = await tx.query(
    `INSERT IGNORE INTO stripe_events
       (event_id, type, customer_id, payload, status, last_error, received_at, due_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, NOW(3))`,
    [
      ...[event.eventId, event.type, event.customerId, event.payload],
      ...[event.ignored ? 'ignored' : 'pending', event.ignored ?? null, event.receivedAt],
    ],
  );
  return affectedRows(result) === 1;
};

/** Those of these events that are stored. */
export const listKnownEvents = async (tx: Tx, eventIds: string[]): Promise<Set<string>> => {
  if (eventIds.length === 0) return new Set();
  const rows: { event_id: string }[] = await tx.query(
    'SELECT event_id FROM stripe_events WHERE event_id IN (?)',
    [eventIds],
  );
  return new Set(rows.map((row) => row.event_id));
};

const PENDING = "status IN ('pending', 'failed')";

export const findStripeEvent = async (tx: Tx, eventId: string): Promise<StoredEvent | null> => {
  const rows: StoredEvent[] = await tx.query(
    `SELECT event_id AS eventId, type, customer_id AS customerId FROM stripe_events WHERE event_id = ? AND ${PENDING}`,
    [eventId],
  );
  return rows[0] ?? null;
};

export const listDueEvents = (tx: Tx, limit: number): Promise<StoredEvent[]> =>
  tx.query(
    `SELECT event_id AS eventId, type, customer_id AS customerId FROM stripe_events WHERE ${PENDING} AND due_at <= NOW(3)
     ORDER BY due_at LIMIT ?`,
    [limit],
  );

/** The waiting events of one customer: one reading of the customer settles them all. */
export const listWaitingOfCustomer = async (tx: Tx, customerId: string): Promise<string[]> => {
  const rows: { event_id: string }[] = await tx.query(
    `SELECT event_id FROM stripe_events WHERE customer_id = ? AND ${PENDING}`,
    [customerId],
  );
  return rows.map((row) => row.event_id);
};

export type ToldSubscription = { eventId: string; type: string; payload: string };

/** Those of these events that tell of a subscription, with all that they said. */
export const listToldSubscriptions = async (tx: Tx, eventIds: string[]): Promise<ToldSubscription[]> =>
  eventIds.length === 0
    ? []
    : tx.query(
        `SELECT event_id AS eventId, type, payload FROM stripe_events
         WHERE event_id IN (?) AND type LIKE 'customer.subscription.%'`,
        [eventIds],
      );

export const settleEvents = async (
  tx: Tx,
  eventIds: string[],
  { status, why = null }: { status: 'done' | 'ignored'; why?: string | null },
): Promise<void> => {
  if (eventIds.length === 0) return;
  await tx.query(
    'UPDATE stripe_events SET status = ?, attempts = attempts + 1, last_error = ? WHERE event_id IN (?)',
    [status, why, eventIds],
  );
};

/** As long as reconciliation looks back for events, and a day more: one that is gone from here would be taken for missed. */
export const SETTLED_EVENTS: PruneRule = {
  days: 30,
  remove:
    "DELETE FROM stripe_events WHERE status IN ('done', 'ignored') AND due_at < ? ORDER BY due_at LIMIT ?",
};

/** What events said of a person who is gone; that they came, and what followed, stays. */
export const forgetPayloads = async (tx: Tx, userId: string): Promise<void> => {
  await tx.query(
    `UPDATE stripe_events e JOIN subscribers s ON s.customer_id = e.customer_id SET e.payload = '{}' WHERE s.user_id = ?`,
    [userId],
  );
};

const BACK_OFF = 'LEAST(3600, POW(2, attempts) * 2)';

/** Keeps the cause and puts the event off for longer each time, an hour at most. */
export const postponeEvents = async (tx: Tx, eventIds: string[], error: string): Promise<void> => {
  await tx.query(
    `UPDATE stripe_events SET status = 'failed', last_error = ?, due_at = DATE_ADD(NOW(3), INTERVAL ${BACK_OFF} SECOND),
       attempts = attempts + 1 WHERE event_id IN (?)`,
    [error.slice(0, 500), eventIds],
  );
};

export type UnsettledEvent = StoredEvent & {
  status: string;
  attempts: number;
  receivedAt: Date;
  lastError: string | null;
};

/** What waits or has failed, oldest first. */
export const listUnsettled = (tx: Tx, limit: number): Promise<UnsettledEvent[]> =>
  tx.query(
    `SELECT event_id AS eventId, type, customer_id AS customerId, status, attempts, received_at AS receivedAt,
       last_error AS lastError FROM stripe_events WHERE ${PENDING} ORDER BY received_at LIMIT ?`,
    [limit],
  );

/** Makes events wait again, settled ones too: working one off twice changes nothing. */
export const reopenEvents = async (tx: Tx, eventIds: string[]): Promise<void> => {
  if (eventIds.length > 0)
    await tx.query("UPDATE stripe_events SET status = 'pending' WHERE event_id IN (?)", [eventIds]);
};
