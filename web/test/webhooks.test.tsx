import type { WebhookDelivery, WebhookEndpoint } from '@shortlist/contracts/api/webhooks';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { webhook, webhookDelivery } from './fixtures.ts';
import { address, fill, logInUser, openApp } from './render-app.tsx';

const SECRET = `whsec_${'QUJDREVGR0hJSktMTU5PUFFS'.repeat(2)}`;

/** A server with these webhooks, and messages of the first. */
const serve = (webhooks: WebhookEndpoint[] = [], deliveries: WebhookDelivery[] = []) => {
  let current = webhooks;
  const only = (): WebhookEndpoint => current[0] ?? webhook(1);
  return fakeServer({
    listApiKeys: () => ({ data: [] }),
    webhooks: () => ({ data: current }),
    webhookDeliveries: () => ({ data: deliveries, next: null }),
    createWebhook: ({ body }) => {
      const url = String(body['url']);
      if (!url.startsWith('https:'))
        throw apiFailure('identity.webhook_not_https', { url: 'Please use https' });
      current = [webhook(9, { url })];
      return { data: only(), secret: SECRET };
    },
    changeWebhook: ({ body }) => {
      current = [{ ...only(), stop: body['isOn'] === true ? null : 'user' }];
      return { data: only() };
    },
    sendTestEvent: () => ({ message: 'queued' }),
    redeliver: () => {
      throw apiFailure('worker.delivery_pending');
    },
    deleteWebhook: () => {
      current = [];
      return { message: 'deleted' };
    },
  });
};

const open = async (path: string, ...served: Parameters<typeof serve>) => {
  logInUser();
  const server = serve(...served);
  const app = openApp(path);
  await screen.findByRole('heading', { level: 1 });
  return { server, ...app };
};
const pageOf = ({ id }: WebhookEndpoint): string => `/connections/webhook?id=${id}`;

describe('a new webhook', () => {
  test('needs an address and an event, says what the server refuses at its field, and shows its secret once', async () => {
    const { user, server } = await open('/connections');
    await user.click(await screen.findByRole('button', { name: 'Add webhook' }));
    const form = await screen.findByRole('dialog', { name: 'Add a webhook' });
    const submit = within(form).getByRole('button', { name: 'Add webhook' });
    for (const event of [/^Credits run low/, /^Credits are used up/])
      await user.click(within(form).getByRole('checkbox', { name: event }));
    await user.click(submit);
    expect(await within(form).findByText('Please enter an address')).toBeVisible();
    expect(within(form).getByText('Choose at least one event')).toBeVisible();
    expect(server.requestsTo('createWebhook')).toEqual([]);
    for (const event of [/^The plan changes/, /^Extra credits are added/, /^Extra credits are taken away/])
      await user.click(within(form).getByRole('checkbox', { name: event }));
    await fill(user, within(form).getByLabelText('Address'), 'http://example.com/');
    await user.click(submit);
    expect(await within(form).findByText('Please use https')).toBeVisible();
    await user.clear(within(form).getByLabelText('Address'));
    await fill(user, within(form).getByLabelText('Address'), 'https://example.com/');
    await user.click(submit);
    const shown = await screen.findByRole('dialog', { name: 'Copy the secret now' });
    expect(within(shown).getByText(SECRET)).toBeVisible();
    await user.click(within(shown).getByRole('button', { name: 'Done' }));
    expect(await screen.findByRole('link', { name: 'Open example.com' })).toBeVisible();
    expect(screen.queryByText(SECRET)).toBeNull();
    expect(server.requestsTo('createWebhook').at(-1)?.body).toEqual({
      url: 'https://example.com/',
      events: ['credits.added', 'credits.removed', 'plan.changed'],
    });
  });
});

describe('the page of a webhook', () => {
  test('says in words why a try failed, and when the next one is', async () => {
    const tried = {
      at: '2026-11-20T09:00:00.000Z',
      status: null,
      error: 'timeout',
      milliseconds: 10_000,
    } as const;
    const waiting = { state: 'pending', nextTryAt: '2026-11-20T09:05:00.000Z', tries: [tried] } as const;
    const { user } = await open(
      pageOf(webhook(1)),
      [webhook(1)],
      [webhookDelivery(1, { ...waiting, tries: [tried] })],
    );
    const line = await screen.findByRole('listitem');
    expect(line).toHaveTextContent(
      /Credits run low credits\.low Waiting Next try Nov 20, .* No response in time/,
    );
    await user.click(within(line).getByText('Credits run low'));
    expect(await within(line).findByRole('row', { name: /No response in time 10000 ms/ })).toBeVisible();
    expect(within(line).getByLabelText('Message')).toHaveTextContent('"available": 100');
    await user.click(within(line).getByRole('button', { name: 'Send again' }));
    expect(await within(line).findByText('This message is being sent right now.')).toBeVisible();
  });

  test('turns it off and on, sends a test event only while it is on, and leads back once it is deleted', async () => {
    const { user, server } = await open(pageOf(webhook(1)), [webhook(1)]);
    await user.click(await screen.findByRole('button', { name: 'Send test event' }));
    expect(server.requestsTo('sendTestEvent')).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Turn off' }));
    expect(await screen.findByText('Off. You turned it off.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Send test event' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Turn on' }));
    expect(await screen.findByRole('button', { name: 'Send test event' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Delete webhook' }));
    expect(await screen.findByText('No webhooks yet')).toBeVisible();
    expect(address()).toBe('/connections');
  });

  test('of no webhook says so', async () => {
    await open('/connections/webhook?id=unknown', [webhook(1)]);
    expect(await screen.findByRole('heading', { name: 'Webhook not found' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'All connections' })).toHaveAttribute('href', '/connections');
  });
});
