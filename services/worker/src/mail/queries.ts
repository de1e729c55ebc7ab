import { createHash } from 'node:crypto';
import type { MailCounts } from '@shortlist/contracts/api/system';
import { hours, seconds } from '@shortlist/contracts/durations';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import * as column from '@shortlist/kit/data/columns';
import { type Db, inTransaction, type Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertRows } from '@shortlist/kit/data/insert';
import { boundOf, type Position } from '@shortlist/kit/data/newest-first';
import {
  change,
  flag,
  instant,
  integer,
  isOlder,
  nullable,
  selectRow,
  selectRows,
  sql,
  text,
} from '@shortlist/kit/data/sql';
import { currentTraceparent } from '@shortlist/kit/process/trace';
import { In, MoreThan } from 'typeorm';
import { isDeleted } from '../erase-user.ts';
import {
  DELIVERY_STATES,
  type DeliveryState,
  MAIL_STATUSES,
  type MailStatus,
  weakerThan,
} from './delivery.rules.ts';
import type { MailData, Template } from './mail-data.ts';
import { withTexts } from './mail-text-queries.ts';
import { TEMPLATE_NAMES } from './templates.ts';

/**
 * One email. `uncertain`: the provider may have accepted it although its response was lost. `undeliverable`: not sent, because the address is
 * suppressed.
 */
export const mailEntity = defineEntity('mail', 'mails', {
  id: { ...column.uuid, primary: true },
  template: column.varchar<Template>(40),
  userId: column.uuid,
  eventId: column.uuid,
  data: column.json<Record<string, string>>(),
  status: column.enumOf(MAIL_STATUSES),
  /** The state according to the provider's events; null before the first. */
  delivery: column.nullable(column.enumOf(DELIVERY_STATES)),
  uncertain: { ...column.boolean, default: false },
  attempts: { ...column.int, default: 0 },
  lastError: column.nullable(column.varchar(500)),
  createdAt: column.dateTime,
  changedAt: column.dateTime,
  /** When a pending email is due. */
  nextTryAt: column.dateTime,
  /** The trace that caused the email. */
  traceparent: column.nullable(column.char(55)),
  /** When `data` was removed because the user was deleted. */
  redactedAt: column.nullable(column.dateTime),
});
export type MailRow = RowOf<typeof mailEntity>;

// The times of an email are the database's time, the clock that all senders share.

type MailKey = Pick<MailRow, 'template' | 'userId' | 'eventId'>;
type NewMail = MailKey & Pick<MailRow, 'id' | 'data'>;

const NOW = (): string => 'NOW(3)';

/**
 * The id of an email that an event or a deletion causes: in the order of their ids, and the same when it is stored again after a restore of this
 * database, so that the provider's events about it still match.
 */
export const mailIdOf = ({ template, userId, eventId }: MailKey): string => {
  const hash = createHash('sha256').update(`${template} ${userId} ${eventId}`).digest('hex');
  return `${eventId.slice(0, 24)}${hash.slice(0, 12)}`;
};

/** The inbox of events whose emails went out before this database was set back. */
export const MAILED = 'mailed';

const wasMailed = (eventId: string) =>
  sql`EXISTS (SELECT 1 FROM inbox i WHERE i.consumer = ${MAILED} AND i.event_id = ${eventId})`;

/** Stores an email that is due. One to a deleted user is skipped, without its content, as is one that went out before a restore. */
export const insertMail = async (tx: Tx, mail: NewMail): Promise<void> => {
  await insertRows(tx, mailEntity, {
    ...mail,
    status: 'pending',
    createdAt: NOW,
    changedAt: NOW,
    nextTryAt: NOW,
    traceparent: currentTraceparent(),
  });
  const { id, userId, eventId } = mail;
  const skipping = sql`UPDATE mails SET status = 'skipped', data = '{}', redacted_at = NOW(3)
    WHERE id = ${id} AND (${isDeleted(userId)} OR ${wasMailed(eventId)})`;
  await change(tx, skipping);
};

/** Stores the email that an event causes. The recipient is the event's user, unless `userId` names another. */
export const createMail = async <Name extends Template>(
  tx: Tx,
  event: CloudEvent<unknown>,
  { template, data, userId = event.subject }: { template: Name; data: MailData[Name]; userId?: string },
): Promise<void> => {
  const key = { template, userId, eventId: event.id };
  return insertMail(tx, { ...key, id: mailIdOf(key), data });
};

/** The number of unsent emails and the age of the oldest. Raw SQL, because the age uses the database's time. */
export const measureUnsent = async (tx: Tx): Promise<{ count: number; oldestSeconds: number }> => {
  const sql = `SELECT COUNT(*) AS count, COALESCE(TIMESTAMPDIFF(SECOND, MIN(created_at), NOW(3)), 0) AS oldestSeconds
    FROM mails WHERE status IN ('pending', 'sending')`;
  const row = await selectRow(tx, { count: integer, oldestSeconds: integer }, { sql });
  return row ?? { count: 0, oldestSeconds: 0 };
};

const mailCounts = {
  template: text,
  sent: integer,
  waiting: integer,
  notDelivered: integer,
  lastAt: nullable(instant),
};

/**
 * The emails of each template: those of the last 24 hours, and all that wait. Raw SQL, because each part reads another index, and the time is
 * the database's.
 */
export const countMailsByTemplate = async (tx: Tx): Promise<MailCounts[]> => {
  const sql = `SELECT template, CAST(SUM(sent) AS SIGNED) AS sent, CAST(SUM(waiting) AS SIGNED) AS waiting,
      CAST(SUM(not_delivered) AS SIGNED) AS notDelivered, MAX(last_at) AS lastAt
    FROM (
      SELECT template, COUNT(IF(status = 'sent', 1, NULL)) AS sent, 0 AS waiting,
        COUNT(IF(status IN ('failed', 'undeliverable') OR delivery IN ('blocked', 'dropped', 'bounced'), 1, NULL))
          AS not_delivered,
        MAX(created_at) AS last_at
      FROM mails WHERE created_at >= NOW(3) - INTERVAL 1 DAY GROUP BY template
      UNION ALL
      SELECT template, 0, COUNT(*), 0, NULL FROM mails WHERE status IN ('pending', 'sending') GROUP BY template
    ) AS parts GROUP BY template ORDER BY template`;
  const rows = await selectRows(tx, mailCounts, { sql });
  return rows.map(({ lastAt, ...counts }) => ({ ...counts, lastAt: lastAt?.toISOString() ?? null }));
};

export const findMailOf = (tx: Tx, { userId, template, eventId }: MailKey): Promise<MailRow | null> =>
  tx.getRepository(mailEntity).findOneBy({ userId, template, eventId });

const PAGE = 500;

/** The emails to a user by id, after the id `after`. */
export const listMailsOf = async (tx: Tx, userId: string, after: string): Promise<MailRow[]> => {
  const where = { userId, id: MoreThan(after) };
  const order = { id: 'ASC' } as const;
  return withTexts(tx, await tx.getRepository(mailEntity).find({ where, order, take: PAGE }));
};

/** Before the ids of emails in the timeline. */
export const TIMELINE_PREFIX = 'email:';

/** The newest emails to a user, in pages. */
export const listNewestMails = async (
  tx: Tx,
  { userId, position, limit }: { userId: string; position: Position; limit: number },
): Promise<MailRow[]> => {
  const { at, key: id } = boundOf(position, TIMELINE_PREFIX);
  // Without FORCE, MariaDB reads the emails that are newer than the page too.
  const page = await selectRows(
    tx,
    { id: text },
    sql`SELECT id FROM mails FORCE INDEX (mails_user_times)
        WHERE user_id = ${userId} AND ${isOlder(sql`created_at`, sql`id`, { at, id })}
        ORDER BY created_at DESC, id DESC LIMIT ${limit}`,
  );
  if (page.length === 0) return [];
  const mails = await tx.getRepository(mailEntity).find({
    where: { id: In(page.map((mail) => mail.id)) },
    order: { createdAt: 'DESC', id: 'DESC' },
  });
  return withTexts(tx, mails);
};

// Sending attempts: one sender at a time owns an email.

/** One attempt to send an email. Each claim increments `attempts`, so that a sender whose email was claimed again can no longer settle it. */
export type Attempt = Pick<MailRow, 'id' | 'attempts' | 'uncertain'>;
export type ClaimedMail = Attempt &
  Pick<MailRow, 'template' | 'userId' | 'data' | 'traceparent'> & { ageSeconds: number };

const dueMail = {
  id: text,
  template: text,
  userId: text,
  data: text,
  uncertain: flag,
  attempts: integer,
  traceparent: nullable(text),
  ageSeconds: integer,
};

/** Emails that a sender claims at once. */
const CLAIMED_AT_ONCE = 20;

/**
 * Claims the emails that have been due longest, one to each user, whose next one follows it. Concurrent senders claim different ones. An
 * uncertain email is claimed alone: the end of a process costs it its last attempt, which no other email may cause. An email of a newer release,
 * whose template is unknown here, is left to that release. `hasMore`: whether others were due. Raw SQL, because due time and age use the
 * database's time.
 */
export const claimMails = (db: Db): Promise<{ mails: ClaimedMail[]; hasMore: boolean }> =>
  inTransaction(db, async (tx) => {
    const due = await selectRows(tx, dueMail, {
      sql: `SELECT id, template, user_id AS userId, data, uncertain, attempts, traceparent,
              TIMESTAMPDIFF(SECOND, created_at, NOW(3)) AS ageSeconds
            FROM mails WHERE status = 'pending' AND next_try_at <= NOW(3) AND template IN (${TEMPLATE_NAMES.map(() => '?').join(', ')})
            ORDER BY next_try_at, id LIMIT ? FOR UPDATE SKIP LOCKED`,
      values: [...TEMPLATE_NAMES, CLAIMED_AT_ONCE + 1],
    });
    const certain = due.slice(0, CLAIMED_AT_ONCE).filter(({ uncertain }) => uncertain === 0);
    const isFirst = ({ id, userId }: { id: string; userId: string }): boolean =>
      certain.find((mail) => mail.userId === userId)?.id === id;
    const claimed = due[0]?.uncertain === 1 ? due.slice(0, 1) : certain.filter(isFirst);
    if (claimed.length === 0) return { mails: [], hasMore: false };
    await tx
      .getRepository(mailEntity)
      .update(
        { id: In(claimed.map(({ id }) => id)) },
        { status: 'sending', attempts: () => 'attempts + 1', changedAt: NOW },
      );
    const mails = claimed.map((row) => ({
      ...row,
      template: row.template as Template, // as written by `insertMail`
      data: JSON.parse(row.data) as MailRow['data'],
      uncertain: row.uncertain === 1,
      attempts: row.attempts + 1,
    }));
    return { mails: await withTexts(tx, mails), hasMore: due.length > claimed.length };
  });

/**
 * The pause after an attempt: twice as long each time, later five seconds longer, an hour at most. It avoids a busy loop while the provider is
 * down, and long delays after a short outage.
 */
const pauseAfter = (attempts: number): number =>
  Math.min(250 * 2 ** attempts, seconds(5) * (1 + attempts), hours(1));

export type Settlement = {
  status: Exclude<MailStatus, 'sending'>;
  uncertain?: boolean;
  error?: string;
  /** Whether the content is removed. */
  isRedacted?: boolean;
};

/** SQL of the status of an email whose sender knows no better than `status`: one that the provider reports is sent, even if its response was lost. */
const unlessReported = (status: string): string => `IF(delivery IS NULL, ${status}, 'sent')`;

/** Records the same result of these emails, all in the attempt of this number, except for those that were claimed again in the meantime. */
export const settleMails = async (
  tx: Tx,
  { ids, attempts }: { ids: string[]; attempts: number },
  { status, uncertain = false, error, isRedacted = false }: Settlement,
): Promise<void> => {
  await tx.getRepository(mailEntity).update(
    { id: In(ids), attempts, status: 'sending' },
    {
      status: () => unlessReported(`'${status}'`),
      lastError: error?.slice(0, 500) ?? null,
      changedAt: NOW,
      ...(status === 'pending'
        ? { nextTryAt: () => `NOW(3) + INTERVAL ${pauseAfter(attempts) * 1_000} MICROSECOND` }
        : {}),
      ...(uncertain ? { uncertain: true } : {}), // once uncertain, always uncertain
      // An email may have been created after the deletion of its user.
      ...(isRedacted ? { data: {}, redactedAt: NOW } : {}),
    },
  );
};

/**
 * Makes emails due again whose sender died before it recorded a result. The provider may have accepted them, so each is sent only once more.
 * Raw SQL, because the condition uses the database's time, and `uncertain` must be assigned after the status that depends on it.
 */
export const releaseStuckMails = async (tx: Tx, afterSeconds: number): Promise<void> => {
  await change(tx, {
    sql: `UPDATE mails SET status = ${unlessReported("IF(uncertain, 'failed', 'pending')")}, uncertain = TRUE, next_try_at = NOW(3), changed_at = NOW(3),
            last_error = 'the sender ended before the provider responded'
          WHERE status = 'sending' AND changed_at < NOW(3) - INTERVAL ? SECOND`,
    values: [afterSeconds],
  });
};

/**
 * Makes the emails due that were waiting when a copy of this database was made. They may have been sent since, so each is sent once more at
 * most, and not at all if the provider reports it first. Returns them.
 */
export const releaseWaitingMails = async (tx: Tx): Promise<MailRow[]> => {
  const waiting = await tx
    .getRepository(mailEntity)
    .find({ where: { status: In(['pending', 'sending']) }, order: { id: 'ASC' } });
  await change(tx, {
    sql: `UPDATE mails SET status = ${unlessReported("IF(uncertain, 'failed', 'pending')")}, uncertain = TRUE, next_try_at = NOW(3), changed_at = NOW(3),
            last_error = 'waiting when the database was copied'
          WHERE status IN ('pending', 'sending')`,
  });
  return waiting;
};

// The delivery states of sent emails.

const hasWeakerState = (state: DeliveryState): { sql: string; values: readonly DeliveryState[] } => {
  const weaker = weakerThan(state);
  const orWeaker = weaker.length === 0 ? '' : ` OR delivery IN (${weaker.map(() => '?').join(', ')})`;
  return { sql: `(delivery IS NULL${orWeaker})`, values: weaker };
};

/**
 * Updates emails to a more conclusive state, and returns how many changed. One that waits to be sent again, or was given up, is known to be sent;
 * one that is being sent becomes so when its sender settles it. Raw SQL: one statement for a batch of events.
 */
export const setDelivery = async (tx: Tx, ids: readonly string[], state: DeliveryState): Promise<number> => {
  const { sql, values } = hasWeakerState(state);
  const { affectedRows } = await change(tx, {
    sql: `UPDATE mails SET delivery = ?, status = IF(status IN ('pending', 'failed'), 'sent', status) WHERE id IN (${ids.map(() => '?').join(', ')}) AND ${sql}`,
    values: [state, ...ids, ...values],
  });
  return affectedRows;
};

/** The user of an email, and whether the user was deleted. Locked until commit, to serialize what is stored with a deletion. */
export const lockRecipient = async (
  tx: Tx,
  id: string,
): Promise<{ userId: string; isRedacted: boolean } | null> => {
  const row = await selectRow(
    tx,
    { userId: text, isRedacted: flag },
    {
      sql: 'SELECT user_id AS userId, redacted_at IS NOT NULL AS isRedacted FROM mails WHERE id = ? FOR UPDATE',
      values: [id],
    },
  );
  return row && { userId: row.userId, isRedacted: row.isRedacted === 1 };
};
