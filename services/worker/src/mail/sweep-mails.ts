import type { Clock } from '@shortlist/kit/process/clock';
import type { Db } from '@shortlist/kit/data/db';
import type { JobQueue } from '@shortlist/kit/messaging/jobs';
import { listStuckMails, listWaitingMails, settleMail } from './queries.ts';

export const SEND_JOB = 'mail.send';
export type MailJob = { mailId: string };

/** Longer than a sending can take: looking up the recipient, three times at most, then the provider, each with its own time limit. */
const STUCK_SECONDS = 15;
/** Whoever frees a mail may die before the nudge, so this is short. It is longer after each try. */
const WAITING_SECONDS = 5;

/** Makes jobs anew for mails whose jobs were lost, and frees those whose sender died. The table is the truth, the queue only a nudge. */
export const sweepMails = async ({
  db,
  clock,
  queue,
}: {
  db: Db;
  clock: Clock;
  queue: JobQueue<MailJob>;
}): Promise<void> => {
  const send = (mailId: string): Promise<void> =>
    queue.add(SEND_JOB, { mailId }, { id: `${mailId}-${clock().getTime()}` });
  for (const stuck of await listStuckMails(db.manager, STUCK_SECONDS)) {
    const error = 'its sender ended before the provider answered';
    const status = stuck.uncertain ? 'failed' : 'pending';
    const isOurs = await settleMail(db.manager, stuck, { status, uncertain: true, error });
    if (isOurs && status === 'pending') await send(stuck.id);
  }
  for (const mailId of await listWaitingMails(db.manager, WAITING_SECONDS)) await send(mailId);
};
