// The sending of a mail, from its job to the provider: claim → address → compose → send → settle.
import sendgrid from '@sendgrid/mail';
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
import { type Letter, oneLine, writeLetter } from './templates.ts';
import { headerName } from './user-text.rules.ts';

export const SEND_JOB = 'mail.send';
export type MailJob = { mailId: string };

type MailOutcome = 'sent' | 'postponed' | 'failed' | 'skipped';
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
/** `accepted` or `rejected` by the provider; `retry`: not accepted, try again; `unknown`: the response was lost. */
export type Delivery = { outcome: 'accepted' | 'rejected' | 'retry' | 'unknown'; error?: string };
/** `mailId` is sent along, so that the provider's records can be matched with the mails table. */
export type MailProvider = (letter: Letter, to: Recipient, mailId: string) => Promise<Delivery>;

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
  { status, error }: { status: 'skipped' | 'failed'; error: string },
): Promise<void> => {
  await settleMail(db.manager, mail, { status, error });
  count(mail.template, status);
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
      const delivery = await provider(letter, recipient, id);
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

// The provider: SendGrid.

const TIMEOUT_MS = 10_000;

type Failure = { code?: number | string; message?: string };

const outcomeOf = ({ code }: Failure): Delivery['outcome'] => {
  if (code === 429 || (typeof code === 'number' && code >= 500) || code === 'ECONNREFUSED') return 'retry';
  return typeof code === 'number' ? 'rejected' : 'unknown';
};

/** Sends mails with SendGrid's package; `apiBase` points it at the sandbox. */
export const createMailProvider = ({
  key,
  apiBase,
  from,
}: {
  key: string;
  apiBase: string | undefined;
  from: { email: string; name: string };
}): MailProvider => {
  sendgrid.setApiKey(key);
  sendgrid.setTimeout(TIMEOUT_MS);
  // The package has no setting for its client's address.
  if (apiBase !== undefined)
    (sendgrid as unknown as Client).client.setDefaultRequest('baseUrl', `${apiBase}/`);
  return async ({ subject, text, html }, { email, firstName }, mailId) => {
    try {
      await sendgrid.send({
        to: { email, name: headerName(oneLine(firstName)) },
        from,
        subject,
        text,
        html,
        customArgs: { mail_id: mailId },
        trackingSettings: UNTRACKED,
      });
      return { outcome: 'accepted' };
    } catch (error) {
      const failure = error as Failure;
      return { outcome: outcomeOf(failure), error: `${failure.code ?? ''} ${failure.message ?? ''}`.trim() };
    }
  };
};

/** Tracked links lead over the provider's host, which a link with a secret must not, and opened mails are nobody's business. */
const UNTRACKED = {
  clickTracking: { enable: false, enableText: false },
  openTracking: { enable: false },
};

type Client = { client: { setDefaultRequest: (name: string, value: string) => void } };
