import { hours, seconds } from '@shortlist/contracts/durations';
import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { Tx } from '@shortlist/kit/data/db';
import { change, flag, integer, nullable, selectRow, selectRows, text } from '@shortlist/kit/data/sql';
import { currentTraceparent } from '@shortlist/kit/process/trace';
import { EntitySchema, MoreThan, type ValueTransformer } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { DELIVERY_STATES, type DeliveryState, weakerThan } from './delivery.rules.ts';
import type { MailData, Template } from './mail-data.ts';

const STATUSES = ['pending', 'sending', 'sent', 'failed', 'skipped', 'undeliverable'] as const;
type MailStatus = (typeof STATUSES)[number];

/**
 * One mail. `uncertain`: the provider may have accepted it although its response was lost. `undeliverable`: not sent, since an earlier one
 * to the address came back.
 */
export type MailRow = {
  id: string;
  template: Template;
  userId: string;
  eventId: string;
  data: Record<string, string>;
  status: MailStatus;
  /** What the provider's events said; null before the first, and where none arrive. */
  delivery: DeliveryState | null;
  uncertain: boolean;
  attempts: number;
  lastError: string | null;
  createdAt: Date;
  changedAt: Date;
  /** When a pending mail is due. */
  nextTryAt: Date;
  /** The trace of what caused the mail. */
  traceparent: string | null;
  /** When `data` was removed, because the user was deleted. */
  redactedAt: Date | null;
};

const json: ValueTransformer = {
  to: (value: unknown) => (value === undefined ? value : JSON.stringify(value)),
  from: (text: string) => JSON.parse(text) as unknown,
};

export const mailEntity = new EntitySchema<MailRow>({
  name: 'mail',
  tableName: 'mails',
  columns: {
    id: { type: 'char', length: 36, primary: true },
    template: { type: 'varchar', length: 40 },
    userId: { name: 'user_id', type: 'char', length: 36 },
    eventId: { name: 'event_id', type: 'char', length: 36 },
    data: { type: 'text', transformer: json },
    status: { type: 'enum', enum: [...STATUSES] },
    delivery: { type: 'enum', enum: [...DELIVERY_STATES], nullable: true },
    uncertain: { type: 'boolean', default: false },
    attempts: { type: 'int', default: 0 },
    lastError: { name: 'last_error', type: 'varchar', length: 500, nullable: true },
    createdAt: { name: 'created_at', type: 'datetime', precision: 3 },
    changedAt: { name: 'changed_at', type: 'datetime', precision: 3 },
    nextTryAt: { name: 'next_try_at', type: 'datetime', precision: 3 },
    traceparent: { type: 'char', length: 55, nullable: true },
    redactedAt: { name: 'redacted_at', type: 'datetime', precision: 3, nullable: true },
  },
});

// The times of a mail are the database's time, the one clock that all senders share.

type NewMail = Pick<MailRow, 'id' | 'template' | 'userId' | 'eventId' | 'data'>;

const NOW = (): string => 'NOW(3)';

export const insertMail = async (tx: Tx, mail: NewMail): Promise<void> => {
  await tx
    .createQueryBuilder()
    .insert()
    .into(mailEntity)
    .values({
      ...mail,
      status: 'pending',
      createdAt: NOW,
      changedAt: NOW,
      nextTryAt: NOW,
      traceparent: currentTraceparent(),
    })
    .updateEntity(false)
    .execute();
};

/** Stores the mail that an event causes. The recipient is the event's user, unless `userId` names another. */
export const createMail = async <Name extends Template>(
  tx: Tx,
  event: CloudEvent<unknown>,
  { template, data, userId = event.subject }: { template: Name; data: MailData[Name]; userId?: string },
): Promise<void> => insertMail(tx, { id: uuidv7(), template, userId, eventId: event.id, data });

/** How many mails are not sent, and the age of the oldest. Raw: the age is computed from the database's time. */
export const measureUnsent = async (tx: Tx): Promise<{ count: number; oldestSeconds: number }> => {
  const sql = `SELECT COUNT(*) AS count, COALESCE(TIMESTAMPDIFF(SECOND, MIN(created_at), NOW(3)), 0) AS oldestSeconds
    FROM mails WHERE status IN ('pending', 'sending')`;
  const row = await selectRow(tx, { count: integer, oldestSeconds: integer }, { sql });
  return row ?? { count: 0, oldestSeconds: 0 };
};

export const findMailOf = (
  tx: Tx,
  { userId, template, eventId }: Pick<MailRow, 'userId' | 'template' | 'eventId'>,
): Promise<MailRow | null> => tx.getRepository(mailEntity).findOneBy({ userId, template, eventId });

const PAGE = 500;

/** The mails to a user by id, after the one with the id `after`. */
export const listMailsOf = (tx: Tx, userId: string, after: string): Promise<MailRow[]> =>
  tx
    .getRepository(mailEntity)
    .find({ where: { userId, id: MoreThan(after) }, order: { id: 'ASC' }, take: PAGE });

// The attempts at a mail: one sender at a time has it.

/** One attempt at a mail. Each claim increments `attempts`: a sender whose mail was claimed again can no longer settle it. */
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

/**
 * Claims the mail that has been due for longest, or returns null. Of several senders that read the same row, the UPDATE lets one have it,
 * and the others read on. `hasMore`: whether another mail was due. Raw: due and age are computed from the database's time.
 */
export const claimMail = async (tx: Tx): Promise<{ mail: ClaimedMail; hasMore: boolean } | null> => {
  for (;;) {
    const [row, next] = await selectRows(tx, dueMail, {
      sql: `SELECT id, template, user_id AS userId, data, uncertain, attempts, traceparent,
              TIMESTAMPDIFF(SECOND, created_at, NOW(3)) AS ageSeconds
            FROM mails WHERE status = 'pending' AND next_try_at <= NOW(3) ORDER BY next_try_at LIMIT 2`,
    });
    if (row === undefined) return null;
    const { id, attempts } = row;
    const { affected } = await tx
      .getRepository(mailEntity)
      .update(
        { id, attempts, status: 'pending' },
        { status: 'sending', attempts: attempts + 1, changedAt: NOW },
      );
    if (affected === 0) continue;
    const stored = {
      template: row.template as Template, // what `insertMail` wrote
      data: JSON.parse(row.data) as MailRow['data'],
      uncertain: row.uncertain === 1,
    };
    return { mail: { ...row, ...stored, attempts: attempts + 1 }, hasMore: next !== undefined };
  }
};

/**
 * The pause after an attempt: twice as long each time, later five seconds longer, an hour at most. An outage of the provider causes no
 * busy loop, and a short one holds no mail up for long.
 */
const pauseAfter = (attempts: number): number =>
  Math.min(250 * 2 ** attempts, seconds(5) * (1 + attempts), hours(1));

type Settlement = {
  status: Exclude<MailStatus, 'sending'>;
  uncertain?: boolean;
  error?: string;
};

/** Records the result of an attempt. Returns false, and changes nothing, when the mail was claimed again meanwhile. */
export const settleMail = async (
  tx: Tx,
  { id, attempts }: Pick<Attempt, 'id' | 'attempts'>,
  { status, uncertain = false, error }: Settlement,
): Promise<boolean> => {
  const { affected } = await tx.getRepository(mailEntity).update(
    { id, attempts, status: 'sending' },
    {
      status,
      lastError: error?.slice(0, 500) ?? null,
      changedAt: NOW,
      ...(status === 'pending'
        ? { nextTryAt: () => `NOW(3) + INTERVAL ${pauseAfter(attempts) * 1_000} MICROSECOND` }
        : {}),
      ...(uncertain ? { uncertain: true } : {}), // once uncertain, a mail stays so
      // The event of a mail to a deleted user may have been consumed after the deletion.
      ...(status === 'skipped' ? { data: {}, redactedAt: NOW } : {}),
    },
  );
  return affected === 1;
};

/**
 * Makes the mails due again whose sender died before it recorded a result. The provider may have accepted them: each is sent once more and
 * not again. Raw: the condition uses the database's time; `uncertain` is assigned after the status that depends on it.
 */
export const releaseStuckMails = async (tx: Tx, afterSeconds: number): Promise<void> => {
  await change(tx, {
    sql: `UPDATE mails SET status = IF(uncertain, 'failed', 'pending'), uncertain = TRUE, next_try_at = NOW(3), changed_at = NOW(3),
            last_error = 'the sender ended before the provider responded'
          WHERE status = 'sending' AND changed_at < NOW(3) - INTERVAL ? SECOND`,
    values: [afterSeconds],
  });
};

// What became of a mail after it was sent, by the provider's events.

const hasWeakerState = (state: DeliveryState): { sql: string; values: readonly DeliveryState[] } => {
  const weaker = weakerThan(state);
  const orWeaker = weaker.length === 0 ? '' : ` OR delivery IN (${weaker.map(() => '?').join(', ')})`;
  return { sql: `(delivery IS NULL${orWeaker})`, values: weaker };
};

/** Gives mails a state that says more than theirs, and returns how many took it. Raw: one statement for a batch of events. */
export const setDelivery = async (tx: Tx, ids: readonly string[], state: DeliveryState): Promise<number> => {
  const { sql, values } = hasWeakerState(state);
  const { affectedRows } = await change(tx, {
    sql: `UPDATE mails SET delivery = ? WHERE id IN (${ids.map(() => '?').join(', ')}) AND ${sql}`,
    values: [state, ...ids, ...values],
  });
  return affectedRows;
};

/** The user of a mail, and whether the user was deleted. Locked until commit, so that a deletion comes before or after what is stored. */
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
