import type { MailLink, MailContents } from './mail-data.ts';
import { date, list } from './formats.ts';
import { mailText } from './messages.ts';

const LINK: MailLink = { label: mailText('seeConnections'), path: '/connections' };

/** The emails about a user's webhooks. The host may be shown, although the user typed it, because webhooks require a confirmed email. */
export const WEBHOOK_MAILS: MailContents<'webhook_created' | 'webhook_failing' | 'webhook_stopped'> = {
  webhook_created: ({ brand, data: { host, events, createdAt } }) => ({
    subject: mailText('newWebhook'),
    lines: [
      mailText('newWebhookText', { brand }),
      {
        facts: [
          [mailText('webhookHost'), host],
          [mailText('webhookEvents'), list(events.split(','))],
          [mailText('keyMade'), date(createdAt)],
        ],
      },
      mailText('newWebhookNotYou'),
    ],
    link: LINK,
  }),
  webhook_failing: ({ data: { host, since, stopsAt } }) => ({
    subject: mailText('webhookFailing'),
    lines: [
      mailText('webhookFailingText', { host, since: date(since) }),
      mailText('webhookFailingStops', { stopsAt: date(stopsAt) }),
    ],
    link: LINK,
  }),
  webhook_stopped: ({ data: { host, stop } }) => ({
    subject: mailText('webhookStopped'),
    lines: [
      mailText(stop === 'gone' ? 'webhookStoppedGone' : 'webhookStoppedFailing', { host }),
      mailText('webhookTurnOn'),
    ],
    link: LINK,
  }),
};
