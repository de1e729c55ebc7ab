import type { Db } from '@shortlist/kit/data/db';
import type { JobQueue } from '@shortlist/kit/messaging/jobs';
import type { Clock } from '@shortlist/kit/process/clock';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { mailCallSeconds, mails, mailsAge, mailsUnsent } from '../metrics.ts';
import { listStuckMails, listWaitingMails, measureUnsent, settleMail } from './queries.ts';
import { type CountMail, type MailJob, SEND_JOB } from './send-mail.ts';
import type { MailProvider } from './sendgrid.ts';

/** Longer than one attempt can take: the secret, the lookup of the recipient, at most six calls, and the provider, each with its timeout. */
const STUCK_SECONDS = 20;
/** Short, since a process may die between releasing a mail and enqueuing its job. Grows with each attempt. */
const WAITING_SECONDS = 5;

/**
 * Enqueues jobs for mails whose jobs were lost, and releases mails whose sender died. The table decides which mails are sent; the
 * queue only makes it fast.
 */
export const sweepMails = async ({
  db,
  clock,
  queue,
}: {
  db: Db;
  clock: Clock;
  queue: JobQueue<MailJob>;
}): Promise<void> => {
  const enqueue = (mailId: string): Promise<void> =>
    queue.add(SEND_JOB, { mailId }, { id: `${mailId}-${clock().getTime()}` });
  for (const stuck of await listStuckMails(db.manager, STUCK_SECONDS)) {
    const error = 'the sender ended before the provider responded';
    const status = stuck.uncertain ? 'failed' : 'pending';
    const isReleased = await settleMail(db.manager, stuck, { status, uncertain: true, error });
    if (isReleased && status === 'pending') await enqueue(stuck.id);
  }
  for (const mailId of await listWaitingMails(db.manager, WAITING_SECONDS)) await enqueue(mailId);
};

/** Adds the mails to the metrics. Returns the function that counts attempts. */
export const measureMails = (metrics: Metrics, db: Db): CountMail => {
  const counter = metrics.counter(mails);
  metrics.gauge(mailsUnsent, async () => (await measureUnsent(db.manager)).count);
  metrics.gauge(mailsAge, async () => (await measureUnsent(db.manager)).oldestSeconds);
  return (template, outcome) => counter.inc({ template, outcome });
};

/** Returns the provider with each call added to the metrics. */
export const measureProvider = (metrics: Metrics, provider: MailProvider): MailProvider => {
  const histogram = metrics.histogram(mailCallSeconds);
  return async (...call) => {
    const stop = histogram.startTimer();
    const delivery = await provider(...call);
    stop({ outcome: delivery.outcome });
    return delivery;
  };
};
