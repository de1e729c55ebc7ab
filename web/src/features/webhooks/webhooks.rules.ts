import { WEBHOOK_EVENTS, type WebhookEndpoint, type WebhookEvent } from '@shortlist/contracts/api/webhooks';
import type { FieldMessages } from '@shortlist/contracts/errors';
import { LOCALE } from '@shortlist/contracts/messages';
import { webhookEventText, webhooksText } from '../../messages/webhooks.ts';

/** The form of a webhook. `events`: separated by spaces. */
export type WebhookValues = { url: string; events: string };

export const NEW_WEBHOOK: WebhookValues = { url: '', events: 'credits.low credits.exhausted' };

export const eventsIn = (text: string): WebhookEvent[] =>
  WEBHOOK_EVENTS.filter((event) => text.split(' ').includes(event));

export const valuesOf = ({ url, events }: WebhookEndpoint): WebhookValues => ({
  url,
  events: events.join(' '),
});

/** What is wrong with a webhook, before a proof of identity is required for it. The server checks the rest. */
export const webhookRules = ({ url, events }: WebhookValues): FieldMessages => ({
  ...(url.trim() === '' ? { url: webhooksText('urlMissing') } : {}),
  ...(eventsIn(events).length === 0 ? { events: webhooksText('eventMissing') } : {}),
});

/** What a webhook hears about: Credits run low, The plan changes. */
export const phraseOf = (events: readonly WebhookEvent[]): string =>
  new Intl.ListFormat(LOCALE, { type: 'unit' }).format(events.map((event) => webhookEventText(event)));

export const hostOf = ({ url }: WebhookEndpoint): string => new URL(url).host;
