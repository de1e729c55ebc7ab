import { logInAdmin, register } from '../../harness/client.ts';
import { controlProblems, PHONE } from './layout-problems.ts';
import { expect, test } from '../../harness/system.ts';

const PHONE_WIDTHS = [320, 390, 412];

test('the dialog that deletes a user can be confirmed in a window of 320 px', async ({ page, system }) => {
  await register(system);
  const token = await logInAdmin(system);
  await page.addInitScript((value) => localStorage.setItem('token', value), token);
  await page.goto('/admin/user-list');
  for (const width of PHONE_WIDTHS) {
    await page.setViewportSize({ width, height: 640 });
    await page.getByRole('button', { name: 'Delete' }).first().click();
    await expect(page.getByRole('dialog')).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('button', { name: 'Yes', exact: true })).toBeInViewport({ ratio: 1 });
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  }
});

test('the tools on Home are one line each in a narrow window', async ({ page, system }) => {
  const { token } = await register(system);
  await page.addInitScript((value) => localStorage.setItem('endUserToken', value), token);
  await page.goto('/');
  const tools = page.getByRole('navigation', { name: 'Your tools' });
  const description = tools.getByText('Every candidate and conversation in one place');
  await expect(description).toBeVisible();
  for (const width of [360, 768]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(description).toBeHidden();
    for (const link of await tools.getByRole('link').all())
      expect((await link.boundingBox())?.height).toBeLessThanOrEqual(56);
  }
});

test('a toast covers no control that is scrolled to on a phone', async ({ page, system }) => {
  const { token } = await register(system);
  await page.addInitScript((value) => localStorage.setItem('endUserToken', value), token);
  await page.setViewportSize(PHONE);
  await page.goto('/');
  const toast = page.getByText(/^Welcome, /);
  await toast.hover(); // it stays as long
  expect(await controlProblems(page, [PHONE.width])).toEqual([]);
  await expect(toast).toBeVisible();
});
