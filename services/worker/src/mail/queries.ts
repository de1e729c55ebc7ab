import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { Tx } from '@shortlist/kit/data/db';
import { change, flag, integer, selectRow, selectRows, text } from '@shortlist/kit/data/sql';
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
    redactedAt: { name: 'redacted_at', type: 'datetime', precision: 3, nullable: true },
  },
});

// The times at which a mail was created and last changed are the database's time, the one clock that all senders share.

type NewMail = Pick<MailRow, 'id' | 'template' | 'userId' | 'eventId' | 'data'>;

const NOW = (): string => 'NOW(3)';

export const insertMail = async (tx: Tx, mail: NewMail): Promise<void> => {
  await tx
    .createQueryBuilder()
    .insert()
    .into(mailEntity)
    .values({ ...mail, status: 'pending', createdAt: NOW, changedAt: NOW })
    .updateEntity(false)
    .execute();
};

/**
 * Stores the mail that an event causes and returns its id, which also becomes the id of its job. The recipient is the event's user,
 * unless `userId` names another.
 */
export const createMail = async <Name extends Template>(
  tx: Tx,
  event: CloudEvent<unknown>,
  { template, data, userId = event.subject }: { template: Name; data: MailData[Name]; userId?: string },
): Promise<string> => {
  const id = uuidv7();
  await insertMail(tx, { id, template, userId, eventId: event.id, data });
  return id;
};

/** How many mails are not sent, and the age of the oldest. Raw: the age is computed from the database's time. */
export const measureUnsent = async (tx: Tx): Promise<{ count: number; oldestSeconds: number }> => {
  const sql = `SELECT COUNT(*) AS count, COALESCE(TIMESTAMPDIFF(SECOND, MIN(created_at), NOW(3)), 0) AS oldestSeconds
    FROM mails WHERE status IN ('pending', 'sending')`;
  const row = await selectRow(tx, { count: integer, oldestSeconds: integer }, { sql });
  return row ?? { count: 0, oldestSeconds: 0 };
};

// Grows with each attempt, to an hour at most, so that an outage of the provider causes no busy loop. The queue's own delays grow
// faster; this one is for a mail whose job was lost, possibly after some attempts.
const BACK_OFF = 'LEAST(3600, ? * (1 + attempts))';

/** Pending mails unchanged for `waitSeconds`, times one more for each attempt. Raw: the condition uses the database's time. */
export const listWaitingMails = async (tx: Tx, waitSeconds: number): Promise<string[]> => {
  const rows = await selectRows(
    tx,
    { id: text },
    {
      sql: `SELECT id FROM mails WHERE status = 'pending' AND changed_at <= DATE_SUB(NOW(3), INTERVAL ${BACK_OFF} SECOND)
            ORDER BY created_at LIMIT 500`,
      values: [waitSeconds],
    },
  );
  return rows.map(({ id }) => id);
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
export type ClaimedMail = Attempt & Pick<MailRow, 'template' | 'userId' | 'data'> & { ageSeconds: number };

/** Raw: the age is computed from the database's time. */
const findAgeSeconds = async (tx: Tx, id: string): Promise<number> => {
  const row = await selectRow(
    tx,
    { ageSeconds: integer },
    {
      sql: 'SELECT TIMESTAMPDIFF(SECOND, created_at, NOW(3)) AS ageSeconds FROM mails WHERE id = ?',
      values: [id],
    },
  );
  return row?.ageSeconds ?? 0;
};

/** Claims a pending mail for one sender; returns null when another sender claimed it or it is settled. */
export const claimMail = async (tx: Tx, id: string): Promise<ClaimedMail | null> => {
  const repository = tx.getRepository(mailEntity);
  const { affected } = await repository.update(
    { id, status: 'pending' },
    { status: 'sending', attempts: () => 'attempts + 1', changedAt: NOW },
  );
  if (affected === 0) return null;
  const [mail, ageSeconds] = await Promise.all([repository.findOneBy({ id }), findAgeSeconds(tx, id)]);
  return mail && { ...mail, ageSeconds };
};

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
      ...(uncertain ? { uncertain: true } : {}), // once uncertain, a mail stays so
      // The event of a mail to a deleted user may have been consumed after the deletion.
      ...(status === 'skipped' ? { data: {}, redactedAt: NOW } : {}),
    },
  );
  return affected === 1;
};

/** Mails whose sender died before it recorded a result. Raw: the condition uses the database's time. */
export const listStuckMails = async (tx: Tx, seconds: number): Promise<Attempt[]> => {
  const rows = await selectRows(
    tx,
    { id: text, attempts: integer, uncertain: flag },
    {
      sql: `SELECT id, attempts, uncertain FROM mails
            WHERE status = 'sending' AND changed_at < NOW(3) - INTERVAL ? SECOND LIMIT 500`,
      values: [seconds],
    },
  );
  return rows.map((row) => ({ ...row, uncertain: row.uncertain === 1 }));
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
