// Sends due emails: wake-up → claim → address → compose → send → settle. The table determines which emails are due; the queue only speeds it up.
import { QUEUES } from '../jobs.ts';
import type { Db } from '@shortlist/kit/data/db';
import type { ServiceClient } from '@shortlist/kit/http/http-client';
import { type JobQueue, startWorker } from '@shortlist/kit/messaging/jobs';
import type { Clock } from '@shortlist/kit/process/clock';
import { failPoint } from '@shortlist/kit/process/fail-point';
import type { Log } from '@shortlist/kit/process/log';
import type { Metrics } from '@shortlist/kit/process/metrics';
import { settleAll } from '@shortlist/kit/process/settle-all';
import { inSpan, inTrace, traceFrom } from '@shortlist/kit/process/trace';
import { addressMail } from './address-mail.ts';
import { type ClaimedMail, claimMails } from './queries.ts';
import { Settlements } from './settle-mails.ts';
import type { Recipient, Template } from './mail-data.ts';
import { isSentDespiteComplaint, isStopped, TURNED_OFF, unsubscribableKindOf } from './delivery.rules.ts';
import type { Delivery, MailProvider } from './sendgrid.ts';
import { claimSuppression, listSuppressions } from './suppression-queries.ts';
import { type MailContent, writeMail } from './templates.ts';
import { isTurnedOff } from './turned-off-queries.ts';
import { type UnsubscribeTokens, unsubscribeUrl } from './unsubscribe.ts';

/** Workers of the previous release look up the email of this id, and find none. */
export type MailJob = { mailId: '' };
/** The queue on which senders wait. */
export type Senders = { mailQueue: JobQueue<MailJob>; log: Log };

type MailOutcome = 'sent' | 'postponed' | 'failed' | 'skipped' | 'undeliverable';
/** Counts an attempt to send an email. */
export type CountMail = (template: Template, outcome: MailOutcome) => void;

export type MailParts = Senders & {
  db: Db;
  profile: ServiceClient;
  identity: ServiceClient;
  provider: MailProvider;
  brand: string;
  publicUrl: string;
  unsubscribeTokens: UnsubscribeTokens;
  count: CountMail;
};

const SEND_JOB = 'mail.send';

/** Wakes a sender after emails were stored. The sweep repeats lost wake-ups. */
export const wakeSender = ({ mailQueue, log }: Senders): Promise<void> =>
  mailQueue
    .add(SEND_JOB, { mailId: '' }, { once: true })
    .catch((error: unknown) => log.warn({ err: error }, 'mail job not enqueued'));

/** Senders of a process. */
export const SENDERS = 5;

/** Starts the worker of the email queue, whose jobs are wake-ups. */
export const startMailWorker = (
  parts: MailParts & { clock: Clock },
  queue: { url: string; metrics: Metrics },
): ReturnType<typeof startWorker> =>
  startWorker<MailJob>(QUEUES.mail, {
    ...queue,
    log: parts.log,
    clock: parts.clock,
    concurrency: SENDERS,
    handlers: { [SEND_JOB]: () => sendDueMails(parts) },
  });

/**
 * Sends emails, a few at a time, while any are due. After its first claim it wakes another sender, up to the limit. Throws at the end if an
 * email was postponed, so that the queue retries soon; the sweep does so later.
 */
export const sendDueMails = async (parts: MailParts): Promise<void> => {
  const { db, count } = parts;
  const sender = { ...parts, settlements: new Settlements(db) };
  const send = async (mail: ClaimedMail): Promise<MailOutcome> => {
    const outcome = await inTrace(traceFrom(mail.traceparent), () => sendMail(sender, mail));
    count(mail.template, outcome);
    return outcome;
  };
  let postponed = 0;
  let claim = await claimMails(db);
  if (claim.hasMore) await wakeSender(parts);
  while (claim.mails.length > 0) {
    const outcomes = await settleAll(claim.mails.map(send));
    postponed += outcomes.filter((outcome) => outcome === 'postponed').length;
    claim = claim.hasMore ? await claimMails(db) : { mails: [], hasMore: false };
  }
  if (postponed > 0) throw new MailsPostponed(String(postponed));
};

class MailsPostponed extends Error {
  override readonly name = 'MailsPostponed';
}

type Sender = MailParts & { settlements: Settlements };

const sendMail = async (parts: Sender, mail: ClaimedMail): Promise<MailOutcome> => {
  let addressed;
  try {
    addressed = await addressMail(parts, mail);
  } catch (error) {
    return postpone(parts, mail, { error: String(error) });
  }
  const { recipient, secrets } = addressed;
  if (recipient === undefined) return postpone(parts, mail, { error: 'profile does not know the user yet' });
  if (recipient === null)
    return giveUp(parts, mail, { status: 'skipped', error: 'no such person', isRedacted: true });
  if (await isSuppressed(parts, mail, recipient))
    return giveUp(parts, mail, { status: 'undeliverable', error: 'nothing is sent to this email' });
  // The last thing before it is written: the user may have turned it off since it was stored.
  if (await wasTurnedOff(parts, mail)) return giveUp(parts, mail, { status: 'skipped', error: TURNED_OFF });
  const unsubscribeLink = unsubscribeLinkOf(parts, mail);
  const written = { ...mail, data: { ...mail.data, ...secrets } };
  const content = compose(parts, written, { recipient, unsubscribeLink });
  if (content === null) return giveUp(parts, mail, { status: 'failed', error: 'cannot be written' });
  const delivery = await deliver(parts, mail, { content, recipient, unsubscribeLink });
  failPoint('mail.after_accept');
  return settle(parts, mail, delivery);
};

const postpone = async (
  { settlements }: Sender,
  mail: ClaimedMail,
  { error, uncertain = false }: { error: string; uncertain?: boolean },
): Promise<'postponed'> => {
  await settlements.settle(mail, { status: 'pending', error, uncertain });
  return 'postponed';
};

const giveUp = async <Status extends 'skipped' | 'failed' | 'undeliverable'>(
  { settlements }: Sender,
  mail: ClaimedMail,
  { status, ...settlement }: { status: Status; error: string; isRedacted?: boolean },
): Promise<Status> => {
  await settlements.settle(mail, { status, ...settlement });
  return status;
};

/** Whether the address is suppressed for this email. */
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

/** Of emails about credits, credits knows it and causes none. */
const wasTurnedOff = async ({ db }: MailParts, { template, userId }: ClaimedMail): Promise<boolean> =>
  unsubscribableKindOf(template) === 'news' && (await isTurnedOff(db.manager, userId, 'news'));

/** The link that turns off emails of this kind; null for an email that cannot be turned off. */
const unsubscribeLinkOf = (
  { publicUrl, unsubscribeTokens }: MailParts,
  { template, userId }: ClaimedMail,
): string | null => {
  const kind = unsubscribableKindOf(template);
  return kind === null ? null : unsubscribeUrl(publicUrl, unsubscribeTokens.sign({ kind, userId }));
};

/** `unsubscribeLink`: null for an email that cannot be turned off. */
type Addressed = { recipient: Recipient; unsubscribeLink: string | null };

/** Returns null if the data do not fit the template, which a retry would not change. */
const compose = (
  { brand, publicUrl, log }: MailParts,
  mail: ClaimedMail,
  { recipient, unsubscribeLink }: Addressed,
): MailContent | null => {
  try {
    return writeMail(mail.template, { recipient, brand, publicUrl, unsubscribeLink, data: mail.data });
  } catch (error) {
    log.error({ err: error, mailId: mail.id }, 'mail not composed');
    return null;
  }
};

const deliver = (
  parts: MailParts,
  mail: ClaimedMail,
  { content, recipient, unsubscribeLink }: Addressed & { content: MailContent },
): Promise<Delivery> =>
  inSpan(
    'send mail',
    { kind: 'client', attributes: { 'shortlist.mail.template': mail.template } },
    async (span) => {
      const delivery = await parts.provider(content, recipient, {
        mailId: mail.id,
        despiteComplaint: isSentDespiteComplaint(mail.template),
        unsubscribeLink,
      });
      if (delivery.outcome !== 'accepted') span.fail(delivery.outcome);
      return delivery;
    },
  );

const settle = async (
  parts: Sender,
  mail: ClaimedMail,
  { outcome, error = '' }: Delivery,
): Promise<MailOutcome> => {
  if (outcome === 'accepted') {
    await parts.settlements.settle(mail, { status: 'sent' });
    return 'sent';
  }
  parts.log.warn({ mailId: mail.id, template: mail.template, outcome, error }, 'mail not accepted');
  // An uncertain email is sent only once more, so that a user gets it twice at most.
  if (outcome === 'rejected' || (outcome === 'unknown' && mail.uncertain))
    return giveUp(parts, mail, { status: 'failed', error });
  return postpone(parts, mail, { error, uncertain: outcome === 'unknown' });
};
