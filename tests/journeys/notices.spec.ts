import { randomUUID } from 'node:crypto';
import { days } from '@shortlist/contracts/durations';
import { callApi, logInAdmin, newUser, register } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { logInByForm } from './log-in-page.ts';

test('a notice comes to an open page, changes there, and goes when an admin ends it', async ({
  system,
  page,
}) => {
  const user = newUser();
  await register(system, user);
  const live = page.waitForResponse('**/api/live');
  await logInByForm(page, user);
  await live;
  const token = await logInAdmin(system);
  const path = `${system.publicUrl}/api/admin/notices/${randomUUID()}`;
  const body = {
    ...{
      audience: 'free',
      tone: 'info',
      text: 'We move on Sunday',
      linkLabel: 'See how',
      linkTo: '/credits',
    },
    from: new Date(Date.now() - days(1)).toISOString(),
    until: new Date(Date.now() + days(1)).toISOString(),
  };
  expect((await callApi(path, 'PUT', { token, body })).status).toBe(200);
  await expect(page.getByText('We move on Sunday')).toBeVisible();
  await page.getByRole('link', { name: 'See how' }).click();
  await page.waitForURL('**/credits');

  const changed = { ...body, text: 'We moved', tone: 'warn', version: 1 };
  expect((await callApi(path, 'POST', { token, body: changed })).status).toBe(200);
  await expect(page.getByText('We moved')).toBeVisible();
  const late = { ...changed, text: 'We stay' };
  expect((await callApi(path, 'POST', { token, body: late })).status).toBe(409);

  expect((await callApi(`${path}/end`, 'POST', { token })).status).toBe(200);
  await expect(page.getByText('We moved')).toHaveCount(0);
  expect((await callApi(path, 'POST', { token, body: changed })).status).toBe(409);
});
