import type { System } from '@shortlist/local/system';
import type { Page } from '@playwright/test';
import { openBus } from '../../harness/broker.ts';
import { callApi, logInAdmin, payAtProvider, register } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { submitLogIn } from './log-in-page.ts';

// What fails here would be in the lists of other journeys.
test.use({ systemOf: 'system-screen' });

const openSystem = async (page: Page, { admin }: System): Promise<void> => {
  await page.goto('/admin/login');
  await submitLogIn(page, admin);
  await expect(page.getByText('You are the Admin')).toBeVisible();
  await page.getByRole('link', { name: 'System' }).click();
  await expect(page.getByRole('heading', { name: 'Services' })).toBeVisible();
};

const panel = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

const listActions = async (system: System, action: string): Promise<unknown[]> => {
  const token = await logInAdmin(system);
  const path = `${system.publicUrl}/api/admin/audit?action=${action}`;
  return (await callApi<{ data: unknown[] }>(path, 'GET', { token })).body.data;
};

test('an owner sees every process, and a webhook that fails, and replays it', async ({ page, system }) => {
  const faults = `${system.sandboxUrl}/_sandbox/faults`;
  await openSystem(page, system);
  await expect(page.getByRole('cell', { name: 'Running' })).toHaveCount(6);
  const webhooks = panel(page, 'Stripe webhooks');
  const failed = webhooks.getByRole('group').first();

  await test.step('it fails while Stripe does', async () => {
    const body = { method: 'GET', path: '/v1/subscriptions', status: 500, times: 1_000 };
    await callApi(faults, 'PUT', { body });
    await payAtProvider(system, await register(system));
    await expect(async () => {
      await page.getByRole('button', { name: 'Check now' }).click();
      await expect(failed).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expect(page.getByText(/webhooks? ha(s|ve) failed/)).toBeVisible();
  });

  await test.step('it opens to its payload, and fails again', async () => {
    await failed.locator('summary').click();
    await expect(failed.getByLabel('What is stored of it')).toBeVisible();
    await failed.getByRole('button', { name: /^Replay/ }).click();
    await expect(page.getByText(/[1-9]\d* failed again/).first()).toBeVisible();
    expect(await listActions(system, 'system.replay_webhook')).not.toEqual([]);
  });

  await test.step('nothing is left once Stripe responds', async () => {
    await callApi(faults, 'DELETE');
    const replayAll = page.getByRole('button', { name: /^Replay \d+ failed$/ });
    // Reconciliation may have been faster.
    if (await replayAll.isVisible()) {
      await replayAll.click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Replay \d+ failed$/ })
        .click();
    }
    await expect(async () => {
      await page.getByRole('button', { name: 'Check now' }).click();
      await expect(webhooks.getByText('No webhook has failed.')).toBeVisible({ timeout: 2_000 });
    }).toPass();
  });
});

test('an owner replays a dead letter of one consumer and discards that of another with a reason', async ({
  page,
  system,
}) => {
  const bus = openBus(system.backing.kafkaBrokers);
  await bus.publish('identity.events', [{ key: 'poison', value: '{ not json' }]);
  await bus.close();
  await openSystem(page, system);
  const letters = panel(page, 'Failed events');
  const letterOf = (consumer: string) =>
    letters.getByRole('group').filter({ has: page.locator('summary', { hasText: consumer }) });
  await expect(async () => {
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(letterOf('Credits')).toHaveCount(1, { timeout: 2_000 });
    await expect(letterOf('Profile')).toHaveCount(1, { timeout: 2_000 });
  }).toPass();

  await test.step('discards one', async () => {
    await letterOf('Credits').locator('summary').click();
    await letterOf('Credits')
      .getByRole('button', { name: /^Discard/ })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(dialog.getByText('Please enter a reason')).toBeVisible();
    await dialog.getByLabel('Reason').fill('Not an event');
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(letterOf('Credits')).toHaveCount(0);
    expect(await listActions(system, 'system.discard_dead_letter')).toMatchObject([
      { after: { consumer: 'credits', reason: 'Not an event' } },
    ]);
  });

  await test.step('replays another', async () => {
    await letterOf('Profile').locator('summary').click();
    await letterOf('Profile')
      .getByRole('button', { name: /^Replay/ })
      .click();
    await expect(page.getByText(/The event was sent again/)).toBeVisible();
    expect(await listActions(system, 'system.replay_dead_letter')).toMatchObject([
      { after: { consumer: 'profile' } },
    ]);
  });
});
