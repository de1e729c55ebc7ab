import type { Page } from '@playwright/test';
import { register } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { premiumSubscription, premiumUser } from '../../web/test/fixtures.ts';
import { VIEWS } from '../../web/test/subscription-views.ts';
import { layoutProblems } from './layout-problems.ts';
import { RECORD_SHIFTS } from './page-checks.ts';
import { type Replies, stubReplies } from './replies.ts';

const SIZES = [
  { width: 360, height: 640 },
  { width: 1440, height: 900 },
];

const logIn = async (page: Page, token: string): Promise<void> => {
  await page.addInitScript((value) => {
    localStorage.setItem('endUserToken', value);
    localStorage.setItem('welcomed:endUserToken', 'true'); // a toast would make the page longer while it is measured
  }, token);
};

test('the list of countries floats over the page, and the page keeps its length', async ({
  page,
  system,
}) => {
  const { token } = await register(system);
  await logIn(page, token);
  await page.goto('/profile');
  await page.getByText('Confirm your email.').waitFor(); // the bar above moves the page
  const country = page.getByLabel('Country');
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await country.scrollIntoViewIfNeeded();
    const pageHeight = () => page.evaluate<number>('document.documentElement.scrollHeight');
    const before = await pageHeight();
    await country.click();
    await expect(page.getByRole('listbox')).toBeInViewport({ ratio: 1 });
    expect(await pageHeight()).toBe(before);
    await page.keyboard.press('Escape');
  }
});

test('the header of the settings covers what scrolls below it', async ({ page, system }) => {
  const { token } = await register(system);
  await logIn(page, token);
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto('/');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Restore defaults' }).scrollIntoViewIfNeeded();
  await expect(page.locator('.settings-head')).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
});

test('the alert of a failed checkout is as wide as the plan below it', async ({ page, system }) => {
  const { token } = await register(system);
  await logIn(page, token);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/payments');
  await page.route('**/api/subscribe*', (route) => route.abort());
  await page.getByRole('button', { name: 'Get Started' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'We cannot reach the server' });
  const plan = page.getByRole('region', { name: 'The monthly plan' });
  await expect(alert).toBeVisible();
  expect((await alert.boundingBox())?.width).toBe((await plan.boundingBox())?.width);
});

test('a dialog on a scrolled page leaves the sidebar and the page where they are', async ({
  page,
  system,
}) => {
  const { token } = await register(system);
  await logIn(page, token);
  await page.setViewportSize({ width: 1440, height: 500 });
  await page.goto('/privacy');
  await page.getByRole('button', { name: 'Delete my account' }).scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 2_000);
  const sidebar = page.getByRole('navigation', { name: 'Account' });
  const places = async () => [(await sidebar.boundingBox())?.y, await page.evaluate<number>('scrollY')];
  await expect.poll(async () => (await places())[1]).toBeGreaterThan(0);
  const before = await places();
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await places()).toEqual(before);
});

test('a price that arrives late moves nothing', async ({ page, system }) => {
  const { token } = await register(system);
  await logIn(page, token);
  await page.addInitScript(RECORD_SHIFTS);
  const arrived = Promise.withResolvers<void>();
  await page.route('**/api/config', async (route) => {
    await arrived.promise;
    await route.continue();
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/payments');
  await expect(page.getByRole('button', { name: 'Get Started' })).toBeVisible();
  await expect(page.getByText(/You have not used any yet/)).toBeVisible();
  await page.evaluate('window.shifts = []');
  arrived.resolve();
  await expect(page.getByText('$59')).toBeVisible();
  expect(
    await page.evaluate<{ value: number }[]>('window.shifts.filter(({ value }) => value > 0.005)'),
  ).toEqual([]);
});

test('the page of a plan begins where it began while the plan was loading, on a phone', async ({
  page,
  system,
}) => {
  const { token } = await register(system);
  await logIn(page, token);
  const setReplies = await stubReplies(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const topOf = async (subscription: NonNullable<Replies['subscription']>, description: string) => {
    const checkUser = { user: premiumUser(), remainingTime: 3_600 };
    setReplies({ checkUser, subscription, invoices: { data: [] } });
    await page.goto('/payments');
    await expect(page.locator('.page-header').getByText(description)).toBeVisible();
    return (await page.locator('.page-header + .stack').boundingBox())?.y;
  };
  const loading = await topOf('pending', 'Loading Your Payment Information');
  for (const [view, description] of [
    [{}, 'currently paid for and active'],
    [VIEWS.ending, 'Premium ends on'],
    [VIEWS.granted, 'granted by our team'],
  ] as const)
    expect(await topOf({ data: premiumSubscription(view) }, description)).toBe(loading);
});

test('the fields of a form stand in two columns from 640 px of content, on one line also beside a label that wraps', async ({
  page,
  system,
}) => {
  const { token } = await register(system);
  await logIn(page, token);
  await page.goto('/profile');
  const top = async (label: string) => (await page.getByLabel(label).boundingBox())?.y;
  await page.setViewportSize({ width: 660, height: 900 });
  await expect(page.getByLabel('First name')).toBeVisible();
  expect(await top('First name')).not.toBe(await top('Last name'));
  await page.setViewportSize({ width: 700, height: 900 });
  expect(await top('First name')).toBe(await top('Last name'));
  const label = page.getByText('First name', { exact: true });
  await label.evaluate(`(label) => void (label.textContent = 'A first name '.repeat(6))`);
  for (const width of [320, 768, 1440]) expect(await layoutProblems(page, width)).toEqual([]);
});

test('Connections and Security have two columns from 1181 px, below that one as wide as a form; an empty list is 96 px high', async ({
  page,
  system,
}) => {
  const { token } = await register(system);
  await logIn(page, token);
  const boxOf = async (name: string) => {
    const box = await page.getByRole('region', { name, exact: true }).boundingBox();
    return box ?? { x: 0, y: 0, width: 0, height: 0 };
  };
  for (const [path, first, second] of [
    ['/security', 'Sign-in', 'Devices'],
    ['/connections', 'API keys', 'Webhooks'],
  ] as const) {
    await page.setViewportSize({ width: 1181, height: 900 });
    await page.goto(path);
    await expect(page.getByRole('region', { name: second, exact: true })).toBeVisible();
    expect((await boxOf(second)).x).toBeGreaterThan((await boxOf(first)).x + (await boxOf(first)).width);
    await page.setViewportSize({ width: 1180, height: 900 });
    const [one, other] = [await boxOf(first), await boxOf(second)];
    expect(other.y).toBeGreaterThan(one.y + one.height);
    expect([one.width, other.width]).toEqual([736, 736]);
  }
  const empty = page.getByRole('heading', { name: 'No keys yet' }).locator('../..');
  const icon = await empty.locator('svg').boundingBox();
  const text = await empty.locator('div').boundingBox();
  expect((await empty.boundingBox())?.height).toBe(96);
  expect(text?.x).toBeGreaterThan((icon?.x ?? 0) + (icon?.width ?? 0));
});
