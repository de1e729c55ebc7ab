import { suppressionEndpoints } from '@shortlist/contracts/api/suppressions';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import type { JobQueue } from '@shortlist/kit/messaging/jobs';
import { createError } from '@shortlist/kit/process/errors';
import type { Log } from '@shortlist/kit/process/log';
import { uuidv7 } from 'uuidv7';
import { insertMail } from './queries.ts';
import { type MailJob, SEND_JOB } from './send-mail.ts';
import type { Unsuppress } from './sendgrid.ts';
import { liftSuppression, listSuppressions } from './suppression-queries.ts';

export type SuppressionParts = { db: Db; log: Log; queue: JobQueue<MailJob>; unsuppress: Unsuppress };

/** SendGrid first: of an address that only SendGrid refused, the next mail would come back as dropped. */
const lift = async ({ db, log, unsuppress }: SuppressionParts, email: string): Promise<void> => {
  await unsuppress(email).catch((cause: unknown) => {
    log.warn({ err: cause }, 'suppression not lifted at the mail provider');
    throw createError('worker.suppression_kept', { cause });
  });
  await inTransaction(db, (tx) => liftSuppression(tx, email));
};

export const addSuppressionEndpoints = (router: Router, parts: SuppressionParts): void => {
  const { db, log, queue } = parts;

  router.add(suppressionEndpoints.findSuppressions, async ({ input: { emails } }) => ({
    data: await listSuppressions(db.manager, emails),
  }));

  router.add(suppressionEndpoints.liftSuppression, async ({ input: { email } }) => {
    await lift(parts, email);
    return {};
  });

  router.add(suppressionEndpoints.sendTestMail, async ({ input: { userId } }) => {
    const id = uuidv7();
    await inTransaction(db, (tx) => insertMail(tx, { id, template: 'test', userId, eventId: id, data: {} }));
    // The sweep enqueues a job that is lost here.
    await queue
      .add(SEND_JOB, { mailId: id }, { id })
      .catch((error: unknown) => log.warn({ err: error }, 'mail job not enqueued'));
    return {};
  });
};
