import type { CloudEvent } from '@shortlist/contracts/events/define';
import type { Tx } from '@shortlist/kit/data/db';
import { integer, selectRow, selectRows, text } from '@shortlist/kit/data/sql';
import { EntitySchema, MoreThan, type ValueTransformer } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import type { MailData, Template } from './mail-data.ts';

/** One mail. `uncertain`: the provider may have accepted it although its response was lost. */
export type MailRow = {
  id: string;
  template: Template;
  userId: string;
  eventId: string;
  data: Record<string, string>;
  status: 'pending' | 'sending' | 'sent' | 'failed' | 'skipped';
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
    status: { type: 'enum', enum: ['pending', 'sending', 'sent', 'failed', 'skipped'] },
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

export const NOW = (): string => 'NOW(3)';

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
