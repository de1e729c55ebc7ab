// The attempts at a mail: one sender at a time has it.
import type { Tx } from '@shortlist/kit/data/db';
import { flag, integer, selectRow, selectRows, text } from '@shortlist/kit/data/sql';
import { mailEntity, type MailRow, NOW } from './queries.ts';

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
  status: 'pending' | 'sent' | 'failed' | 'skipped';
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
