import { readFile } from 'node:fs/promises';
import type { Browser, Page } from '@playwright/test';
import { ORGANIZATION_TYPES, ROLE_TYPES } from '@shortlist/contracts/option-lists';
import type { System } from '@shortlist/local/system';
import { ask, logInAdmin, newPerson, register, signUp } from './client.ts';
import { pictureFile } from './picture.ts';
import { expect, test } from './system.ts';

const openDesk = async (browser: Browser, system: System): Promise<Page> => {
  const desk = await (await browser.newContext({ baseURL: system.publicUrl })).newPage();
  await desk.goto('/admin/login');
  await desk.getByLabel('Email').fill(system.admin.email);
  await desk.getByLabel('Password', { exact: true }).fill(system.admin.password);
  await desk.getByRole('button', { name: 'Log In' }).click();
  await expect(desk.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  return desk;
};

const expectOptions = (desk: Page, label: string, options: readonly string[]): Promise<void> =>
  expect(desk.getByLabel(label).locator('option')).toHaveText([...options]);

test('an admin adds a user, edits them with a picture, makes them premium and unsubscribes them, and deletes them', async ({
  browser,
  system,
}) => {
  const person = newPerson({ firstName: 'Freya', lastName: 'Nilsson' });
  const desk = await openDesk(browser, system);

  await test.step('adds', async () => {
    await desk.getByRole('link', { name: 'Create a new User', exact: true }).click();
    await expectOptions(desk, 'Role type', ['Not set', ...ROLE_TYPES]);
    await expectOptions(desk, 'Agency, TA or Hiring Manager', ['Choose one', ...ORGANIZATION_TYPES]);
    await desk.getByLabel('First name').fill(person.firstName);
    await desk.getByLabel('Last name').fill(person.lastName);
    await desk.getByLabel('Email').fill(person.email);
    await desk.getByLabel('Password', { exact: true }).fill(person.password);
    await desk.getByLabel('Repeat password', { exact: true }).fill(person.password);
    await desk.getByLabel('Organization name').fill(person.organizationName);
    await desk.getByLabel('Agency, TA or Hiring Manager').selectOption(person.typeOfOrganization);
    await desk.getByLabel('Role type').selectOption('Multiple Role');
    await desk.getByLabel('Primary recruiting industry').fill(person.primaryRecruitingIndustry);
    await desk.getByLabel('Country').fill(person.country);
    await desk.getByRole('option', { name: person.country, exact: true }).click();
    await desk.getByLabel('City').fill(person.city);
    await desk.getByRole('button', { name: 'Create User' }).click();
    await expect(desk).toHaveURL(/\/admin\/user-list\?newUserCreated=true/);
    await expect(desk.getByText('New User Is Created Successfully!')).toBeVisible();
  });

  await test.step('edits with a picture', async () => {
    await desk.getByRole('searchbox', { name: 'Search' }).fill(person.email);
    await desk.getByRole('link', { name: 'Freya Nilsson' }).click();
    await expect(desk.getByLabel('Role type')).toHaveValue('Multiple Role');
    await desk.getByLabel('Role type').selectOption('Single Role');
    await desk.getByLabel('City').fill('Uppsala');
    await desk.getByLabel('Profile picture').setInputFiles(pictureFile());
    await desk.getByRole('button', { name: 'Save' }).click();
    await expect(desk).toHaveURL(/\/admin\/user-list\?userUpdated=true/);
    const row = desk.getByRole('row').filter({ hasText: person.email });
    await expect(row.locator('img')).toHaveAttribute('src', /\/profile_pictures\/[0-9a-f]{32}\.jpg$/);
    await row.getByRole('link').click();
    await expect(desk.getByLabel('City')).toHaveValue('Uppsala');
    await expect(desk.getByLabel('Role type')).toHaveValue('Single Role');
  });

  await test.step('grants and revokes', async () => {
    await desk.getByRole('button', { name: 'Make Him A Premium User' }).click();
    await expect(desk.getByText('Freya Nilsson is now Premium.')).toBeVisible();
    await desk.getByRole('button', { name: 'Unsubscribe' }).click();
    await expect(desk.getByText('User has been unsubscribed and is now Free.')).toBeVisible();
    await expect(desk.getByRole('button', { name: 'Make Him A Premium User' })).toBeVisible();
  });

  await test.step('every change is noted, on the page and at the door', async () => {
    const panel = desk.getByRole('region', { name: 'Changes by admins' });
    for (const words of ['Unsubscribed', 'Premium granted', 'Profile changed', 'Account created'])
      await expect(panel.getByText(words).first()).toBeVisible();
    await expect(panel.getByText('city: Lagos → Uppsala')).toBeVisible();
    const id = new URL(desk.url()).searchParams.get('user_id') ?? '';
    const { body } = await ask<{ data: { action: string }[] }>(
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
    expect(JSON.stringify(body)).not.toContain(person.password);
  });

  await test.step('deletes', async () => {
    await desk.getByRole('link', { name: 'All Users' }).click();
    await desk.getByRole('searchbox', { name: 'Search' }).fill(person.email);
    await desk.getByRole('button', { name: 'Delete Freya Nilsson' }).click();
    const dialog = desk.getByRole('dialog', { name: 'Delete This User!' });
    await expect(dialog.getByText('Do you want to delete Freya Nilsson permanently?')).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await desk.getByRole('button', { name: 'Delete Freya Nilsson' }).click();
    await dialog.getByRole('button', { name: 'Yes' }).click();
    await expect(desk).toHaveURL(/\/admin\/user-list\?userDeleted=true/);
    await expect(desk.getByText('That User Has Been Removed From The List.')).toBeVisible();
    await expect(desk.getByText(person.email)).toHaveCount(0);
  });
  await desk.context().close();
});

test('the list keeps its search, filters, order and page in the address; Back and a reload restore them; the CSV is what they leave', async ({
  browser,
  system,
}) => {
  const organizationName = 'Zephyr Crossing';
  const bad = ['=HYPERLINK("http://evil.test")', '+1', '-2', '@SUM(A1)'];
  const people = Array.from({ length: 30 }, (_, index) =>
    newPerson({
      firstName: `Person${String(index).padStart(2, '0')}`,
      lastName: bad[index] ?? 'Plain',
      organizationName: bad[index] === undefined ? organizationName : `${bad[index]} ${organizationName}`,
      country: index < 28 ? 'Iceland' : 'Norway',
    }),
  );
  await register(system, { organizationName: 'Somebody Else' }); // whom the search leaves out
  for (const person of people) expect((await signUp(system, person)).status).toBe(201);
  const desk = await openDesk(browser, system);
  await desk.getByRole('link', { name: 'All Users' }).click();
  const first = desk.locator('tbody tr').first();

  await desk.getByRole('searchbox', { name: 'Search' }).fill('zephyr');
  await expect(desk.getByText('1–30 of 30')).toBeVisible();
  await desk.getByLabel('Country').selectOption('Iceland');
  await expect(desk.getByText('1–28 of 28')).toBeVisible();
  await desk.getByRole('button', { name: 'Full Name' }).click();
  await expect(first).toContainText('Person00');
  await desk.getByRole('button', { name: 'Full Name' }).click();
  await expect(first).toContainText('Person27');
  await desk.getByLabel('Users on a page').selectOption('25');
  await expect(desk.getByText('1–25 of 28')).toBeVisible();
  await desk.getByRole('button', { name: 'Next' }).click();
  await expect(desk.getByText('26–28 of 28')).toBeVisible();
  await expect(first).toContainText('Person02');

  const address = new URL(desk.url());
  for (const [name, value] of [
    ['search', 'zephyr'],
    ['country', 'Iceland'],
    ['sort', '-name'],
    ['limit', '25'],
    ['page', '2'],
  ])
    expect(address.searchParams.get(name ?? '')).toBe(value);
  await desk.reload();
  await expect(desk.getByText('26–28 of 28')).toBeVisible();
  await expect(first).toContainText('Person02');
  await first.getByRole('link').click();
  await expect(desk).toHaveURL(/edit-user/);
  await desk.goBack();
  await expect(desk.getByText('26–28 of 28')).toBeVisible();
  await desk.goBack();
  await expect(desk.getByText('1–25 of 28')).toBeVisible();
  await expect(first).toContainText('Person27');

  const [saved] = await Promise.all([
    desk.waitForEvent('download'),
    desk.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  const lines = (await readFile(await saved.path(), 'utf8')).replace('\uFEFF', '').trimEnd().split('\r\n');
  expect(lines[0]).toBe('Full Name,Email,Organization,Country,Plan,Join Date');
  expect(lines).toHaveLength(1 + 28);
  const written = people.slice(0, 28).toReversed();
  for (const [index, { email }] of written.entries()) expect(lines[index + 1]).toContain(`,${email},`);
  expect(lines.at(-1)).toContain(`"'=HYPERLINK(""http://evil.test"") ${organizationName}"`);
  for (const cell of lines.slice(1).flatMap((line) => line.split(',')))
    expect(cell).not.toMatch(/^"?[=+\-@]/);
  await desk.context().close();
});

test('two admins edit the same person: the second is told what the first has saved, keeps the input or takes theirs', async ({
  browser,
  system,
}) => {
  const { id } = await register(system, { firstName: 'Kenji', lastName: 'Tanaka', city: 'Osaka' });
  const [one, other] = [await openDesk(browser, system), await openDesk(browser, system)];
  const open = async (): Promise<void> => {
    for (const desk of [one, other]) {
      await desk.goto(`/admin/edit-user?user_id=${id}`);
      await expect(desk.getByLabel('First name')).toHaveValue('Kenji');
    }
  };
  const save = (desk: Page): Promise<void> => desk.getByRole('button', { name: 'Save' }).click();

  await open();
  await one.getByLabel('City').fill('Kyoto');
  await save(one);
  await expect(one).toHaveURL(/userUpdated=true/);
  await other.getByLabel('Last name').fill('Watanabe');
  const [refused] = await Promise.all([
    other.waitForResponse((response) => response.request().method() === 'PUT'),
    save(other),
  ]);
  expect(refused.status()).toBe(409);
  await expect(other.getByText('City: Kyoto')).toBeVisible();
  await expect(other.getByLabel('Last name')).toHaveValue('Watanabe');
  await other.getByRole('button', { name: 'Keep my input' }).click();
  await expect(other.getByLabel('Last name')).toHaveValue('Watanabe');
  await save(other);
  await expect(other).toHaveURL(/userUpdated=true/);

  await open();
  await one.getByLabel('City').fill('Sapporo');
  await save(one);
  await expect(one).toHaveURL(/userUpdated=true/);
  await other.getByLabel('City').fill('Nagoya');
  await save(other);
  await other.getByRole('button', { name: 'Use theirs' }).click();
  await expect(other.getByLabel('City')).toHaveValue('Sapporo');
  await expect(other.getByLabel('Last name')).toHaveValue('Watanabe');
  await other.getByLabel('City').fill('Kobe');
  await save(other);
  await expect(other).toHaveURL(/userUpdated=true/);
  for (const desk of [one, other]) await desk.context().close();
});
