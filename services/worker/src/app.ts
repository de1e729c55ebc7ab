import { QUEUES, MAINTENANCE_JOBS, type MaintenanceJob } from '@shortlist/contracts/jobs';
import type { Clock } from '@shortlist/kit/process/clock';
import { createQueue, type JobQueue, startWorker } from '@shortlist/kit/messaging/jobs';
import type { Lifecycle } from '@shortlist/kit/process/lifecycle';
import type { ServiceClient } from '@shortlist/kit/http/http-client';
import { type MailParts, sendMail } from './mail/send-mail.ts';
import { type MailJob, sweepMails } from './mail/sweep-mails.ts';
import { oneOfAKind } from './upkeep/one-of-a-kind.ts';
import { createMaintenance, scheduleMaintenance } from './upkeep/upkeep.ts';

type Parts = MailParts & {
  lifecycle: Lifecycle;
  clock: Clock;
  queueUrl: string;
  billing: ServiceClient;
  credits: ServiceClient;
  queue: JobQueue<MailJob>;
};

/** The queue may lose its schedule, or a clock that jumped may have put it far off. */
const SCHEDULE_AGAIN_MS = 10_000;

/** Runs the jobs: mails as they are asked for, upkeep on its beat. */
export const startJobs = ({ lifecycle, queueUrl, queue, ...parts }: Parts): void => {
  const { log } = lifecycle;
  const maintenanceQueue = createQueue<Record<never, never>>(QUEUES.maintenance, {
    url: queueUrl,
    log,
    clock: parts.clock,
  });
  const maintenance = createMaintenance({ ...parts, log, sweepMails: () => sweepMails({ ...parts, queue }) });
  const mailWorker = startWorker<MailJob>(QUEUES.mail, {
    url: queueUrl,
    log,
    concurrency: 5,
    work: (_name, { mailId }) => sendMail(parts, mailId),
  });
  const maintenanceWorker = startWorker<Record<never, never>>(QUEUES.maintenance, {
    url: queueUrl,
    log,
    concurrency: Object.keys(MAINTENANCE_JOBS).length,
    work: oneOfAKind((name) => maintenance[name as MaintenanceJob]()), // the queue holds no others
  });
  let again: NodeJS.Timeout | undefined;
  const schedule = async (): Promise<void> => {
    const isDone = await scheduleMaintenance(maintenanceQueue).then(
      () => true,
      (error: unknown) => log.warn({ err: error }, 'waiting for the queue'),
    );
    again = setTimeout(() => void schedule(), isDone ? SCHEDULE_AGAIN_MS : 1_000);
  };
  void schedule();
  lifecycle.onStop('queues', async () => {
    clearTimeout(again);
    await maintenanceQueue.close();
  });
  lifecycle.onStop('jobs', () => Promise.all([mailWorker.stop(), maintenanceWorker.stop()]));
};
