import { affectedRows, type Tx } from '@shortlist/kit/data/db';
import type { Template } from './templates.ts';

// When a mail was asked for and last touched decides what becomes of it, so both are in the database's time, the one clock that
// all senders share.

/** One try at a mail. Each claim counts `attempts` up, so that whoever was overtaken no longer has a say. */
export type Try = { id: string; attempts: number; uncertain: boolean };
export type MailRow = Try & {
  template: Template;
  userId: string;
  data: Record<string, string>;
  ageSeconds: number;
};
export type NewMail = {
  id: string;
  template: Template;
  userId: string;
  eventId: string;
  data: Record<string, string>;
};

export const insertMail = async (tx: Tx, mail: NewMail): Promise<void> => {
  await tx.query(
    `INSERT INTO mails (id, template, user_id, event_id, data, status, created_at, changed_at)
     VALUES (?, ?, ?, ?, ?, 'pending', NOW(3), NOW(3))`,
    [mail.id, mail.template, mail.userId, mail.eventId, JSON.stringify(mail.data)],
  );
};

/** Claims a waiting mail for one sender; null when another has it or it is done. */
export const claimMail = async (tx: Tx, id: string): Promise<MailRow | null> => {
  const claimed: unknown = await tx.query(
    "UPDATE mails SET status = 'sending', attempts = attempts + 1, changed_at = NOW(3) WHERE id = ? AND status = 'pending'",
    [id],
  );
  if (affectedRows(claimed) === 0) return null;
  const rows: (Omit<MailRow, 'data' | 'uncertain'> & { data: string; uncertain: number })[] = await tx.query(
    `SELECT id, attempts, template, user_id AS userId, data, uncertain,
       TIMESTAMPDIFF(SECOND, created_at, NOW(3)) AS ageSeconds FROM mails WHERE id = ?`,
    [id],
  );
  const [row] = rows;
  return row
    ? { ...row, data: JSON.parse(row.data) as Record<string, string>, uncertain: row.uncertain === 1 }
    : null;
};

type Settled = {
  status: 'pending' | 'sent' | 'failed' | 'skipped';
  uncertain?: boolean;
  error?: string;
};

/** Says how a try went. Answers false when another has taken the mail over since: then nothing changes. */
export const settleMail = async (
  tx: Tx,
  { id, attempts }: Try,
  { status, uncertain, error }: Settled,
): Promise<boolean> => {
  const settled: unknown = await tx.query(
    `UPDATE mails SET status = ?, uncertain = uncertain OR ?, last_error = ?, changed_at = NOW(3)
     WHERE id = ? AND status = 'sending' AND attempts = ?`,
    [status, uncertain ?? false, error?.slice(0, 500) ?? null, id, attempts],
  );
  return affectedRows(settled) === 1;
};

/** Mails whose sender died before it could say how it went. */
export const listStuckMails = async (tx: Tx, seconds: number): Promise<Try[]> => {
  const rows: (Omit<Try, 'uncertain'> & { uncertain: number })[] = await tx.query(
    "SELECT id, attempts, uncertain FROM mails WHERE status = 'sending' AND changed_at < NOW(3) - INTERVAL ? SECOND LIMIT 500",
    [seconds],
  );
  return rows.map((row) => ({ ...row, uncertain: row.uncertain === 1 }));
};

// Longer after each try, an hour at most: an outage of the provider's is not met with a busy loop. The queue's own pauses
// grow faster; this is for a mail whose job was lost, which may have been tried some times by then.
const BACK_OFF = 'LEAST(3600, ? * (1 + attempts))';

/** Mails that wait and that nobody has looked at for `waitSeconds`, and for as long again for each try. */
export const listWaitingMails = async (tx: Tx, waitSeconds: number): Promise<string[]> => {
  const rows: { id: string }[] = await tx.query(
    `SELECT id FROM mails WHERE status = 'pending' AND changed_at <= DATE_SUB(NOW(3), INTERVAL ${BACK_OFF} SECOND)
     ORDER BY created_at LIMIT 500`,
    [waitSeconds],
  );
  return rows.map(({ id }) => id);
};
