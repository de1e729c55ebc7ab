import type { Locator } from '@playwright/test';
import { logInAdmin, register } from '../../harness/client.ts';
import { controlProblems, PHONE } from './layout-problems.ts';
import { expect, test } from '../../harness/system.ts';

type Box = { x: number; y: number; width: number; height: number };

const boxOf = async (locator: Locator): Promise<Box> => {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('the element has no box');
  return box;
};

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

test('the plan of a user stands before the form on a phone and beside it on a desktop, also for the keyboard', async ({
  page,
  system,
}) => {
  const { id } = await register(system);
  const token = await logInAdmin(system);
  await page.addInitScript((value) => localStorage.setItem('token', value), token);
  await page.goto(`/admin/edit-user?user_id=${id}`);
  const plan = page.getByRole('region', { name: 'Subscription Information' });
  const form = page.getByRole('region', { name: 'Details' });
  const tabFromHead = async (): Promise<void> => {
    await page.getByRole('link', { name: 'Changes' }).focus();
    await page.keyboard.press('Tab');
  };

  await page.setViewportSize(PHONE);
  await tabFromHead();
  await expect(plan.getByRole('button', { name: 'Make Him A Premium User' })).toBeFocused();
  const [planOnPhone, formOnPhone] = [await boxOf(plan), await boxOf(form)];
  expect(planOnPhone.y + planOnPhone.height).toBeLessThan(formOnPhone.y);

  await page.setViewportSize({ width: 1440, height: 900 });
  await tabFromHead();
  await expect(form.getByLabel(/^Password/)).toBeFocused();
  const [planBeside, formBeside] = [await boxOf(plan), await boxOf(form)];
  expect(planBeside.y).toBe(formBeside.y);
  expect(formBeside.x + formBeside.width).toBeLessThan(planBeside.x);
});
