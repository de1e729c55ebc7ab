import type { Browser, Page } from '@playwright/test';
import { newUser, register, mailedLink } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';
import { addAdmin, type AdminAccount, INVITATION } from '../../harness/team.ts';

const PASSWORD = 'a long enough one';

type Invited = { name: string; email: string };

const typeLogIn = async (page: Page, { email, password }: AdminAccount): Promise<void> => {
  await page.goto('/admin/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log In' }).click();
};

/** Logs an admin in with a browser of its own. */
const openPanel = async (browser: Browser, account: AdminAccount): Promise<Page> => {
  const page = await (await browser.newContext()).newPage();
  await typeLogIn(page, account);
  await page.waitForURL((url) => url.pathname === '/admin/');
  return page;
};

/** Presses a button of the open dialog. The admin has just logged in, so that no further proof is required. */
const confirm = (page: Page, name: string): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

/** Opens the page of a mailed invitation, enters a name, chooses a password and logs in. */
const acceptInvitation = async (browser: Browser, link: string, { name, email }: Invited): Promise<Page> => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(link);
  await expect(page.getByText(email)).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Repeat password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create my account' }).click();
  await page.getByRole('link', { name: 'Log In' }).click();
  await typeLogIn(page, { email, password: PASSWORD });
  return page;
};

test('D6 An owner invites an admin, who accepts, and whose role decides what the panel shows', async ({
  system,
  browser,
}) => {
  const email = `support-${Date.now()}@shortlist.test`;
  const owner = await openPanel(browser, system.admin);
  await owner.goto('/admin/team');
  await owner.getByRole('button', { name: 'Invite admin' }).click();
  await owner.getByLabel('Work email').fill(email);
  await owner.getByRole('radio', { name: /Support/ }).check();
  await confirm(owner, 'Send invitation');
  await expect(owner.getByRole('row', { name: new RegExp(email) })).toContainText('Invited');

  const link = await mailedLink(system, email, INVITATION);
  const name = 'Kavya Raman';
  const invited = await acceptInvitation(browser, link, { name, email });
  await expect(invited.getByRole('heading', { name: 'New Users' })).toBeVisible();
  await expect(invited.getByText('Earnings')).toHaveCount(0);
  await expect(invited.getByRole('link', { name: 'Team' })).toHaveCount(0);
  await invited.goto('/admin/team');
  await expect(invited.getByRole('heading', { name: 'Your role does not include this page' })).toBeVisible();

  await owner.reload();
  await expect(owner.getByRole('row', { name: new RegExp(email) })).toContainText(name);
  // The own line of the last owner has no control that would take the role away.
  const ownLine = owner.getByRole('row', { name: new RegExp(system.admin.email) });
  await expect(ownLine).toContainText('(you)');
  await expect(ownLine.getByRole('button')).toHaveCount(0);
  await expect(ownLine.getByRole('combobox')).toHaveCount(0);
});

test('D6 A new role counts in an open session, and a suspension ends it', async ({ system, browser }) => {
  const account = await addAdmin(system, 'support');
  const [owner, admin] = [await openPanel(browser, system.admin), await openPanel(browser, account)];
  await expect(admin.getByRole('link', { name: 'Audit log' })).toBeVisible();

  await owner.goto('/admin/team');
  await owner.getByRole('combobox', { name: `Role of ${account.email}` }).selectOption('Finance');
  await confirm(owner, 'Change role');
  await expect(owner.getByRole('dialog')).toHaveCount(0);
  await admin.reload();
  await expect(admin.getByText('Earnings').first()).toBeVisible();
  await expect(admin.getByRole('link', { name: 'Audit log' })).toHaveCount(0);

  await owner.getByRole('button', { name: `Suspend ${account.email}` }).click();
  await owner.getByLabel('Reason').fill('On leave');
  await confirm(owner, 'Suspend');
  await expect(owner.getByRole('row', { name: new RegExp(account.email) })).toContainText('Suspended');
  await admin.goto('/admin/user-list');
  await admin.waitForURL((url) => url.pathname === '/admin/login');
  await typeLogIn(admin, account);
  await expect(admin.getByText(/Your access to the panel is suspended/)).toBeVisible();
});

test('D7 Support views the pages of a user for a reason, changes nothing, and the user sees it', async ({
  system,
  browser,
}) => {
  const user = await register(system, newUser());
  const support = await openPanel(browser, await addAdmin(system, 'support'));
  await support.goto(`/admin/edit-user?user_id=${user.id}`);
  const [tab] = await Promise.all([
    support.waitForEvent('popup'),
    support.getByRole('link', { name: 'View as this user' }).click(),
  ]);
  await tab.getByLabel('Reason').fill('The price looks wrong');
  await tab.getByRole('button', { name: /^View as/ }).click();
  await expect(tab.getByText('You are viewing the account of Amara Okafor')).toBeVisible();
  await expect(tab.getByText('14 minutes left')).toBeVisible();

  await tab.goto('/profile');
  await expect(tab.getByText(/you cannot change anything/)).toBeVisible();
  await expect(tab.getByRole('button', { name: 'Save' })).toBeDisabled();
  await tab.goto('/security');
  await expect(tab.getByText('Support viewed your account')).toBeVisible();

  await tab.getByRole('button', { name: 'Stop' }).click();
  await tab.waitForURL((url) => url.pathname + url.search === `/admin/edit-user?user_id=${user.id}`);
  await support.getByRole('link', { name: 'Changes' }).click();
  await expect(support.getByText('The price looks wrong')).toBeVisible();
});
