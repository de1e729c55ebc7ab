import { callApi, logIn, newUser } from '../../harness/client.ts';
import { payByCard } from './checkout-page.ts';
import { fillNewUser } from './new-user-form.ts';
import { expect, test } from '../../harness/system.ts';

test('a recruiter registers, pays $59, gets 500 credits and spends two; an admin unsubscribes them and grants premium again', async ({
  page,
  browser,
  system,
}) => {
  const user = newUser({ firstName: 'Ingrid', lastName: 'Solberg' });

  await test.step('registers', async () => {
    await page.goto('/register');
    await fillNewUser(page, user);
    await page.getByRole('button', { name: 'Sign Up' }).click();
    await expect(page).toHaveURL(/\/login\?signUp=success/);
    await expect(page.getByText('You have successful registered, please login below')).toBeVisible();
  });

  await test.step('logs in', async () => {
    await expect(page.getByLabel('Email')).toHaveValue(user.email);
    await page.getByLabel('Password', { exact: true }).fill(user.password);
    await page.getByRole('button', { name: 'Log In' }).click();
    await expect(page.getByRole('heading', { name: 'Account Management Panel' })).toBeVisible();
    await expect(page.getByText('Free User')).toBeVisible();
  });

  await test.step('pays by card', async () => {
    await page.getByRole('link', { name: 'Manage Subscription' }).click();
    await page.getByRole('button', { name: 'Get Started' }).click();
    await payByCard(page, 'Ingrid Solberg');
    await expect(page.getByText('Thank you for your purchase')).toBeVisible();
    await expect(page.getByText('Your payment has been processed successfully.')).toBeVisible();
    await expect(page.getByText('Premium User')).toBeVisible();
  });

  await test.step('has 500 credits, spends two and sees the change without a reload', async () => {
    await page.getByRole('link', { name: 'Credits & Usage' }).click();
    await expect(page.getByText('of 500')).toBeVisible();
    // As the extension does, with a session of its own: the one of the page is bound to its browser.
    const { token } = await logIn(system, user);
    for (const reference of ['linkedin.com/in/one', 'linkedin.com/in/two']) {
      const { status } = await callApi(`${system.publicUrl}/api/credits/spend`, 'POST', {
        token,
        headers: { 'idempotency-key': `journey-${reference}` },
        body: { reason: 'email_found', reference },
      });
      expect(status).toBe(200);
    }
    await expect(page.getByText('498', { exact: true })).toBeVisible();
    await expect(page.getByText('linkedin.com/in/two')).toBeVisible();
  });

  await test.step('an admin finds the user, unsubscribes them and grants premium again', async () => {
    const adminContext = await browser.newContext({ baseURL: system.publicUrl });
    const adminPage = await adminContext.newPage();
    await adminPage.goto('/admin/login');
    await adminPage.getByLabel('Email').fill(system.admin.email);
    await adminPage.getByLabel('Password', { exact: true }).fill(system.admin.password);
    await adminPage.getByRole('button', { name: 'Log In' }).click();
    await expect(adminPage.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
    await adminPage.getByRole('link', { name: 'All Users' }).click();
    await adminPage.getByRole('searchbox', { name: 'Search' }).fill(user.email);
    const row = adminPage.getByRole('row').filter({ hasText: user.email });
    await expect(row).toContainText('Premium');
    await row.getByText('Ingrid Solberg').click();
    await expect(adminPage).toHaveURL(/\/admin\/edit-user\?user_id=/);
    await adminPage.getByRole('button', { name: 'Unsubscribe' }).click();
    await adminPage.getByRole('radio', { name: /^Now/ }).check();
    await adminPage.getByRole('button', { name: 'End Premium now' }).click();
    await expect(adminPage.getByText('User has been unsubscribed and is now Free.')).toBeVisible();
    await expect(page.getByText('Free User')).toBeVisible();
    await adminPage.getByRole('button', { name: 'Make Him A Premium User' }).click();
    await adminPage.getByRole('button', { name: 'Grant Premium' }).click();
    await expect(adminPage.getByRole('button', { name: 'Unsubscribe' })).toBeVisible();
    await expect(page.getByText('Premium User')).toBeVisible();
    await adminContext.close();
  });
});
