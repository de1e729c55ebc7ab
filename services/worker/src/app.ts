import { QUEUES, type UpkeepJob } from '@shortlist/contracts/jobs';
import { createQueue, type JobQueue, startWorker } from '@shortlist/kit/jobs';
import type { Life } from '@shortlist/kit/run';
import type { ServiceClient } from '@shortlist/kit/http-client';
import { type MailParts, sendMail } from './mail/send-mail.ts';
import { type MailJob, sweepMails } from './mail/sweep-mails.ts';
import { createUpkeep, scheduleUpkeep } from './upkeep/upkeep.ts';

type Parts = MailParts & {
  life: Life;
  queueUrl: string;
  billing: ServiceClient;
  credits: ServiceClient;
  queue: JobQueue<MailJob>;
};

/** Runs the jobs: mails as they are asked for, upkeep on its beat. */
export const startJobs = ({ life, queueUrl, queue, ...parts }: Parts): void => {
  const { log } = life;
  const upkeepQueue = createQueue<Record<never, never>>(QUEUES.upkeep, { url: queueUrl, log });
  const upkeep = createUpkeep({ ...parts, log, sweepMails: () => sweepMails({ ...parts, queue }) });
  const mailWorker = startWorker<MailJob>(QUEUES.mail, {
    url: queueUrl,
    log,
    concurrency: 5,
    work: (_name, { mailId }) => sendMail(parts, mailId),
  });
  const upkeepWorker = startWorker<Record<never, never>>(QUEUES.upkeep, {
    url: queueUrl,
    log,
    concurrency: 3,
    work: async (name) => void (await upkeep[name as UpkeepJob]()),
  });
  const schedule = (): void => {
    scheduleUpkeep(upkeepQueue).catch((error: unknown) => {
      log.warn({ err: error }, 'waiting for the queue');
      retry = setTimeout(schedule, 1_000);
    });
  };
  let retry: NodeJS.Timeout | undefined;
  schedule();
  life.onStop('queues', async () => {
    clearTimeout(retry);
    await upkeepQueue.close();
  });
  life.onStop('jobs', () => Promise.all([mailWorker.stop(), upkeepWorker.stop()]));
};
