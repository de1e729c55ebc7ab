import {
  WEBHOOK_EVENTS,
  type WebhookEndpoint,
  type WebhookEvent,
  type WebhookStop,
} from '@shortlist/contracts/api/webhooks';
import type { Tx } from '@shortlist/kit/data/db';
import { EntitySchema, IsNull, LessThanOrEqual, type ValueTransformer } from 'typeorm';

/** A webhook of a user's own system. The secrets are encrypted (`webhook-secrets.ts`). */
export type WebhookRow = {
  id: string;
  userId: string;
  url: string;
  events: WebhookEvent[];
  createdAt: Date;
  /** When it was created or changed, or got a new secret. */
  changedAt: Date;
  stop: WebhookStop | null;
  failingSince: Date | null;
  warnedAt: Date | null;
  secret: string;
  keyId: string;
  previousSecret: string | null;
  previousKeyId: string | null;
  previousUntil: Date | null;
};

/** Separated by commas, in the order of WEBHOOK_EVENTS. An event that this version does not know is not sent. */
const eventList: ValueTransformer = {
  to: (events: unknown) => (Array.isArray(events) ? events.join(',') : events),
  from: (text: string): WebhookEvent[] => WEBHOOK_EVENTS.filter((event) => text.split(',').includes(event)),
};

export const webhookEntity = new EntitySchema<WebhookRow>({
  name: 'webhook',
  tableName: 'webhooks',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    userId: { name: 'user_id', type: 'char', length: 36 },
    url: { type: 'varchar', length: 500 },
    events: { type: 'varchar', length: 500, transformer: eventList },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
    changedAt: { name: 'changed_at', type: 'datetime', precision: 3 },
    stop: { type: 'varchar', length: 20, nullable: true },
    failingSince: { name: 'failing_since', type: 'datetime', precision: 3, nullable: true },
    warnedAt: { name: 'warned_at', type: 'datetime', precision: 3, nullable: true },
    secret: { type: 'varchar', length: 120 },
    keyId: { name: 'key_id', type: 'char', length: 16 },
    previousSecret: { name: 'previous_secret', type: 'varchar', length: 120, nullable: true },
    previousKeyId: { name: 'previous_key_id', type: 'char', length: 16, nullable: true },
    previousUntil: { name: 'previous_until', type: 'datetime', precision: 3, nullable: true },
  },
});

const lock = { mode: 'pessimistic_write' } as const;
const repository = (tx: Tx) => tx.getRepository(webhookEntity);

/** The newest first. */
export const listWebhooks = (tx: Tx, userId: string): Promise<WebhookRow[]> =>
  repository(tx).find({ where: { userId }, order: { id: 'DESC' } });

export const listOn = (tx: Tx, userId: string): Promise<WebhookRow[]> =>
  repository(tx).find({ where: { userId, stop: IsNull() }, order: { id: 'ASC' } });

export const countWebhooks = (tx: Tx, userId: string): Promise<number> => repository(tx).countBy({ userId });

/** Locks a webhook of the user until the end of the transaction. */
export const lockWebhook = (tx: Tx, webhook: Pick<WebhookRow, 'id' | 'userId'>): Promise<WebhookRow | null> =>
  repository(tx).findOne({ where: webhook, lock });

/** Locks the webhooks of the user that are on. */
export const lockOn = (tx: Tx, userId: string): Promise<WebhookRow[]> =>
  repository(tx).find({ where: { userId, stop: IsNull() }, order: { id: 'ASC' }, lock });

export const insertWebhook = async (tx: Tx, row: WebhookRow): Promise<void> => {
  await repository(tx).insert(row);
};

export const updateWebhook = async (tx: Tx, id: string, change: Partial<WebhookRow>): Promise<void> => {
  await repository(tx).update({ id }, change);
};

export const deleteWebhook = async (tx: Tx, id: string): Promise<void> => {
  await repository(tx).delete({ id });
};

type Ref = Pick<WebhookRow, 'id' | 'userId'>;
const refs = { select: { id: true, userId: true }, order: { failingSince: 'ASC' } } as const;

/** Active webhooks that have failed since `since` or longer, without a warning. */
export const listUnwarned = (tx: Tx, since: Date, limit: number): Promise<Ref[]> =>
  repository(tx).find({
    where: { stop: IsNull(), failingSince: LessThanOrEqual(since), warnedAt: IsNull() },
    ...refs,
    take: limit,
  });

/** Active webhooks that have failed since `since` or longer, with a warning at `warnedBy` or before. */
export const listWarned = (
  tx: Tx,
  { since, warnedBy, limit }: { since: Date; warnedBy: Date; limit: number },
): Promise<Ref[]> =>
  repository(tx).find({
    where: { stop: IsNull(), failingSince: LessThanOrEqual(since), warnedAt: LessThanOrEqual(warnedBy) },
    ...refs,
    take: limit,
  });

export const presentWebhook = (row: WebhookRow, now: Date): WebhookEndpoint => ({
  id: row.id,
  url: row.url,
  events: row.events,
  createdAt: row.createdAt.toISOString(),
  stop: row.stop,
  failingSince: row.failingSince?.toISOString() ?? null,
  previousSecretUntil:
    row.previousUntil !== null && row.previousUntil > now ? row.previousUntil.toISOString() : null,
});
