import type { IssuedToken } from '@shortlist/contracts/api/identity';
import { inSeconds, minutes } from '@shortlist/contracts/durations';
import type { Db } from '@shortlist/kit/data/db';
import { failPoint } from '@shortlist/kit/process/fail-point';
import type { ServiceClient } from '@shortlist/kit/http/http-client';
import type { Log } from '@shortlist/kit/process/log';
import { inSpan } from '@shortlist/kit/process/trace';
import { findRecipient } from './find-recipient.ts';
import type { Delivery, MailProvider } from './provider.ts';
import type { CountMail } from './sweep-mails.ts';
import { mailText } from './messages.ts';
import { issueSecret, SECRET_OPTIONAL, SECRETS, WITHOUT_ACCOUNT } from './mail-secrets.ts';
import { claimMail, type ClaimedMail, settleMail } from './queries.ts';
import type { Recipient } from './mail-data.ts';
import { type Letter, writeLetter } from './templates.ts';

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
/** Profile may consume a registration later than worker, but not by this much. */
const UNKNOWN_SECONDS = inSeconds(minutes(10));

/** The mail stays pending and its job is to be retried. */
class MailPostponed extends Error {
  override readonly name = 'MailPostponed';
}

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

const postpone = async ({ db, count }: MailParts, mail: ClaimedMail, error: string): Promise<never> => {
  count(mail.template, 'postponed');
  await settleMail(db.manager, mail, { status: 'pending', error });
  throw new MailPostponed(error);
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

type Addressed = { recipient: Recipient | null | undefined; secrets?: Record<string, string> };

const NO_NAME = { email: '', firstName: mailText('noName') };

/**
 * The name comes from the directory; without one, after a while, the mail does without a name. So does a mail to another address than
 * the account's, which the user has not confirmed or has given up.
 */
const addressSecret = async (
  parts: MailParts,
  mail: ClaimedMail,
  { token, code, email }: IssuedToken,
): Promise<Addressed> => {
  const known = WITHOUT_ACCOUNT.has(mail.template) ? NO_NAME : await findRecipient(parts, mail);
  const isNew = mail.ageSeconds < UNKNOWN_SECONDS;
  if (known === null || (known === undefined && isNew)) return { recipient: known };
  const recipient = known?.email === email ? known : { ...known, ...NO_NAME, email };
  return { recipient, secrets: { token, code: code ?? '' } };
};

/**
 * The recipient. A mail with a secret gets it now, and goes to the address that identity names with it; secrets are in no table
 * and no event.
 */
const address = async (parts: MailParts, mail: ClaimedMail): Promise<Addressed> => {
  const purpose = SECRETS[mail.template];
  if (purpose === undefined) return { recipient: await findRecipient(parts, mail) };
  const issued = await issueSecret(parts, mail, purpose);
  if (issued !== null) return addressSecret(parts, mail, issued);
  return { recipient: SECRET_OPTIONAL.has(mail.template) ? await findRecipient(parts, mail) : null };
};

/** Sends a pending mail. It is claimed first, so that a job that runs twice sends once. */
export const sendMail = async (parts: MailParts, mailId: string): Promise<void> => {
  const { db, provider } = parts;
  const mail = await claimMail(db.manager, mailId);
  if (mail === null) return;
  const { recipient, secrets } = await address(parts, mail).catch((error: unknown) =>
    postpone(parts, mail, String(error)),
  );
  const isNew = mail.ageSeconds < UNKNOWN_SECONDS;
  if (recipient === undefined && isNew) return postpone(parts, mail, 'profile does not know the user yet');
  const giveUp = async (status: 'skipped' | 'failed', error: string): Promise<void> => {
    await settleMail(db.manager, mail, { status, error });
    parts.count(mail.template, status);
  };
  if (!recipient) return giveUp('skipped', 'no such person');
  const letter = compose(parts, { ...mail, data: { ...mail.data, ...secrets } }, recipient);
  if (letter === null) return giveUp('failed', 'cannot be written');
  const attributes = { 'shortlist.mail.template': mail.template };
  const delivery = await inSpan('send mail', { kind: 'client', attributes }, async (span) => {
    const result = await provider(letter, recipient, mailId);
    if (result.outcome !== 'accepted') span.fail(result.outcome);
    return result;
  });
  failPoint('mail.after_accept');
  await settle(parts, mail, delivery);
};
