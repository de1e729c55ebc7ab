import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { userView } from './fixtures.ts';
import { logInUser, openApp } from './render-app.tsx';

test('the security page names the email', async () => {
  logInUser();
  fakeServer();
  openApp('/security');
  // Its panels are hidden until none moves another.
  await waitFor(() => expect(screen.getByText(userView().email)).toBeVisible());
});
