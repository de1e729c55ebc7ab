import { SCOPES } from '@shortlist/contracts/api/api-keys';
import { apiKey, webhook, webhookDelivery } from '../../web/test/fixtures.ts';
import { button, type OpenedScreen } from './opened-layers.ts';

const KEY = apiKey(1, {
  name: 'The weekly report of the Lisbon office, for all of Iberia',
  scopes: [...SCOPES],
  expiresAt: '2027-02-21T09:00:00.000Z',
});
const CONNECTIONS = {
  path: '/connections',
  as: 'premium',
  ready: /API reference/,
  layer: 'dialog',
  opener: button('Create key'),
} as const;

/** Of the keys of a user's own tools. */
const KEYS: OpenedScreen[] = [
  {
    ...CONNECTIONS,
    name: 'opened-create-key',
    opens: 'features/connections/create-key.tsx KeyForm',
    replies: { listApiKeys: { data: [KEY] } },
    then: (page) => page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click(),
  },
  {
    ...CONNECTIONS,
    name: 'opened-new-key',
    opens: 'features/connections/create-key.tsx CreateKey',
    replies: {
      listApiKeys: { data: [KEY] },
      createApiKey: { data: KEY, key: 'sl_test_0123456789abcdefABCDEFGHIJKLMNOPQRSTUVWXYZ01234567' },
    },
    then: async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('Weekly report');
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog', { name: 'Copy your key now' }).waitFor();
    },
    beforeClose: async (page) => {
      await page.context().grantPermissions(['clipboard-write']);
      await page.getByRole('button', { name: 'Copy', exact: true }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
    },
  },
  {
    ...CONNECTIONS,
    name: 'opened-delete-key',
    opens: 'features/connections/keys-panel.tsx DeleteDialog',
    opener: button(/^Delete The weekly/),
    replies: { listApiKeys: { data: [KEY] } },
  },
];

const WEBHOOK = webhook(1);
const WEBHOOK_PAGE = {
  path: `/connections/webhook?id=${WEBHOOK.id}`,
  as: 'premium',
  ready: /Send test event/,
  layer: 'dialog',
  replies: {
    webhooks: { data: [WEBHOOK] },
    webhookDeliveries: { data: [webhookDelivery(1)], next: null },
    rotateWebhookSecret: { data: WEBHOOK, secret: `whsec_${'QUJDREVGR0hJSktMTU5PUFFS'.repeat(2)}` },
  },
} satisfies Partial<OpenedScreen>;

/** Of the addresses of a user's own systems. */
const WEBHOOKS: OpenedScreen[] = [
  {
    ...CONNECTIONS,
    name: 'opened-add-webhook',
    opens: 'features/webhooks/webhook-form.tsx WebhookForm',
    opener: button('Add webhook'),
    replies: { webhooks: { data: [WEBHOOK] } },
    then: (page) => page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click(),
  },
  {
    ...WEBHOOK_PAGE,
    name: 'opened-new-secret',
    opens: 'features/webhooks/webhook-form.tsx NewSecret',
    opener: button('New secret'),
    then: async (page) => {
      await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
      await page.getByRole('dialog', { name: 'Copy the secret now' }).waitFor();
    },
    beforeClose: async (page) => {
      await page.context().grantPermissions(['clipboard-write']);
      await page.getByRole('button', { name: 'Copy', exact: true }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
    },
  },
  {
    ...WEBHOOK_PAGE,
    name: 'opened-renew-secret',
    opens: 'features/webhooks/webhook-details.tsx RenewSecret',
    opener: button('New secret'),
  },
  {
    ...WEBHOOK_PAGE,
    name: 'opened-delivery',
    opens: 'features/webhooks/delivery-log.tsx DeliveryLine',
    layer: 'details',
    opener: (page) => page.locator('main summary').first(),
  },
  {
    ...WEBHOOK_PAGE,
    name: 'opened-delete-webhook',
    opens: 'features/webhooks/webhook-details.tsx DeleteDialog',
    opener: button('Delete'),
  },
];

/** What opens over the pages of the connections. */
export const OPENED_CONNECTIONS: OpenedScreen[] = [...KEYS, ...WEBHOOKS];
