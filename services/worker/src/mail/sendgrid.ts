// The email provider: SendGrid.
import sendgrid from '@sendgrid/mail';
import type { Recipient } from './mail-data.ts';
import { type MailContent, oneLine } from './templates.ts';
import { headerName } from './user-text.rules.ts';

/** `accepted` or `rejected` by the provider; `retry`: not accepted, try again; `unknown`: the response was lost. */
export type Delivery = { outcome: 'accepted' | 'rejected' | 'retry' | 'unknown'; error?: string };
/**
 * `mailId` is sent along to match the provider's records and events with the mails table. `despiteComplaint`: sends even to an address whose
 * owner reported an email as spam. `unsubscribeLink`: which turns off emails of this kind; null if nothing does.
 */
export type MailOptions = { mailId: string; despiteComplaint: boolean; unsubscribeLink: string | null };
export type MailProvider = (content: MailContent, to: Recipient, options: MailOptions) => Promise<Delivery>;

/** `apiBase` points at the sandbox. */
type Account = { key: string; apiBase: string | undefined };
type Client = {
  setDefaultRequest: (name: string, value: string) => void;
  request: (request: { method: 'DELETE'; url: string }) => Promise<unknown>;
};

const TIMEOUT_MS = 10_000;

/** The package has a single client, without a setting for its URL. */
const configure = ({ key, apiBase }: Account): Client => {
  sendgrid.setApiKey(key);
  sendgrid.setTimeout(TIMEOUT_MS);
  const { client } = sendgrid as unknown as { client: Client };
  if (apiBase !== undefined) client.setDefaultRequest('baseUrl', `${apiBase}/`);
  return client;
};

type Failure = { code?: number | string; message?: string };

const outcomeOf = ({ code }: Failure): Delivery['outcome'] => {
  if (code === 429 || (typeof code === 'number' && code >= 500) || code === 'ECONNREFUSED') return 'retry';
  return typeof code === 'number' ? 'rejected' : 'unknown';
};

/** Sends emails with SendGrid's package. */
export const createMailProvider = ({
  from,
  ...account
}: Account & { from: { email: string; name: string } }): MailProvider => {
  configure(account);
  return async ({ subject, text, html }, { email, firstName }, options) => {
    const { mailId, despiteComplaint, unsubscribeLink } = options;
    try {
      await sendgrid.send({
        to: { email, name: headerName(oneLine(firstName)) },
        from,
        subject,
        text,
        html,
        customArgs: { mail_id: mailId },
        trackingSettings: UNTRACKED,
        ...(unsubscribeLink !== null && { headers: unsubscribeHeaders(unsubscribeLink) }),
        ...(despiteComplaint && { mailSettings: { bypassSpamManagement: { enable: true } } }),
      });
      return { outcome: 'accepted' };
    } catch (error) {
      const failure = error as Failure;
      return { outcome: outcomeOf(failure), error: `${failure.code ?? ''} ${failure.message ?? ''}`.trim() };
    }
  };
};

/** For the button of the mail program (RFC 2369), which sends a POST without opening a page (RFC 8058). */
const unsubscribeHeaders = (link: string): Record<string, string> => ({
  'List-Unsubscribe': `<${link}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/**
 * Tracked links go through the provider's host, which links with a secret must not, and opening an email is private. The provider's own link for
 * unsubscribing would stop every email, receipts and security included.
 */
const UNTRACKED = {
  clickTracking: { enable: false, enableText: false },
  openTracking: { enable: false },
  subscriptionTracking: { enable: false },
};

/** SendGrid's suppression lists. */
const LISTS = ['bounces', 'invalid_emails', 'spam_reports'] as const;

/** Removes an address from all of SendGrid's suppression lists. Throws if SendGrid fails. */
export type Unsuppress = (email: string) => Promise<void>;

export const createUnsuppress = (account: Account): Unsuppress => {
  const client = configure(account);
  const removeFrom = async (list: string, email: string): Promise<void> => {
    const url = `/v3/suppression/${list}/${encodeURIComponent(email)}`;
    await client.request({ method: 'DELETE', url }).catch((error: unknown) => {
      if ((error as Failure).code !== 404) throw error; // the address is not on this list
    });
  };
  return async (email) => {
    await Promise.all(LISTS.map((list) => removeFrom(list, email)));
  };
};
