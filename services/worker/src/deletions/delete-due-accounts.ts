import { privacyEndpoints } from '@shortlist/contracts/api/privacy';
import { days } from '@shortlist/contracts/durations';
import { type Db, inTransaction, isDuplicate } from '@shortlist/kit/data/db';
import { asService, type ServiceClient } from '@shortlist/kit/http/http-client';
import type { Clock } from '@shortlist/kit/process/clock';
import { findMailOf, insertMail, mailIdOf, type MailRow } from '../mail/queries.ts';
import { type Senders, wakeSender } from '../mail/send-mail.ts';

type Parts = Senders & { db: Db; identity: ServiceClient; clock: Clock };
type Due = { userId: string; deletionId: string; dueAt: string };

const CALL = asService({ timeoutMs: 10_000 });
/** How long a deletion waits for its last email, which has no recipient afterwards. */
const MAIL_MS = days(1);

const UNSETTLED: readonly MailRow['status'][] = ['pending', 'sending'];

/** Creates the last email of an account, once per deletion. Returns whether it was sent or given up. */
const sendLastMail = async (parts: Parts, { userId, deletionId }: Due): Promise<boolean> => {
  const { db } = parts;
  const mail = { userId, template: 'account_deleted', eventId: deletionId } as const;
  const existing = await findMailOf(db.manager, mail);
  if (existing !== null) return !UNSETTLED.includes(existing.status);
  try {
    await inTransaction(db, (tx) => insertMail(tx, { ...mail, id: mailIdOf(mail), data: {} }));
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
  await wakeSender(parts);
  return false;
};

/**
 * Makes identity cause due reminders, and deletes the accounts whose time is over, each after its last email was sent. A missed or repeated run
 * makes no difference.
 */
export const advanceDeletions = async (parts: Parts): Promise<void> => {
  const { identity, clock, log } = parts;
  const { data } = await identity(privacyEndpoints.advanceDeletions, {}, CALL);
  for (const due of data) {
    const isMailed = await sendLastMail(parts, due);
    const overdueMs = clock().getTime() - new Date(due.dueAt).getTime();
    if (!isMailed && overdueMs < MAIL_MS) continue;
    await identity(privacyEndpoints.eraseDueUser, { deletionId: due.deletionId }, CALL);
    log.info({ userId: due.userId }, 'account deleted');
  }
};
