import type { Page } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { chargeCredit, newUser, register } from '../../harness/client.ts';
import { installPythonPackages, runPython } from '../../harness/python.ts';
import { expect, test } from '../../harness/system.ts';
import { openReceiver } from '../../harness/webhook-receiver.ts';
import { logInByForm } from './log-in-page.ts';

type Received = Awaited<ReturnType<typeof openReceiver>>['received'][number];

const VERIFY = `
import json, sys
from standardwebhooks import Webhook
secret, headers, body = json.load(sys.stdin)
print(Webhook(secret).verify(body, headers)["type"])
`;

/** Adds a webhook in the browser, and returns the secret that was copied. */
const addWebhook = async (page: Page, url: string): Promise<string> => {
  await page.getByRole('link', { name: 'Connections' }).click();
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const form = page.getByRole('dialog', { name: 'Add a webhook' });
  await form.getByLabel('Address').fill(url);
  await form.getByRole('button', { name: 'Add webhook' }).click();
  const shown = page.getByRole('dialog', { name: 'Copy the secret now' });
  await shown.getByRole('button', { name: 'Copy' }).click();
  await shown.getByRole('button', { name: 'Done' }).click();
  return page.evaluate<string>('navigator.clipboard.readText()');
};

/** Both libraries of Standard Webhooks accept the message. */
const expectVerified = async (secret: string, { headers, body }: Received, type: string): Promise<void> => {
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ type });
  const python = await installPythonPackages('standardwebhooks', ['standardwebhooks==1.1.0']);
  if ('missing' in python) {
    // A machine without Python or its package index leaves this to CI.
    expect(process.env.CI, python.missing).toBeUndefined();
    return void test.info().annotations.push({ type: 'not run', description: python.missing });
  }
  expect(await runPython(python, VERIFY, [secret, headers, body])).toBe(type);
};

const removeWebhook = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await expect(page.getByText('No webhooks yet')).toBeVisible();
};

test('A user adds a webhook, both libraries of Standard Webhooks verify what it gets, and a failed message is sent again.', async ({
  system,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const receiver = await openReceiver();
  const user = newUser();
  const session = await register(system, user);
  await logInByForm(page, user);
  const secret = await addWebhook(page, receiver.url);

  await page.getByRole('link', { name: /^Open 127/ }).click();
  await page.getByRole('button', { name: 'Send test event' }).click();
  const line = page.getByRole('listitem').filter({ hasText: 'Test event' });
  await expect(line).toContainText('Delivered');
  await expectVerified(secret, receiver.received[0] ?? { headers: {}, body: '' }, 'webhook.test');

  receiver.respond(503);
  await chargeCredit(system, session, { operationId: 'most-of-them', amount: 16 });
  const low = page.getByRole('listitem').filter({ hasText: 'credits.low' });
  await expect(low).toContainText('503');
  receiver.respond(204);
  await low.locator('summary').click();
  await low.getByRole('button', { name: 'Send again' }).click();
  await expect(low).toContainText('Delivered');
  const sent = receiver.received.filter(({ body }) => body.includes('credits.low'));
  expect(new Set(sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({ data: { used: 16, limit: 20, available: 4 } });

  await removeWebhook(page);
  receiver.close();
});
