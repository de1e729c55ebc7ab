import { callApi, logInAdmin, mailSubjects } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';

test('an admin sees every email, and gets one as a test', async ({ system, page }) => {
  const { admin } = system;
  await page.goto('/admin/login');
  await page.getByLabel('Email').fill(admin.email);
  await page.getByLabel('Password', { exact: true }).fill(admin.password);
  await page.getByRole('button', { name: 'Log In' }).click();
  await page.waitForURL((url) => url.pathname === '/admin/');
  await page.getByRole('link', { name: 'Emails', exact: true }).click();
  await page.getByRole('link', { name: 'Show the email: You are running low on credits' }).first().click();
  const shown = page.frameLocator('iframe').getByText('You have 4 of your 20 credits left');
  await expect(shown.last()).toBeVisible(); // the first is the hidden text that a list of mails shows
  await page.getByRole('button', { name: 'Send me a test' }).click();
  await expect
    .poll(() => mailSubjects(system, admin.email))
    .toContain('[Test] You are running low on credits');
});

test('the emails are for admins', async ({ system }) => {
  const path = `${system.publicUrl}/api/admin/emails`;
  expect((await callApi(path, 'GET')).status).toBe(401);
  expect((await callApi(path, 'GET', { token: await logInAdmin(system) })).status).toBe(200);
});
