import {
  callApi,
  confirmEmail,
  logIn,
  mailedLink,
  newUser,
  payAtProvider,
  signUp,
} from '../../harness/client.ts';
import { logInByForm } from './log-in-page.ts';
import { expect, test } from '../../harness/system.ts';

test('A13 a user changes the email, pays with it, and the former address takes the account back', async ({
  page,
  system,
}) => {
  const user = newUser();
  expect((await signUp(system, user)).status).toBe(201);
  const session = await logIn(system, user);
  await confirmEmail(system, session);
  await payAtProvider(system, session);
  const email = `new-${user.email}`;

  const customerEmails = async (): Promise<(string | null)[]> => {
    const key = system.secrets.STRIPE_SECRET_KEY;
    const { body } = await callApi<{ data: { email: string | null; metadata: { userId?: string } }[] }>(
      `${system.sandboxUrl}/v1/customers?limit=100`,
      'GET',
      { token: key },
    );
    return body.data.filter(({ metadata }) => metadata.userId === session.id).map((one) => one.email);
  };

  await test.step('requests the change on the page of the security settings', async () => {
    await logInByForm(page, user);
    await expect(page.getByRole('heading', { name: 'Account Management Panel' })).toBeVisible();
    await page.goto('/security');
    await page.getByRole('button', { name: 'Change email' }).click();
    await page.getByLabel('New email').fill(email);
    await page.getByLabel('Your password', { exact: true }).fill(user.password);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByText('Confirm your new email')).toBeVisible();
  });

  await test.step('confirms it by the link of the mail, and stays logged in', async () => {
    await page.goto(await mailedLink(system, email, 'Confirm your new email'));
    await expect(page).toHaveURL(/\/confirm-email$/);
    await page.getByRole('button', { name: 'Confirm email' }).click();
    await expect(page.getByRole('heading', { name: 'Your email was changed' })).toBeVisible();
    const check = await callApi(`${system.publicUrl}/authentication_check`, 'GET', { token: session.token });
    expect(check.status, 'the other session').toBe(401);
    await page.goto('/security');
    await expect(page.getByText(email)).toBeVisible();
  });

  await test.step('the customer at the provider has the new address, and the log-in takes it alone', async () => {
    await expect.poll(customerEmails).toEqual([email]);
    expect((await logIn(system, { ...user, email })).token).toBeTruthy();
    const { status } = await callApi(`${system.publicUrl}/login`, 'POST', {
      body: { email: user.email, password: user.password },
    });
    expect(status).toBe(401);
  });

  await test.step('the former address undoes the change with a new password', async () => {
    await page.goto(await mailedLink(system, user.email, 'Your email was changed'));
    await expect(page.getByText(user.email)).toBeVisible();
    await page.getByLabel('New password', { exact: true }).fill('mine again today');
    await page.getByLabel('Repeat password', { exact: true }).fill('mine again today');
    await page.getByRole('button', { name: 'Undo the change' }).click();
    await expect(page.getByRole('heading', { name: 'The change is undone' })).toBeVisible();
    const former = { email: user.email, password: user.password };
    const refused = await callApi(`${system.publicUrl}/login`, 'POST', { body: former });
    expect(refused.status, 'the former password').toBe(401);
    await logInByForm(page, { email: user.email, password: 'mine again today' });
    await expect(page, 'the page that was visited last').toHaveURL(/\/security$/);
    await expect(page.getByText(user.email)).toBeVisible();
    await expect.poll(customerEmails).toEqual([user.email]);
  });
});
