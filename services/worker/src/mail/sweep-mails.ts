import type { Clock } from '@shortlist/kit/clock';
import type { Db } from '@shortlist/kit/db';
import type { JobQueue } from '@shortlist/kit/jobs';
import { listStuckMails, listWaitingMails, settleMail } from './queries.ts';

export const SEND_JOB = 'mail.send';
export type MailJob = { mailId: string };

const STUCK_MS = 2 * 60_000;
const WAITING_SECONDS = 30;

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
  const now = clock();
  for (const { id, uncertain } of await listStuckMails(db.manager, new Date(now.getTime() - STUCK_MS))) {
    const error = 'its sender ended before the provider answered';
    await settleMail(db.manager, id, {
      status: uncertain ? 'failed' : 'pending',
      uncertain: true,
      error,
      now,
    });
  }
  for (const mailId of await listWaitingMails(db.manager, now, WAITING_SECONDS)) {
    await queue.add(SEND_JOB, { mailId }, { id: `${mailId}-${now.getTime()}` });
  }
};
