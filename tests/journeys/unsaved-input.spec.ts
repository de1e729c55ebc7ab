import { callApi, register } from '../../harness/client.ts';
import { expect, test } from '../../harness/system.ts';

test('a recruiter whose session ends during an edit logs in again and finds the unsaved input', async ({
  page,
  system,
}) => {
  const user = await register(system);
  await page.addInitScript((token) => {
    // Only once: the page removes the token at the end of the session, and a navigation must not restore it.
    if (sessionStorage.getItem('initialised') === null) localStorage.setItem('endUserToken', token);
    sessionStorage.setItem('initialised', 'yes');
  }, user.token);

  await test.step('changes the profile without saving', async () => {
    await page.goto('/profile');
    await page.getByLabel('City').fill('Port Harcourt');
    await page.getByLabel(/New password/).fill('a secret of mine');
    await page.getByLabel('Repeat password', { exact: true }).fill('a secret of mine');
    await page.getByLabel('Current password', { exact: true }).fill('a long enough one');
  });

  await test.step('saves after the session has ended and is sent to the log-in', async () => {
    // The end that the page remembers: a session that is ended before takes the unsaved input with it.
    await page.evaluate(() => sessionStorage.setItem('sessionEnds:endUserToken', '0'));
    // The session ends when the page saves: were it to end before, a request in the background could send the page to the log-in.
    await page.route('**/api/**', async (route) => {
      if (route.request().method() === 'PUT') {
        const { status } = await callApi(`${system.publicUrl}/api/logout`, 'POST', { token: user.token });
        expect(status).toBe(200);
      }
      await route.continue();
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible();
    const stored = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    expect(stored).not.toMatch(/a secret of mine|a long enough one/);
    await page.unrouteAll();
  });

  await test.step('logs in and finds the input on the same page, except the password', async () => {
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password', { exact: true }).fill('a long enough one');
    await page.getByRole('button', { name: 'Log In' }).click();
    await expect(page.getByText(/We restored your unsaved changes/)).toBeVisible();
    await expect(page).toHaveURL(/\/profile$/);
    await expect(page.getByLabel('City')).toHaveValue('Port Harcourt');
    await expect(page.getByLabel(/New password/)).toHaveValue('');
  });

  await test.step('saves, and the input is no longer stored', async () => {
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('heading', { name: 'Account Management Panel' })).toBeVisible();
    await page.goto('/profile');
    await expect(page.getByLabel('City')).toHaveValue('Port Harcourt');
    await expect(page.getByText(/We restored your unsaved changes/)).toHaveCount(0);
  });
});
