import { WEBHOOK_EVENTS, type WebhookEndpoint, type WebhookStop } from '@shortlist/contracts/api/webhooks';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertRows } from '@shortlist/kit/data/insert';
import { IsNull, LessThanOrEqual, MoreThan, Not } from 'typeorm';

/** A webhook of a user's own system. The secrets are encrypted (`webhook-secrets.ts`). */
export const webhookEntity = defineEntity('webhook', 'webhooks', {
  id: { ...column.uuid, primary: true },
  userId: column.uuid,
  url: column.varchar(500),
  events: column.listOf(WEBHOOK_EVENTS, 500),
  createdAt: column.dateTime,
  /** When it was created or changed, or got a new secret. */
  changedAt: column.dateTime,
  stop: column.nullable(column.varchar<WebhookStop>(20)),
  failingSince: column.nullable(column.dateTime),
  warnedAt: column.nullable(column.dateTime),
  secret: column.varchar(120),
  keyId: column.char(16),
  previousSecret: column.nullable(column.varchar(120)),
  previousKeyId: column.nullable(column.char(16)),
  previousUntil: column.nullable(column.dateTime),
});
export type WebhookRow = RowOf<typeof webhookEntity>;

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

/** The webhooks with a secret that another key has encrypted, in order. */
export const listWebhooksOfOtherKeys = (
  tx: Tx,
  { keyId, after, limit }: { keyId: string; after: string; limit: number },
): Promise<Ref[]> =>
  repository(tx).find({
    select: { id: true, userId: true },
    where: [
      { id: MoreThan(after), keyId: Not(keyId) },
      { id: MoreThan(after), previousKeyId: Not(keyId) },
    ],
    order: { id: 'ASC' },
    take: limit,
  });

export const insertWebhook = (tx: Tx, row: WebhookRow): Promise<void> => insertRows(tx, webhookEntity, row);

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
