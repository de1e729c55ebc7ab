import type { StripeEventQuery, StripeEventState } from '@shortlist/contracts/api/system';
import { SYSTEM_PAGE } from '@shortlist/contracts/limits';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { boundOf, positionOf } from '@shortlist/kit/data/newest-first';
import {
  change,
  instant,
  integer,
  isOlder,
  nullable,
  oneOf,
  selectRow,
  selectRows,
  sql,
  text,
} from '@shortlist/kit/data/sql';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { In, LessThanOrEqual } from 'typeorm';
import { REFRESHING } from './event-types.ts';

/** An event as delivered by Stripe, or as found by reconciliation. `dueAt` is the database's time. */
export const stripeEventEntity = defineEntity('stripe_event', 'stripe_events', {
  eventId: { ...column.varchar(64), primary: true },
  type: column.varchar(80),
  customerId: column.nullable(column.varchar(64)),
  /** The fields that actions read, without personal data; an empty object once the user is deleted. */
  payload: { ...column.text, type: 'mediumtext' },
  /** When it happened, in whole seconds of Stripe's clock; null for an event that was stored before this column. */
  createdAt: column.nullable(column.dateTime),
  /** The request that caused it; null if it was not a request. */
  requestId: column.nullable(column.varchar(64)),
  status: column.enumOf(['pending', 'done', 'ignored', 'failed']),
  attempts: { ...column.int, default: 0 },
  lastError: column.nullable(column.varchar(500)),
  receivedAt: column.dateTime,
  dueAt: column.dateTime,
});
type StripeEventRow = RowOf<typeof stripeEventEntity>;

// `due_at` is the database's time, the clock that all processes share.

export type StoredEvent = Pick<StripeEventRow, 'eventId' | 'type' | 'customerId' | 'createdAt' | 'requestId'>;
/** `ignored`: the reason why the event has no effect, if known on receipt. `dueInMs`: when the retry job may process it; at once by default. */
type ReceivedEvent = Pick<StripeEventRow, 'eventId' | 'type' | 'customerId' | 'payload' | 'receivedAt'> &
  Partial<Pick<StripeEventRow, 'createdAt' | 'requestId'>> & { ignored?: string | null; dueInMs?: number };

const UNSETTLED = In(['pending', 'failed'] as const);

/** Stores a delivery; returns false if the event is already stored. Raw SQL, because it is hot, and INSERT IGNORE needs only one statement. */
export const insertStripeEvent = async (tx: Tx, event: ReceivedEvent): Promise<boolean> => {
  const { affectedRows } = await change(tx, {
    sql: `INSERT IGNORE INTO stripe_events
            (event_id, type, customer_id, created_at, request_id, payload, status, last_error, received_at, due_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NOW(3) + INTERVAL ? MICROSECOND)`,
    values: [
      event.eventId,
      event.type,
      event.customerId,
      event.createdAt ?? null,
      event.requestId ?? null,
      event.payload,
      event.ignored ? 'ignored' : 'pending',
      event.ignored ?? null,
      event.receivedAt,
      (event.dueInMs ?? 0) * 1_000,
    ],
  });
  return affectedRows === 1;
};

/** The ids among these that are stored. */
export const listStoredEventIds = async (tx: Tx, eventIds: string[]): Promise<Set<string>> => {
  const rows = await tx
    .getRepository(stripeEventEntity)
    .find({ select: { eventId: true }, where: { eventId: In(eventIds) } });
  return new Set(rows.map(({ eventId }) => eventId));
};

const STORED_EVENT = {
  eventId: true,
  type: true,
  customerId: true,
  createdAt: true,
  requestId: true,
} as const;

export const findUnsettledEvent = (tx: Tx, eventId: string): Promise<StoredEvent | null> =>
  tx
    .getRepository(stripeEventEntity)
    .findOne({ select: STORED_EVENT, where: { eventId, status: UNSETTLED } });

/** The stored payload of an event; an empty object once it is redacted. */
export const findEventPayload = async (tx: Tx, eventId: string): Promise<string> => {
  const row = await tx
    .getRepository(stripeEventEntity)
    .findOne({ select: { eventId: true, payload: true }, where: { eventId } });
  return row?.payload ?? '{}';
};

/** Stores the customer of an event whose object does not name it. */
export const setEventCustomer = async (tx: Tx, eventId: string, customerId: string): Promise<void> => {
  await tx.getRepository(stripeEventEntity).update({ eventId }, { customerId });
};

/** The unsettled events of one customer that only await a refresh: one snapshot of the customer settles them all. */
export const listAwaitingRefresh = (tx: Tx, customerId: string): Promise<StoredEvent[]> =>
  tx
    .getRepository(stripeEventEntity)
    .find({ select: STORED_EVENT, where: { customerId, status: UNSETTLED, type: In([...REFRESHING]) } });

/** Raw SQL, because the condition uses the database's time. */
export const listDueEvents = (tx: Tx, limit: number): Promise<Pick<StoredEvent, 'eventId'>[]> =>
  selectRows(
    tx,
    { eventId: text },
    {
      sql: `SELECT event_id AS eventId FROM stripe_events
            WHERE status IN ('pending', 'failed') AND due_at <= NOW(3) ORDER BY due_at LIMIT ?`,
      values: [limit],
    },
  );

/** Settles those that are not settled yet. */
export const settleEvents = async (
  tx: Tx,
  eventIds: string[],
  { status, why = null }: { status: 'done' | 'ignored'; why?: string | null },
): Promise<void> => {
  if (eventIds.length === 0) return;
  await tx
    .getRepository(stripeEventEntity)
    .update(
      { eventId: In(eventIds), status: UNSETTLED },
      { status, lastError: why, attempts: () => 'attempts + 1' },
    );
};

/** One day longer than reconciliation lists events: a pruned event would look like a missed one. */
export const SETTLED_EVENTS: PruneRule = {
  days: 30,
  remove:
    "DELETE FROM stripe_events WHERE status IN ('done', 'ignored') AND due_at < ? ORDER BY due_at LIMIT ?",
};

/** Records the error and doubles the delay, up to an hour. */
export const postponeEvents = async (tx: Tx, eventIds: string[], error: string): Promise<void> => {
  if (eventIds.length === 0) return;
  await tx.getRepository(stripeEventEntity).update(
    { eventId: In(eventIds) },
    {
      status: 'failed',
      lastError: error.slice(0, 500),
      // Before `attempts` in the statement: MySQL assigns from left to right.
      dueAt: () => 'DATE_ADD(NOW(3), INTERVAL LEAST(3600, POW(2, attempts) * 2) SECOND)',
      attempts: () => 'attempts + 1',
    },
  );
};

export type UnsettledEvent = StoredEvent &
  Pick<StripeEventRow, 'status' | 'attempts' | 'receivedAt' | 'lastError'>;

/** Pending and failed events, oldest first. */
export const listUnsettled = (tx: Tx, limit: number): Promise<UnsettledEvent[]> =>
  tx.getRepository(stripeEventEntity).find({
    select: { ...STORED_EVENT, status: true, attempts: true, receivedAt: true, lastError: true },
    where: { status: UNSETTLED },
    order: { receivedAt: 'ASC' },
    take: limit,
  });

export const countUnsettled = async (tx: Tx): Promise<{ pending: number; failed: number }> => {
  const events = tx.getRepository(stripeEventEntity);
  const [pending, failed] = await Promise.all([
    events.countBy({ status: 'pending' }),
    events.countBy({ status: 'failed' }),
  ]);
  return { pending, failed };
};

/** The arrival of the oldest unsettled event. */
export const findOldestUnsettled = async (tx: Tx): Promise<Date | null> => {
  const oldest = await tx.getRepository(stripeEventEntity).findOne({
    select: { eventId: true, receivedAt: true },
    where: { status: UNSETTLED },
    order: { receivedAt: 'ASC' },
  });
  return oldest?.receivedAt ?? null;
};

/**
 * Makes events pending again, even settled ones, because processing an event twice changes nothing. Without its time and request, an event
 * causes another read of its customer. They are due in the order in which they came, which the retry job follows.
 */
export const reopenEvents = async (tx: Tx, eventIds: string[]): Promise<void> => {
  if (eventIds.length === 0) return;
  await tx.getRepository(stripeEventEntity).update(
    { eventId: In(eventIds) },
    {
      status: 'pending',
      createdAt: null,
      requestId: null,
      // The clock of the process that stored it may be ahead.
      dueAt: () => 'LEAST(received_at, NOW(3))',
    },
  );
};

const IN_ANY_STATE = oneOf('pending', 'done', 'ignored', 'failed');

const PAYMENT_EVENTS_MAX = 50;

/**
 * The events of a customer about these objects, or about a charge among them, the newest first. Raw SQL for the stored part of their payload, of
 * the customer's events, which the index finds.
 */
export const listEventsAbout = (tx: Tx, customerId: string, objectIds: readonly string[]) =>
  selectRows(
    tx,
    { eventId: text, type: text, status: IN_ANY_STATE, receivedAt: instant },
    {
      sql: `SELECT event_id AS eventId, type, status, received_at AS receivedAt FROM stripe_events
        WHERE customer_id = ? AND (JSON_VALUE(payload, '$.data.object.id') IN (?) OR JSON_VALUE(payload, '$.data.object.charge') IN (?))
        ORDER BY received_at DESC, event_id DESC LIMIT ?`,
      values: [customerId, objectIds, objectIds, PAYMENT_EVENTS_MAX],
    },
  );

// What the System screen shows of the events, and has handled again.

export type ShownEvent = Pick<
  StripeEventRow,
  'eventId' | 'type' | 'status' | 'customerId' | 'attempts' | 'lastError' | 'receivedAt'
>;

const SHOWN_EVENT = {
  eventId: text,
  type: text,
  status: IN_ANY_STATE,
  customerId: nullable(text),
  attempts: integer,
  lastError: nullable(text),
  receivedAt: instant,
};
const SHOWN_COLUMNS = sql`event_id AS eventId, type, status, customer_id AS customerId, attempts,
  last_error AS lastError, received_at AS receivedAt`;

/** The events in a state, newest first. Raw SQL for FORCE: without it, MariaDB reads from the newest event in the state on. */
export const listEventsInState = (
  tx: Tx,
  { state, before, limit = SYSTEM_PAGE }: StripeEventQuery,
): Promise<ShownEvent[]> => {
  const { at, key: id } = boundOf(before === undefined ? null : positionOf(before), '');
  return selectRows(
    tx,
    SHOWN_EVENT,
    sql`SELECT ${SHOWN_COLUMNS} FROM stripe_events FORCE INDEX (stripe_events_received)
        WHERE status = ${state} AND ${isOlder(sql`received_at`, sql`event_id`, { at, id })}
        ORDER BY received_at DESC, event_id DESC LIMIT ${limit}`,
  );
};

export const findEvent = (tx: Tx, eventId: string): Promise<(ShownEvent & { payload: string }) | null> =>
  selectRow(
    tx,
    { ...SHOWN_EVENT, payload: text },
    sql`SELECT ${SHOWN_COLUMNS}, payload FROM stripe_events WHERE event_id = ${eventId}`,
  );

const ALL_STATES: readonly StripeEventState[] = ['failed', 'pending', 'done', 'ignored'];

/** How many events were received since then, and how many of them are handled. Raw SQL, because both are counted in one pass of the index. */
export const countEventsSince = async (
  tx: Tx,
  since: Date,
): Promise<{ received: number; handled: number }> => {
  const sql = `SELECT COUNT(*) AS received, COUNT(IF(status IN ('done', 'ignored'), 1, NULL)) AS handled
    FROM stripe_events WHERE status IN (?) AND received_at >= ?`;
  const row = await selectRow(
    tx,
    { received: integer, handled: integer },
    { sql, values: [ALL_STATES, since] },
  );
  return row ?? { received: 0, handled: 0 };
};

const OLDEST_FIRST = { receivedAt: 'ASC', eventId: 'ASC' } as const;

/** The failed events, oldest first. */
export const listFailedIds = async (tx: Tx, limit: number): Promise<string[]> => {
  const rows = await tx
    .getRepository(stripeEventEntity)
    .find({ select: { eventId: true }, where: { status: 'failed' }, order: OLDEST_FIRST, take: limit });
  return rows.map(({ eventId }) => eventId);
};

/** The events of a customer that failed, up to a time, oldest first. */
export const listFailedIdsUntil = async (tx: Tx, customerId: string, until: Date): Promise<string[]> => {
  const rows = await tx.getRepository(stripeEventEntity).find({
    select: { eventId: true },
    where: { customerId, status: 'failed', receivedAt: LessThanOrEqual(until) },
    order: OLDEST_FIRST,
  });
  return rows.map(({ eventId }) => eventId);
};
