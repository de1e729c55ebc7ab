// The sending of a mail, from its job to the provider: claim → address → compose → send → settle.
import { QUEUES } from '../jobs.ts';
import type { Db } from '@shortlist/kit/data/db';
import type { ServiceClient } from '@shortlist/kit/http/http-client';
import { startWorker } from '@shortlist/kit/messaging/jobs';
import { failPoint } from '@shortlist/kit/process/fail-point';
import type { Log } from '@shortlist/kit/process/log';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { inSpan } from '@shortlist/kit/process/trace';
import { addressMail } from './address-mail.ts';
import { claimMail, type ClaimedMail, settleMail } from './queries.ts';
import type { Recipient, Template } from './mail-data.ts';
import { isSentDespiteComplaint, isStopped } from './delivery.rules.ts';
import type { Delivery, MailProvider } from './sendgrid.ts';
import { claimSuppression, listSuppressions } from './suppression-queries.ts';
import { type Letter, writeLetter } from './templates.ts';

export const SEND_JOB = 'mail.send';
export type MailJob = { mailId: string };

type MailOutcome = 'sent' | 'postponed' | 'failed' | 'skipped' | 'undeliverable';
/** Counts an attempt to send a mail. */
export type CountMail = (template: Template, outcome: MailOutcome) => void;

export type MailParts = {
  db: Db;
  log: Log;
  profile: ServiceClient;
  identity: ServiceClient;
  provider: MailProvider;
  brand: string;
  publicUrl: string;
  count: CountMail;
};

/** Mails that one process sends at a time. */
export const MAILS_AT_ONCE = 5;
/** Starts the worker of the queue of mails. */
export const startMailWorker = ({
  queueUrl: url,
  metrics,
  ...parts
}: MailParts & { queueUrl: string; metrics: Metrics }): ReturnType<typeof startWorker> =>
  startWorker<MailJob>(QUEUES.mail, {
    url,
    log: parts.log,
    metrics,
    concurrency: MAILS_AT_ONCE,
    work: (_name, { mailId }) => sendMail(parts, mailId),
  });

/** Sends a pending mail. It is claimed first, so that a job that runs twice sends once. */
export const sendMail = async (parts: MailParts, mailId: string): Promise<void> => {
  const { db } = parts;
  const mail = await claimMail(db.manager, mailId);
  if (mail === null) return;
  const { recipient, secrets } = await addressMail(parts, mail).catch((error: unknown) =>
    postpone(parts, mail, String(error)),
  );
  if (recipient === undefined) return postpone(parts, mail, 'profile does not know the user yet');
  if (recipient === null) return giveUp(parts, mail, { status: 'skipped', error: 'no such person' });
  if (await isSuppressed(parts, mail, recipient))
    return giveUp(parts, mail, { status: 'undeliverable', error: 'nothing is sent to this email' });
  const letter = compose(parts, { ...mail, data: { ...mail.data, ...secrets } }, recipient);
  if (letter === null) return giveUp(parts, mail, { status: 'failed', error: 'cannot be written' });
  const delivery = await deliver(parts, mail, { letter, recipient });
  failPoint('mail.after_accept');
  await settle(parts, mail, delivery);
};

/** The mail stays pending and its job is to be retried. */
class MailPostponed extends Error {
  override readonly name = 'MailPostponed';
}

const postpone = async ({ db, count }: MailParts, mail: ClaimedMail, error: string): Promise<never> => {
  count(mail.template, 'postponed');
  await settleMail(db.manager, mail, { status: 'pending', error });
  throw new MailPostponed(error);
};

const giveUp = async (
  { db, count }: MailParts,
  mail: ClaimedMail,
  { status, error }: { status: 'skipped' | 'failed' | 'undeliverable'; error: string },
): Promise<void> => {
  await settleMail(db.manager, mail, { status, error });
  count(mail.template, status);
};

/** Whether an earlier mail to the address came back, or was reported as spam, so that this one is not sent. */
const isSuppressed = async (
  { db }: MailParts,
  { template, userId }: ClaimedMail,
  { email }: Recipient,
): Promise<boolean> => {
  const [suppression] = await listSuppressions(db.manager, [email]);
  if (suppression === undefined || !isStopped(template, suppression.kind)) return false;
  await claimSuppression(db.manager, email, userId);
  return true;
};

/** Returns null when the data do not fit the template; a retry would not change that. */
const compose = (
  { brand, publicUrl, log }: MailParts,
  mail: ClaimedMail,
  recipient: Recipient,
): Letter | null => {
  try {
    return writeLetter(mail.template, { recipient, brand, publicUrl, data: mail.data });
  } catch (error) {
    log.error({ err: error, mailId: mail.id }, 'mail not composed');
    return null;
  }
};

const deliver = (
  { provider }: MailParts,
  { id, template }: ClaimedMail,
  { letter, recipient }: { letter: Letter; recipient: Recipient },
): Promise<Delivery> =>
  inSpan(
    'send mail',
    { kind: 'client', attributes: { 'shortlist.mail.template': template } },
    async (span) => {
      const despiteComplaint = isSentDespiteComplaint(template);
      const delivery = await provider(letter, recipient, { mailId: id, despiteComplaint });
      if (delivery.outcome !== 'accepted') span.fail(delivery.outcome);
      return delivery;
    },
  );

const settle = async (
  { db, log, count }: MailParts,
  mail: ClaimedMail,
  { outcome, error = '' }: Delivery,
): Promise<void> => {
  if (outcome === 'accepted') {
    await settleMail(db.manager, mail, { status: 'sent' });
    return count(mail.template, 'sent');
  }
  log.warn({ mailId: mail.id, template: mail.template, outcome, error }, 'mail not accepted');
  // An uncertain mail is sent once more and not again: a user gets the same mail twice at most.
  if (outcome === 'rejected' || (outcome === 'unknown' && mail.uncertain)) {
    await settleMail(db.manager, mail, { status: 'failed', error });
    return count(mail.template, 'failed');
  }
  count(mail.template, 'postponed');
  await settleMail(db.manager, mail, { status: 'pending', uncertain: outcome === 'unknown', error });
  throw new MailPostponed(error);
};
