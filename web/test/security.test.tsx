import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { userView } from './fixtures.ts';
import { address, logInUser, openApp } from './render-app.tsx';

test('the security page names the email and leads to the password of the profile, which takes the focus', async () => {
  logInUser();
  fakeServer();
  const { user } = openApp('/security');
  expect(await screen.findByText(userView().email)).toBeVisible();
  await user.click(screen.getByRole('link', { name: 'Change password' }));
  const section = await screen.findByRole('heading', { name: 'Sign-in details' });
  await waitFor(() => expect(section).toHaveFocus());
  expect(address()).toBe('/profile');
  expect(section.closest('#password')).toContainElement(screen.getByLabelText(/New password/));
});
