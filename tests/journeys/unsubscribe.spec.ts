import { randomUUID } from 'node:crypto';
import { until } from '@shortlist/kit/testing/until';
import type { System } from '@shortlist/local/system';
import type { NamedItem, NamedJob } from '@shortlist/contracts/api/bulk';
import { callApi, logInAdmin, mailSubjects, register, type UserSession } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { postForm } from '../../harness/tools.ts';

type Mail = { to: unknown; subject: string; headers: Record<string, string> };

/** The link in the header of a mail, once it has arrived. */
const headerLink = async (system: System, email: string, subject: string): Promise<string> => {
  let link = '';
  await until(`the mail '${subject}'`, async () => {
    const { body: sent } = await callApi<{ data: Mail[] }>(`${system.sandboxUrl}/_sandbox/mails`, 'GET');
    const mail = sent.data.find((one) => JSON.stringify(one.to).includes(email) && one.subject === subject);
    link = mail?.headers['List-Unsubscribe']?.slice(1, -1) ?? '';
    return link !== '';
  });
  return link;
};

/** Uses four fifths of the free credits, and returns the link in the header of the warning. */
const warnedLink = async (system: System, { token, email }: UserSession): Promise<string> => {
  const body = { reason: 'email_found', reference: 'ana.souza@talent.test', amount: 16 };
  const headers = { 'idempotency-key': 'unsubscribe' };
  const charged = await callApi(`${system.publicUrl}/api/credits/spend`, 'POST', { token, headers, body });
  expect(charged.status).toBe(200);
  return headerLink(system, email, 'You are running low on credits');
};

const wantsMails = async ({ publicUrl }: System, { token }: UserSession): Promise<unknown> =>
  (await callApi(`${publicUrl}/api/credits/mails`, 'GET', { token })).body;

test('the link of a warning about credits turns the warnings off, by one click and by its page', async ({
  system,
  page,
}) => {
  const user = await register(system);
  const { pathname, search } = new URL(await warnedLink(system, user));
  await page.goto(pathname + search);
  await expect(page.getByRole('button', { name: 'Turn off these emails' })).toBeVisible();
  expect(await wantsMails(system, user)).toEqual({ enabled: true });

  const click = { 'List-Unsubscribe': 'One-Click' };
  expect((await postForm(system, pathname + search, click)).status).toBe(200);
  expect(await wantsMails(system, user)).toEqual({ enabled: false });

  const on = { token: user.token, body: { enabled: true } };
  await callApi(`${system.publicUrl}/api/credits/mails`, 'PUT', on);
  await page.getByRole('button', { name: 'Turn off these emails' }).click();
  await expect(page.getByRole('heading', { name: 'These emails are turned off' })).toBeVisible();
  expect(await wantsMails(system, user)).toEqual({ enabled: false });

  expect((await postForm(system, `${pathname}${search}x`, click)).status).toBe(410);
});

type Message = { kind: 'message' | 'news'; subject: string };

/** Sends an email to one user as a job, and returns its result. */
const sendToUser = async (
  system: System,
  { id }: UserSession,
  { kind, subject }: Message,
): Promise<Pick<NamedItem, 'state' | 'why'>> => {
  const token = await logInAdmin(system);
  const path = `${system.publicUrl}/api/admin/jobs/${randomUUID()}`;
  const body = { kind, reason: 'Monthly', ids: id, subject, text: 'Name the role in the first line.' };
  expect((await callApi(path, 'PUT', { token, body })).status).toBe(200);
  await until('the job', async () => {
    const { body: job } = await callApi<{ data: NamedJob }>(path, 'GET', { token });
    return job.data.state === 'done';
  });
  const { body: items } = await callApi<{ data: NamedItem[] }>(`${path}/items`, 'GET', { token });
  const [item] = items.data;
  return { state: item?.state ?? 'waiting', why: item?.why ?? null };
};

test('news reach a user until one click turns them off, and again once the profile turns them on', async ({
  system,
  page,
}) => {
  const user = await register(system);
  const done = { state: 'done', why: null };
  expect(await sendToUser(system, user, { kind: 'news', subject: 'First tips' })).toEqual(done);
  const { pathname, search } = new URL(await headerLink(system, user.email, 'First tips'));

  expect((await postForm(system, pathname + search, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200);
  expect(await sendToUser(system, user, { kind: 'news', subject: 'Second tips' })).toEqual({
    state: 'skipped',
    why: 'turned_off',
  });
  expect(await wantsMails(system, user)).toEqual({ enabled: true }); // those about credits
  expect(await sendToUser(system, user, { kind: 'message', subject: 'Maintenance' })).toEqual(done);
  await expect
    .poll(() => mailSubjects(system, user.email), { timeout: 15_000 })
    .toEqual(['First tips', 'Maintenance', 'Welcome to Shortlist']);

  await page.addInitScript((value) => localStorage.setItem('endUserToken', value), user.token);
  await page.goto('/profile');
  const setting = page.getByRole('checkbox', { name: 'News and tips by email' });
  await expect(setting).not.toBeChecked();
  await setting.focus();
  await page.keyboard.press('Space');
  await expect(setting).toBeChecked();
  await expect(setting).not.toHaveAttribute('aria-busy', 'true');
  expect(await sendToUser(system, user, { kind: 'news', subject: 'Third tips' })).toEqual(done);
  await headerLink(system, user.email, 'Third tips');

  await page.goto(pathname + search);
  await expect(page.getByRole('heading', { name: 'Turn off news and tips' })).toBeVisible();
  await page.getByRole('button', { name: 'Turn off these emails' }).click();
  await page.getByRole('link', { name: 'Go to your profile' }).click();
  await expect(setting).not.toBeChecked();
});
