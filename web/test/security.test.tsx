import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { userView } from './fixtures.ts';
import { logInUser, openApp } from './render-app.tsx';

test('the security page names the email', async () => {
  logInUser();
  fakeServer();
  openApp('/security');
  expect(await screen.findByText(userView().email)).toBeVisible();
});
