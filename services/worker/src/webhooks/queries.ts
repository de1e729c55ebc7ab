import {
  DELIVERY_STATES,
  type SentEvent,
  type WebhookDelivery,
  type WebhookTry,
} from '@shortlist/contracts/api/webhooks';
import { WEBHOOK_LOG_DAYS, WEBHOOK_LOG_PAGE } from '@shortlist/contracts/limits';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertIfAbsent } from '@shortlist/kit/data/insert';
import { selectRows, sql, text } from '@shortlist/kit/data/sql';
import type { PruneRule } from '@shortlist/kit/messaging/pruning';
import { type FindOptionsWhere, In, IsNull, LessThanOrEqual, MoreThan } from 'typeorm';

/** A message to a user's webhooks. `spreadAt`: when its deliveries were created; null before. */
export const messageEntity = defineEntity('webhook_message', 'webhook_messages', {
  id: { ...column.uuid, primary: true },
  userId: column.uuid,
  event: column.varchar<SentEvent>(40),
  cause: column.varchar(36),
  payload: column.text,
  createdAt: column.dateTime,
  spreadAt: column.nullable(column.dateTime),
});
export type MessageRow = RowOf<typeof messageEntity>;

/** One message to one endpoint. Each claim increments `claims`, so that a sender that was superseded can no longer settle it. */
export const deliveryEntity = defineEntity('webhook_delivery', 'webhook_deliveries', {
  id: { ...column.uuid, primary: true },
  messageId: column.uuid,
  endpointId: column.uuid,
  userId: column.uuid,
  state: column.enumOf(DELIVERY_STATES),
  /** When the next try is due; null unless pending. */
  nextTryAt: column.nullable(column.dateTime),
  /** While a try is in progress: when another sender may take over. */
  takenUntil: column.nullable(column.dateTime),
  claims: { ...column.int, default: 0 },
  tries: column.json<WebhookTry[]>(),
  createdAt: column.dateTime,
});
export type DeliveryRow = RowOf<typeof deliveryEntity>;

/** Messages and their deliveries are kept for a month. */
export const EXPIRED_MESSAGES: readonly PruneRule[] = ['webhook_deliveries', 'webhook_messages'].map(
  (table) => ({
    days: WEBHOOK_LOG_DAYS,
    remove: `DELETE FROM ${table} WHERE created_at < ? ORDER BY created_at LIMIT ?`,
  }),
);

const messages = (tx: Tx) => tx.getRepository(messageEntity);
const deliveries = (tx: Tx) => tx.getRepository(deliveryEntity);

export const findMessage = (tx: Tx, id: string): Promise<MessageRow | null> => messages(tx).findOneBy({ id });

const EXPORT_PAGE = 500;

/** The messages about a user by id, after the id `after`. */
export const listMessagesOf = (tx: Tx, userId: string, after: string): Promise<MessageRow[]> =>
  messages(tx).find({ where: { userId, id: MoreThan(after) }, order: { id: 'ASC' }, take: EXPORT_PAGE });

/** The message, locked, unless its deliveries exist. */
export const lockUnspread = (tx: Tx, id: string): Promise<MessageRow | null> =>
  messages(tx).findOne({ where: { id, spreadAt: IsNull() }, lock: { mode: 'pessimistic_write' } });

export const markSpread = async (tx: Tx, id: string, spreadAt: Date): Promise<void> => {
  await messages(tx).update({ id }, { spreadAt });
};

export const deleteMessage = async (tx: Tx, id: string): Promise<void> => {
  await messages(tx).delete({ id });
};

/** The ids of messages from `before` or earlier without deliveries. */
export const listUnspread = async (tx: Tx, before: Date, limit: number): Promise<string[]> => {
  const rows = await messages(tx).find({
    select: { id: true },
    where: { spreadAt: IsNull(), createdAt: LessThanOrEqual(before) },
    order: { createdAt: 'ASC' },
    take: limit,
  });
  return rows.map(({ id }) => id);
};

type NewDelivery = Pick<DeliveryRow, 'id' | 'messageId' | 'endpointId' | 'userId'>;

export const insertDeliveries = async (tx: Tx, rows: NewDelivery[], now: Date): Promise<void> => {
  const pending = {
    state: 'pending' as const,
    nextTryAt: now,
    takenUntil: null,
    claims: 0,
    tries: [],
    createdAt: now,
  };
  await insertIfAbsent(
    tx,
    deliveryEntity,
    rows.map((row) => ({ ...row, ...pending })),
  );
};

export const findDelivery = (
  tx: Tx,
  delivery: Pick<DeliveryRow, 'id' | 'userId' | 'endpointId'>,
): Promise<DeliveryRow | null> => deliveries(tx).findOneBy(delivery);

/** Deliveries with these values that no sender has claimed at `now`. */
const free = (values: FindOptionsWhere<DeliveryRow>, now: Date): FindOptionsWhere<DeliveryRow>[] => [
  { ...values, takenUntil: IsNull() },
  { ...values, takenUntil: LessThanOrEqual(now) },
];

/** The endpoint's oldest due delivery. */
export const findDue = (tx: Tx, endpointId: string, now: Date): Promise<DeliveryRow | null> =>
  deliveries(tx).findOne({
    where: free({ endpointId, state: 'pending', nextTryAt: LessThanOrEqual(now) }, now),
    order: { nextTryAt: 'ASC', id: 'ASC' },
  });

/** Claims a due delivery for a try, until `takenUntil`. Returns false if another sender claimed or settled it in the meantime. */
export const claimDelivery = async (
  tx: Tx,
  { id, claims }: Pick<DeliveryRow, 'id' | 'claims'>,
  takenUntil: Date,
): Promise<boolean> => {
  const { affected } = await deliveries(tx).update(
    { id, claims, state: 'pending' },
    { claims: claims + 1, takenUntil },
  );
  return affected === 1;
};

type Settlement = Pick<DeliveryRow, 'state' | 'nextTryAt' | 'tries'>;

/** Records the result of a try. Changes nothing if another sender has claimed the delivery. */
export const settleDelivery = async (
  tx: Tx,
  { id, claims }: Pick<DeliveryRow, 'id' | 'claims'>,
  settlement: Settlement,
): Promise<void> => {
  await deliveries(tx).update({ id, claims, state: 'pending' }, { ...settlement, takenUntil: null });
};

/** Makes a delivery due now. Returns false while a try is in progress. */
export const makeDue = async (tx: Tx, id: string, now: Date): Promise<boolean> => {
  const { affected } = await tx
    .createQueryBuilder()
    .update(deliveryEntity)
    .set({ state: 'pending', nextTryAt: now, takenUntil: null })
    .where(free({ id }, now))
    .execute();
  return affected === 1;
};

/** A page of an endpoint's deliveries older than `before` with their messages, newest first. */
export const listDeliveries = async (
  tx: Tx,
  { before, userId, endpointId }: { userId: string; endpointId: string; before?: string },
): Promise<WebhookDelivery[]> => {
  const older = before === undefined ? sql`TRUE` : sql`id < ${before}`;
  // Without FORCE, MariaDB reads the deliveries that are newer than the page too.
  const page = await selectRows(
    tx,
    { id: text },
    sql`SELECT id FROM webhook_deliveries FORCE INDEX (webhook_deliveries_endpoint)
        WHERE endpoint_id = ${endpointId} AND user_id = ${userId} AND ${older} ORDER BY id DESC LIMIT ${WEBHOOK_LOG_PAGE}`,
  );
  const rows = await deliveries(tx).find({
    where: { id: In(page.map(({ id }) => id)) },
    order: { id: 'DESC' },
  });
  const found = await messages(tx).findBy({ id: In(rows.map(({ messageId }) => messageId)) });
  const byId = new Map(found.map((message) => [message.id, message]));
  return rows.flatMap((row) => {
    const message = byId.get(row.messageId);
    return message ? [presentDelivery(row, message)] : [];
  });
};

const presentDelivery = (row: DeliveryRow, { event, payload }: MessageRow): WebhookDelivery => ({
  id: row.id,
  event,
  payload,
  state: row.state,
  createdAt: row.createdAt.toISOString(),
  nextTryAt: row.nextTryAt?.toISOString() ?? null,
  tries: row.tries,
});

/** The endpoints with a due delivery, each once. Raw SQL, because TypeORM's builder has no DISTINCT over two columns. */
export const listDueEndpoints = (
  tx: Tx,
  now: Date,
  limit: number,
): Promise<{ endpointId: string; userId: string }[]> =>
  selectRows(
    tx,
    { endpointId: text, userId: text },
    {
      sql: `SELECT DISTINCT endpoint_id AS endpointId, user_id AS userId FROM webhook_deliveries
            WHERE state = 'pending' AND next_try_at <= ? AND (taken_until IS NULL OR taken_until <= ?) LIMIT ?`,
      values: [now, now, limit],
    },
  );
