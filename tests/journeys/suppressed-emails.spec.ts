import {
  callApi,
  confirmEmail,
  logIn,
  logInAdmin,
  mailSubjects,
  newUser,
  signUp,
} from '../../harness/client.ts';
import { createApiKey } from '../../harness/api-keys.ts';
import { select } from '../../harness/database.ts';
import { expect, test } from '../../harness/system.ts';
import { createConnection } from 'mysql2/promise';
import { logInByForm } from './log-in-page.ts';

test('a user whose emails come back sees it, support sees why, and both can have them tried again', async ({
  page,
  browser,
  system,
}) => {
  const user = newUser();
  expect((await signUp(system, user)).status).toBe(201);
  const session = await logIn(system, user);
  await confirmEmail(system, session);
  const setFate = (fate: string) =>
    callApi(`${system.sandboxUrl}/_sandbox/mailboxes`, 'PUT', { body: { email: user.email, fate } });
  const read = async <Row>(sql: string): Promise<Row[]> => {
    const db = await createConnection({ uri: system.backing.databaseAdminUrl });
    try {
      return await select<Row>(db, sql, [session.id]);
    } finally {
      await db.end();
    }
  };
  const statuses = async (): Promise<string[]> => {
    const sql =
      "SELECT status FROM worker.mails WHERE user_id = ? AND template = 'api_key_created' ORDER BY id";
    return (await read<{ status: string }>(sql)).map(({ status }) => status);
  };
  const countSuppressions = async (): Promise<number> =>
    (await read('SELECT 1 FROM worker.suppressions WHERE user_id = ? AND lifted_at IS NULL')).length;
  const subjects = () => mailSubjects(system, user.email);

  await test.step('a mail that comes back is the last one', async () => {
    await setFate('bounce');
    await createApiKey(system, session);
    await expect.poll(statuses).toEqual(['sent']);
    await logInByForm(page, user);
    await expect(page.getByRole('heading', { name: 'Account Management Panel' })).toBeVisible();
    await expect(async () => {
      await page.reload();
      await expect(page.getByText('cannot be delivered')).toBeVisible({ timeout: 5_000 });
    }).toPass();
    await createApiKey(system, session);
    await expect.poll(statuses).toEqual(['sent', 'undeliverable']);
    expect(await subjects()).toHaveLength(2);
  });

  await test.step('support reads what the server of the mailbox said, and tries again', async () => {
    const admin = await (await browser.newContext({ baseURL: system.publicUrl })).newPage();
    await admin.goto('/admin/login');
    await admin.getByLabel('Email').fill(system.admin.email);
    await admin.getByLabel('Password', { exact: true }).fill(system.admin.password);
    await admin.getByRole('button', { name: 'Log In', exact: true }).click();
    await admin.waitForURL(/\/admin\/?$/);
    await admin.goto(`/admin/edit-user?user_id=${session.id}`);
    await expect(admin.getByText('User unknown')).toBeVisible();
    await admin.getByRole('button', { name: 'Try again' }).click();
    await expect(admin.getByText('We send emails there again.')).toBeVisible();
    await expect(admin.getByText('User unknown')).toBeHidden();
    await admin.context().close();
    const audit = await callApi<{ data: { action: string }[] }>(
      `${system.publicUrl}/api/admin/audit?targetId=${session.id}`,
      'GET',
      { token: await logInAdmin(system) },
    );
    expect(audit.body.data.map(({ action }) => action)).toContain('account.retry_email');
  });

  await test.step('the mailbox still refuses, until it works and the user tries again', async () => {
    await createApiKey(system, session);
    await expect.poll(statuses).toEqual(['sent', 'undeliverable', 'sent']);
    // A reloaded page begins with the bar that it had before, so that its text alone says nothing of this email.
    await expect.poll(countSuppressions, { timeout: 30_000 }).toBe(1);
    await page.reload();
    await expect(page.getByText('cannot be delivered')).toBeVisible();
    await setFate('deliver');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText(`An email is on its way to ${user.email}.`)).toBeVisible();
    await expect(page.getByText('cannot be delivered')).toBeHidden();
    await expect.poll(subjects).toContain('Our emails reach you again');
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Account Management Panel' })).toBeVisible();
    await expect(page.getByText('cannot be delivered')).toBeHidden();
  });
});

test('nobody but the provider says that emails come back', async ({ system }) => {
  const forge = (body: string) =>
    fetch(`${system.publicUrl}/api/webhooks/sendgrid`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-twilio-email-event-webhook-signature': 'MEUCIQ==',
        'x-twilio-email-event-webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
      },
      body,
    });
  const event = { event: 'bounce', type: 'bounce', email: 'victim@people.test', mail_id: '0', timestamp: 1 };
  expect((await forge(JSON.stringify([event]))).status).toBe(400);
});
