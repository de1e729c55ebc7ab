import { QUEUES, UPKEEP_JOBS, type UpkeepJob } from '@shortlist/contracts/jobs';
import type { Clock } from '@shortlist/kit/clock';
import { createQueue, type JobQueue, startWorker } from '@shortlist/kit/jobs';
import type { Life } from '@shortlist/kit/run';
import type { ServiceClient } from '@shortlist/kit/http-client';
import { type MailParts, sendMail } from './mail/send-mail.ts';
import { type MailJob, sweepMails } from './mail/sweep-mails.ts';
import { oneOfAKind } from './upkeep/one-of-a-kind.ts';
import { createUpkeep, scheduleUpkeep } from './upkeep/upkeep.ts';

type Parts = MailParts & {
  life: Life;
  clock: Clock;
  queueUrl: string;
  billing: ServiceClient;
  credits: ServiceClient;
  queue: JobQueue<MailJob>;
};

/** The queue may lose its schedule, or a clock that jumped may have put it far off. */
const SCHEDULE_AGAIN_MS = 10_000;

/** Runs the jobs: mails as they are asked for, upkeep on its beat. */
export const startJobs = ({ life, queueUrl, queue, ...parts }: Parts): void => {
  const { log } = life;
  const upkeepQueue = createQueue<Record<never, never>>(QUEUES.upkeep, {
    url: queueUrl,
    log,
    clock: parts.clock,
  });
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
    concurrency: Object.keys(UPKEEP_JOBS).length,
    work: oneOfAKind((name) => upkeep[name as UpkeepJob]()), // the queue holds no others
  });
  let again: NodeJS.Timeout | undefined;
  const schedule = async (): Promise<void> => {
    const isDone = await scheduleUpkeep(upkeepQueue).then(
      () => true,
      (error: unknown) => log.warn({ err: error }, 'waiting for the queue'),
    );
    again = setTimeout(() => void schedule(), isDone ? SCHEDULE_AGAIN_MS : 1_000);
  };
  void schedule();
  life.onStop('queues', async () => {
    clearTimeout(again);
    await upkeepQueue.close();
  });
  life.onStop('jobs', () => Promise.all([mailWorker.stop(), upkeepWorker.stop()]));
};
