import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from '@playwright/test';
import { dayOf, days } from '@shortlist/contracts/durations';
import { ORGANIZATION_TYPES, ROLE_TYPES } from '@shortlist/contracts/option-lists';
import type { System } from '@shortlist/local/system';
import { callApi, logInAdmin, newUser, register, signUp } from '../../harness/client.ts';
import { fillNewUser } from './new-user-form.ts';
import { pictureFile } from '../../harness/picture.ts';
import { expect, test } from '../../harness/system.ts';

const openAdminPage = async (browser: Browser, system: System): Promise<Page> => {
  const adminPage = await (await browser.newContext({ baseURL: system.publicUrl })).newPage();
  await adminPage.goto('/admin/login');
  await adminPage.getByLabel('Email').fill(system.admin.email);
  await adminPage.getByLabel('Password', { exact: true }).fill(system.admin.password);
  await adminPage.getByRole('button', { name: 'Log In' }).click();
  await expect(adminPage.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  return adminPage;
};

const expectOptions = (adminPage: Page, label: string, options: readonly string[]): Promise<void> =>
  expect(adminPage.getByLabel(label).locator('option')).toHaveText([...options]);

test('an admin adds a user, edits them with a picture, makes them premium and unsubscribes them, and deletes them', async ({
  browser,
  system,
}) => {
  const user = newUser({ firstName: 'Freya', lastName: 'Nilsson' });
  const adminPage = await openAdminPage(browser, system);

  await test.step('adds a user', async () => {
    await adminPage.getByRole('link', { name: 'Create a new User', exact: true }).click();
    await expectOptions(adminPage, 'Role type', ['Not set', ...ROLE_TYPES]);
    await expectOptions(adminPage, 'Agency, TA or Hiring Manager', ['Choose one', ...ORGANIZATION_TYPES]);
    await fillNewUser(adminPage, user);
    await adminPage.getByLabel('Role type').selectOption('Multiple Role');
    await adminPage.getByRole('button', { name: 'Create User' }).click();
    await expect(adminPage).toHaveURL(/\/admin\/user-list\?newUserCreated=true/);
    await expect(adminPage.getByText('New User Is Created Successfully!')).toBeVisible();
  });

  await test.step('edits the user with a picture', async () => {
    await adminPage.getByRole('searchbox', { name: 'Search' }).fill(user.email);
    await adminPage.getByRole('link', { name: 'Freya Nilsson' }).click();
    await expect(adminPage.getByLabel('Role type')).toHaveValue('Multiple Role');
    await adminPage.getByLabel('Role type').selectOption('Single Role');
    await adminPage.getByLabel('City').fill('Uppsala');
    await adminPage.getByLabel('Profile picture').setInputFiles(pictureFile());
    await adminPage.getByRole('button', { name: 'Save' }).click();
    await expect(adminPage).toHaveURL(/\/admin\/user-list\?userUpdated=true/);
    const row = adminPage.getByRole('row').filter({ hasText: user.email });
    await expect(row.locator('img')).toHaveAttribute('src', /\/profile_pictures\/[0-9a-f]{32}\.jpg$/);
    await row.getByRole('link').click();
    await expect(adminPage.getByLabel('City')).toHaveValue('Uppsala');
    await expect(adminPage.getByLabel('Role type')).toHaveValue('Single Role');
  });

  await test.step('grants premium for some months and revokes it', async () => {
    await adminPage.getByRole('button', { name: 'Make Him A Premium User' }).click();
    const day = dayOf(new Date(Date.now() + days(100)));
    await adminPage.getByLabel('Last day').fill(day);
    await expect(adminPage.getByText('Includes 500 credits at the start of each of 4 months.')).toBeVisible();
    await adminPage.getByRole('button', { name: 'Grant Premium' }).click();
    await expect(adminPage.getByText('Freya Nilsson is now Premium.')).toBeVisible();
    await expect(adminPage.getByRole('row', { name: `End Date ${day}` })).toBeVisible();
    await adminPage.getByRole('button', { name: 'Unsubscribe' }).click();
    await adminPage.getByRole('button', { name: 'End Premium now' }).click();
    await expect(adminPage.getByText('User has been unsubscribed and is now Free.')).toBeVisible();
    await expect(adminPage.getByRole('button', { name: 'Make Him A Premium User' })).toBeVisible();
  });

  await test.step('every change is in the audit log, on the page and in the API', async () => {
    await adminPage.getByRole('link', { name: 'Changes' }).click();
    const panel = adminPage.getByRole('region', { name: 'Audit log' });
    for (const label of ['Unsubscribed', 'Premium granted', 'Profile changed', 'Account created'])
      await expect(panel.getByText(label).first()).toBeVisible();
    await panel.getByText('Profile changed').first().click();
    await expect(panel.getByRole('row', { name: 'City Lagos Uppsala' })).toBeVisible();
    const id = new URL(adminPage.url()).searchParams.get('user_id') ?? '';
    const { body } = await callApi<{ data: { action: string }[] }>(
      `${system.publicUrl}/api/admin/audit?targetId=${id}`,
      'GET',
      { token: await logInAdmin(system) },
    );
    expect(body.data.map(({ action }) => action)).toEqual([
      'plan.revoke',
      'plan.grant',
      'profile.update',
      'account.create',
    ]);
    expect(JSON.stringify(body)).not.toContain(user.password);
  });

  await test.step('deletes the user', async () => {
    await adminPage.getByRole('link', { name: 'All Users' }).click();
    await adminPage.getByRole('searchbox', { name: 'Search' }).fill(user.email);
    await adminPage.getByRole('button', { name: 'Delete Freya Nilsson' }).click();
    const dialog = adminPage.getByRole('dialog', { name: 'Delete This User!' });
    await expect(dialog.getByText('Do you want to delete Freya Nilsson permanently?')).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await adminPage.getByRole('button', { name: 'Delete Freya Nilsson' }).click();
    await dialog.getByRole('button', { name: 'Yes' }).click();
    await expect(adminPage).toHaveURL(/\/admin\/user-list\?userDeleted=true/);
    await expect(adminPage.getByText('That User Has Been Removed From The List.')).toBeVisible();
    await expect(adminPage.getByText(user.email)).toHaveCount(0);
  });
  await adminPage.context().close();
});

const ORGANIZATION = 'Zephyr Crossing';

/** Twenty-eight of Iceland and two of Norway. Some have names that a spreadsheet would run. */
const listedUsers = () => {
  const formulas = ['=HYPERLINK("http://evil.test")', '+1', '-2', '@SUM(A1)'];
  return Array.from({ length: 30 }, (_, index) =>
    newUser({
      firstName: `Person${String(index).padStart(2, '0')}`,
      lastName: formulas[index] ?? 'Plain',
      organizationName: formulas[index] === undefined ? ORGANIZATION : `${formulas[index]} ${ORGANIZATION}`,
      country: index < 28 ? 'Iceland' : 'Norway',
    }),
  );
};

/** Searches, filters, sorts from Z to A and goes to the second page. */
const selectUsers = async (page: Page, first: Locator): Promise<void> => {
  await page.getByRole('searchbox', { name: 'Search' }).fill('zephyr');
  await expect(page.getByText('1–30 of 30')).toBeVisible();
  await page.getByLabel('Country').selectOption('Iceland');
  await expect(page.getByText('1–28 of 28')).toBeVisible();
  await page.getByRole('button', { name: 'Full Name' }).click();
  await expect(first).toContainText('Person00');
  await page.getByRole('button', { name: 'Full Name' }).click();
  await expect(first).toContainText('Person27');
  await page.getByLabel('Users per page').selectOption('25');
  await expect(page.getByText('1–25 of 28')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('26–28 of 28')).toBeVisible();
  await expect(first).toContainText('Person02');
};

const expectInAddress = (page: Page): void => {
  const { searchParams } = new URL(page.url());
  expect(Object.fromEntries(searchParams)).toMatchObject({
    search: 'zephyr',
    country: 'Iceland',
    sort: '-name',
    limit: '25',
    page: '2',
  });
};

const expectRestored = async (page: Page, first: Locator): Promise<void> => {
  await page.reload();
  await expect(page.getByText('26–28 of 28')).toBeVisible();
  await expect(first).toContainText('Person02');
  await first.getByRole('link').click();
  await expect(page).toHaveURL(/edit-user/);
  await page.goBack();
  await expect(page.getByText('26–28 of 28')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('1–25 of 28')).toBeVisible();
  await expect(first).toContainText('Person27');
};

const exportLines = async (page: Page): Promise<string[]> => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  return text.replace('\uFEFF', '').trimEnd().split('\r\n');
};

test('the list keeps its search, filters, order and page in the address; Back and a reload restore them; the CSV has the same users', async ({
  browser,
  system,
}) => {
  const users = listedUsers();
  await register(system, { organizationName: 'Other Company' }); // does not match the search
  for (const user of users) expect((await signUp(system, user)).status).toBe(201);
  const adminPage = await openAdminPage(browser, system);
  await adminPage.getByRole('link', { name: 'All Users' }).click();
  const first = adminPage.locator('tbody tr').first();
  await selectUsers(adminPage, first);
  expectInAddress(adminPage);
  await expectRestored(adminPage, first);

  const [header, ...lines] = await exportLines(adminPage);
  expect(header).toBe('Full Name,Email,Organization,Country,Plan,Join Date');
  const exported = users.slice(0, 28).toReversed();
  expect(lines).toHaveLength(exported.length);
  for (const [index, { email }] of exported.entries()) expect(lines[index]).toContain(`,${email},`);
  expect(lines.at(-1)).toContain(`"'=HYPERLINK(""http://evil.test"") ${ORGANIZATION}"`);
  for (const cell of lines.flatMap((line) => line.split(','))) expect(cell).not.toMatch(/^"?[=+\-@]/);
  await adminPage.context().close();
});

test('when two admins edit the same user, different fields merge, and the second chooses where both changed one', async ({
  browser,
  system,
}) => {
  const { id } = await register(system, { firstName: 'Kenji', lastName: 'Tanaka', city: 'Osaka' });
  const [first, second] = [await openAdminPage(browser, system), await openAdminPage(browser, system)];
  const openBoth = async (): Promise<void> => {
    for (const adminPage of [first, second]) {
      await adminPage.goto(`/admin/edit-user?user_id=${id}`);
      await expect(adminPage.getByLabel('First name')).toHaveValue('Kenji');
    }
  };
  const save = (adminPage: Page): Promise<void> => adminPage.getByRole('button', { name: 'Save' }).click();

  await openBoth();
  await first.getByLabel('City').fill('Kyoto');
  await save(first);
  await expect(first).toHaveURL(/userUpdated=true/);
  await second.getByLabel('Last name').fill('Watanabe');
  const [refused] = await Promise.all([
    second.waitForResponse((response) => response.request().method() === 'PUT'),
    save(second),
  ]);
  expect(refused.status()).toBe(409);
  await expect(second).toHaveURL(/userUpdated=true/);

  /** Both admins change the city; the second saves last and makes the choice. */
  const collide = async (saved: string, mine: string, choice: string): Promise<void> => {
    await openBoth();
    await first.getByLabel('City').fill(saved);
    await save(first);
    await expect(first).toHaveURL(/userUpdated=true/);
    await second.getByLabel('City').fill(mine);
    await save(second);
    await expect(second.getByText(`City: ${mine} here, ${saved} already saved`)).toBeVisible();
    await second.getByRole('button', { name: choice }).click();
    await expect(second).toHaveURL(/userUpdated=true/);
  };
  const expectSaved = async (city: string): Promise<void> => {
    await openBoth();
    for (const adminPage of [first, second]) {
      await expect(adminPage.getByLabel('City')).toHaveValue(city);
      await expect(adminPage.getByLabel('Last name')).toHaveValue('Watanabe');
    }
  };
  await expectSaved('Kyoto');
  await collide('Sapporo', 'Nagoya', 'Keep what is already saved');
  await expectSaved('Sapporo');
  await collide('Kobe', 'Nara', 'Save the values from here');
  await expectSaved('Nara');
  for (const adminPage of [first, second]) await adminPage.context().close();
});
