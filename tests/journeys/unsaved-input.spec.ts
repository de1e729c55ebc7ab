import { ask, register } from './client.ts';
import { expect, test } from './system.ts';

test('a recruiter whose session ends while they type logs in again and finds what they had typed', async ({
  page,
  system,
}) => {
  const person = await register(system);
  await page.addInitScript((token) => {
    // Once: the page itself forgets the token when the session is over, and must not find it again.
    if (sessionStorage.getItem('begun') === null) localStorage.setItem('endUserToken', token);
    sessionStorage.setItem('begun', 'yes');
  }, person.token);

  await test.step('they change their profile, and do not save it', async () => {
    await page.goto('/profile');
    await page.getByLabel('City').fill('Port Harcourt');
    await page.getByLabel(/New password/).fill('a secret of mine');
    await page.getByLabel('Repeat password', { exact: true }).fill('a secret of mine');
  });

  await test.step('their session ends elsewhere; saving leads to the log in', async () => {
    const { status } = await ask(`${system.publicUrl}/api/logout`, 'POST', { token: person.token });
    expect(status).toBe(200);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Your session has ended. Please log in again.')).toBeVisible();
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(
      'a secret of mine',
    );
  });

  await test.step('after it they are where they were, with all but the password', async () => {
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill('a long enough one');
    await page.getByRole('button', { name: 'Log In' }).click();
    await expect(page.getByText(/What you had typed and not saved is here again/)).toBeVisible();
    await expect(page).toHaveURL(/\/profile$/);
    await expect(page.getByLabel('City')).toHaveValue('Port Harcourt');
    await expect(page.getByLabel(/New password/)).toHaveValue('');
  });

  await test.step('saved, it is kept no longer', async () => {
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('heading', { name: 'Account Management Panel' })).toBeVisible();
    await page.goto('/profile');
    await expect(page.getByLabel('City')).toHaveValue('Port Harcourt');
    await expect(page.getByText(/What you had typed/)).toHaveCount(0);
  });
});
