import sendgrid from '@sendgrid/mail';
import type { Recipient } from './mail-data.ts';
import { type Letter, oneLine } from './templates.ts';

/** `accepted` or `rejected` by the provider; `retry`: not accepted, try again; `unknown`: the response was lost. */
export type Delivery = { outcome: 'accepted' | 'rejected' | 'retry' | 'unknown'; error?: string };
/** `mailId` is sent along, so that the provider's records can be matched with the mails table. */
export type MailProvider = (letter: Letter, to: Recipient, mailId: string) => Promise<Delivery>;

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
        to: { email, name: oneLine(firstName) },
        from,
        subject,
        text,
        html,
        customArgs: { mail_id: mailId },
      });
      return { outcome: 'accepted' };
    } catch (error) {
      const failure = error as Failure;
      return { outcome: outcomeOf(failure), error: `${failure.code ?? ''} ${failure.message ?? ''}`.trim() };
    }
  };
};

type Client = { client: { setDefaultRequest: (name: string, value: string) => void } };
