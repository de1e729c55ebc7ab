import { webhook, webhookDelivery } from '../../web/test/fixtures.ts';
import type { ScreenState } from './screens.ts';

const EMPTY_PAGE = { data: [], next: null };
const WEBHOOKS = {
  data: [
    webhook(1, {
      url: 'https://hooks.recruiting.iberia.talentfield.example.com/shortlist/webhooks?team=lisbon',
    }),
    webhook(2, { failingSince: '2026-11-18T09:00:00.000Z' }),
    webhook(3, { stop: 'failing', failingSince: '2026-11-12T09:00:00.000Z' }),
  ],
};
export const WEBHOOK_PAGE = { path: `/connections/webhook?id=${webhook(1).id}`, as: 'free' } as const;

/** A try that got this response, at a time of its own. */
const failedTry = (status: number) => ({
  at: new Date(Date.parse('2026-11-20T09:00:00.000Z') + status * 1_000).toISOString(),
  status,
  error: null,
  milliseconds: 85,
});

/** A list of webhooks in every state, and the page of one with messages in every state. */
export const WEBHOOK_STATES: ScreenState[] = [
  {
    name: 'connections-webhooks',
    path: '/connections',
    as: 'free',
    ready: /hooks2/,
    replies: { webhooks: WEBHOOKS },
  },
  {
    name: 'webhook',
    ...WEBHOOK_PAGE,
    ready: /The latest 4 messages/,
    replies: {
      webhooks: { data: [webhook(1, { previousSecretUntil: '2026-12-01T09:00:00.000Z' })] },
      webhookDeliveries: {
        data: [
          webhookDelivery(4, {
            state: 'pending',
            nextTryAt: '2027-11-20T14:00:00.000Z',
            tries: [{ at: '2026-11-20T09:00:00.000Z', status: null, error: 'certificate', milliseconds: 31 }],
          }),
          webhookDelivery(3, { event: 'webhook.test' }),
          webhookDelivery(2, { event: 'plan.changed', state: 'canceled', tries: [] }),
          webhookDelivery(1, { state: 'failed', tries: [500, 502].map(failedTry) }),
        ],
        next: webhookDelivery(1).id,
      },
    },
  },
  ...(['user', 'failing', 'gone', 'taken_back', 'support'] as const).map((stop): ScreenState => ({
    name: `webhook-${stop}`,
    ...WEBHOOK_PAGE,
    ready: /Turn on/,
    replies: { webhooks: { data: [webhook(1, { stop })] }, webhookDeliveries: EMPTY_PAGE },
  })),
  {
    name: 'webhook-empty',
    ...WEBHOOK_PAGE,
    ready: /Nothing was sent yet/,
    replies: { webhooks: WEBHOOKS, webhookDeliveries: EMPTY_PAGE },
  },
];
