import { until } from '@shortlist/kit/testing/until';
import type { System } from '@shortlist/local/system';
import { callApi, register, type UserSession } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { postForm } from '../../harness/tools.ts';

type Mail = { to: unknown; subject: string; headers: Record<string, string> };

/** Uses four fifths of the free credits, and returns the link in the header of the warning. */
const warnedLink = async (system: System, { token, email }: UserSession): Promise<string> => {
  const body = { reason: 'email_found', reference: 'ana.souza@talent.test', amount: 16 };
  const headers = { 'idempotency-key': 'unsubscribe' };
  const charged = await callApi(`${system.publicUrl}/api/credits/spend`, 'POST', { token, headers, body });
  expect(charged.status).toBe(200);
  let link = '';
  await until('the warning', async () => {
    const { body: sent } = await callApi<{ data: Mail[] }>(`${system.sandboxUrl}/_sandbox/mails`, 'GET');
    const mail = sent.data.find(
      ({ to, subject }) => JSON.stringify(to).includes(email) && subject === 'You are running low on credits',
    );
    link = mail?.headers['List-Unsubscribe']?.slice(1, -1) ?? '';
    return link !== '';
  });
  return link;
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
