// What admins write to many users: stored once, and named by the email of each user as `textId`.
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity, type RowOf } from '@shortlist/kit/data/entity';
import { insertRows } from '@shortlist/kit/data/insert';
import { In } from 'typeorm';

/** `id`: that of the job that sends it. Kept as long as the emails, which the user's data file and timeline show. */
export const mailTextEntity = defineEntity('mail_text', 'mail_texts', {
  id: { ...column.uuid, primary: true },
  data: column.json<Record<string, string>>(),
  createdAt: column.dateTime,
});

export const insertMailText = async (tx: Tx, row: RowOf<typeof mailTextEntity>): Promise<void> => {
  await insertRows(tx, mailTextEntity, row);
};

/** The emails with the texts that they name. */
export const withTexts = async <Mail extends { data: Record<string, string> }>(
  tx: Tx,
  mails: readonly Mail[],
): Promise<Mail[]> => {
  const ids = [...new Set(mails.flatMap(({ data: { textId } }) => textId ?? []))];
  if (ids.length === 0) return [...mails];
  const rows = await tx.getRepository(mailTextEntity).findBy({ id: In(ids) });
  const texts = new Map(rows.map(({ id, data }) => [id, data]));
  return mails.map((mail) => ({ ...mail, data: texts.get(mail.data['textId'] ?? '') ?? mail.data }));
};
