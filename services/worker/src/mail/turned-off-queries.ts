// Which emails a user turned off here. Those about credits are a setting of credits.
import type { NewsMails, UnsubscribableKind } from '@shortlist/contracts/api/email';
import * as column from '@shortlist/kit/data/columns';
import type { Tx } from '@shortlist/kit/data/db';
import { defineEntity } from '@shortlist/kit/data/entity';
import { insertIfAbsent } from '@shortlist/kit/data/insert';
import { change, sql } from '@shortlist/kit/data/sql';
import { isDeleted } from '../erase-user.ts';

type StoredKind = Exclude<UnsubscribableKind, 'credits'>;

/** A row for each kind that is off: without one it is on. */
export const turnedOffEntity = defineEntity('turned_off_mail', 'turned_off_mails', {
  userId: { ...column.uuid, primary: true },
  kind: { ...column.varchar<StoredKind>(20), primary: true },
  turnedOffAt: column.dateTime,
});

export const isTurnedOff = (tx: Tx, userId: string, kind: StoredKind): Promise<boolean> =>
  tx.existsBy(turnedOffEntity, { userId, kind });

/** Repeating it has no effect. Of a deleted user nothing is stored. */
export const turnOffMails = async (tx: Tx, userId: string, kind: StoredKind): Promise<void> => {
  await insertIfAbsent(tx, turnedOffEntity, { userId, kind, turnedOffAt: () => 'NOW(3)' });
  await change(tx, sql`DELETE FROM turned_off_mails WHERE user_id = ${userId} AND ${isDeleted(userId)}`);
};

export const setNewsMails = async (
  tx: Tx,
  { userId, enabled }: { userId: string } & NewsMails,
): Promise<NewsMails> => {
  if (enabled) await tx.delete(turnedOffEntity, { userId, kind: 'news' });
  else await turnOffMails(tx, userId, 'news');
  return { enabled };
};
