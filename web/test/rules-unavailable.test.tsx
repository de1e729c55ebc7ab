import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fakeServer, apiFailure } from './fake-server.ts';
import { fillAccount } from './fill-account.ts';
import { fill, openApp } from './render-app.tsx';

/** Loading the code of the rules waits for `gate` and then fails. */
const network = vi.hoisted(() => {
  // Another file of this worker may have loaded the rules.
  vi.resetModules();
  return {
    gate: Promise.resolve(),
    fail: async (): Promise<never> => {
      await network.gate;
      throw new TypeError('Failed to fetch dynamically imported module');
    },
  };
});

vi.mock('../src/lib/form/password-rules.ts', network.fail);
vi.mock('../src/features/account/account-rules.ts', network.fail);

test('Log In is busy from the press on, and proceeds when the rules cannot be loaded', async () => {
  const server = fakeServer({
    login: () => {
      throw apiFailure('identity.credentials_wrong');
    },
  });
  const { user } = openApp('/login');
  let release = (): void => undefined;
  network.gate = new Promise((resolve) => (release = resolve));
  await fill(user, await screen.findByLabelText('Email'), 'amara@talentfield.io');
  await fill(user, screen.getByLabelText('Password'), 'wrong password');
  const button = screen.getByRole('button', { name: 'Log In' });
  await user.click(button);
  expect(button).toHaveAttribute('aria-busy', 'true');
  await user.click(button);
  expect(server.requestsTo('login')).toHaveLength(0);
  release();
  expect(await screen.findByText(/Incorrect login credentials/)).toBeInTheDocument();
  expect(server.requestsTo('login')).toHaveLength(1);
  expect(button).not.toHaveAttribute('aria-busy');
});

test('Sign Up without the rules rejects two different passwords and submits everything else', async () => {
  const server = fakeServer({
    signup: () => {
      throw apiFailure('request.invalid', { city: 'No such city' });
    },
  });
  const { user } = openApp('/register');
  await screen.findByRole('heading', { name: 'Sign Up' });
  await fillAccount(user);
  await user.type(screen.getByLabelText('Repeat password'), 'x');
  await user.click(screen.getByRole('button', { name: 'Sign Up' }));
  expect(await screen.findByText('Passwords do not match')).toBeInTheDocument();
  expect(server.requestsTo('signup')).toHaveLength(0);
  await user.type(screen.getByLabelText('Repeat password'), '{Backspace}');
  await user.click(screen.getByRole('button', { name: 'Sign Up' }));
  expect(await screen.findByText('No such city')).toBeInTheDocument();
});
