import { suppressionEndpoints } from '@shortlist/contracts/api/email';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Router } from '@shortlist/kit/http/router';
import { createError } from '@shortlist/kit/process/errors';
import { uuidv7 } from 'uuidv7';
import { insertMail } from './queries.ts';
import { type Senders, wakeSender } from './send-mail.ts';
import type { Unsuppress } from './sendgrid.ts';
import { liftSuppression, listSuppressions } from './suppression-queries.ts';

export type SuppressionParts = Senders & { db: Db; unsuppress: Unsuppress };

/** SendGrid first: otherwise it would drop the next email. */
const lift = async ({ db, log, unsuppress }: SuppressionParts, email: string): Promise<void> => {
  await unsuppress(email).catch((cause: unknown) => {
    log.warn({ err: cause }, 'suppression not lifted at the mail provider');
    throw createError('worker.suppression_kept', { cause });
  });
  await inTransaction(db, (tx) => liftSuppression(tx, email));
};

export const addSuppressionEndpoints = (router: Router, parts: SuppressionParts): void => {
  const { db } = parts;

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
    await wakeSender(parts);
    return {};
  });
};
