import { act, screen, within } from '@testing-library/react';
import { mutate } from 'swr';
import { expect, test } from 'vitest';
import { apiFailure, fakeServer, LINKS } from './fake-server.ts';
import { fillAccount } from './fill-account.ts';
import { PRICE } from './fixtures.ts';
import { openApp } from './render-app.tsx';

// SWR's cache outlives a test, and it does not repeat a request that has just been made.
const loadConfig = () => act(() => mutate(['config']));

const MISSING = 'Please accept the terms to sign up.';

const openSignUp = async (text: string | null = null) => {
  const server = fakeServer({
    config: () => ({
      brand: 'Shortlist',
      passwordMin: 6,
      consent: { version: '2026-11', text },
      price: PRICE,
      links: LINKS,
    }),
    signup: () => ({ message: 'signup', data: { id: '1', email: 'amara@talentfield.io', picture: null } }),
  });
  const { user } = openApp('/register');
  await screen.findByRole('heading', { name: 'Sign Up' });
  await loadConfig();
  const box = await screen.findByRole('checkbox');
  return { server, user, box };
};

test('a sign-up needs the consent that is configured, and sends it', async () => {
  const { server, user, box } = await openSignUp();
  expect(box).toHaveAccessibleName(/^I agree to the Terms of Service/);
  await fillAccount(user);
  await user.click(screen.getByRole('button', { name: 'Sign Up' }));
  expect(await screen.findByText(MISSING)).toBeInTheDocument();
  expect(box).toHaveFocus();
  expect(box).toBeInvalid();
  expect(server.requestsTo('signup')).toHaveLength(0);
  await user.click(box);
  expect(screen.queryByText(MISSING)).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Sign Up' }));
  await screen.findByText('You have successful registered, please login below');
  expect(server.requestsTo('signup')[0]?.userData).toMatchObject({ termsAccepted: '2026-11' });
});

test.each([
  [null, 'Terms of Service', 'Privacy Policy'],
  ['Our <terms>rules</terms> and our <privacy>promise</privacy> apply.', 'rules', 'promise'],
])('the consent links to the terms and the privacy policy: %s', async (text, terms, privacy) => {
  const { box } = await openSignUp(text);
  const label = within(box.closest('label') ?? document.body);
  expect(label.getByRole('link', { name: new RegExp(`^${terms}`) })).toHaveAttribute('href', LINKS.terms);
  expect(label.getByRole('link', { name: new RegExp(`^${privacy}`) })).toHaveAttribute('href', LINKS.privacy);
});

test('without configured terms a sign-up has no checkbox and sends no consent', async () => {
  const server = fakeServer({
    signup: () => ({ message: 'signup', data: { id: '1', email: 'amara@talentfield.io', picture: null } }),
  });
  const { user } = openApp('/register');
  await screen.findByRole('heading', { name: 'Sign Up' });
  await loadConfig();
  await fillAccount(user);
  expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Sign Up' }));
  await screen.findByText('You have successful registered, please login below');
  expect(server.requestsTo('signup')[0]?.userData).not.toHaveProperty('termsAccepted');
});

test('terms that were set after the page was loaded appear when the server requires them', async () => {
  const server = fakeServer({
    signup: () => {
      throw apiFailure('request.invalid', { termsAccepted: MISSING });
    },
  });
  const { user } = openApp('/register');
  await screen.findByRole('heading', { name: 'Sign Up' });
  await loadConfig();
  await fillAccount(user);
  server.use({
    config: () => ({
      brand: 'B',
      passwordMin: 6,
      consent: { version: '2', text: null },
      price: PRICE,
      links: LINKS,
    }),
  });
  await user.click(screen.getByRole('button', { name: 'Sign Up' }));
  expect(await screen.findByRole('checkbox')).toBeInvalid();
  expect(screen.getByText(MISSING)).toBeInTheDocument();
});

test('terms that were changed after the page was loaded need a consent of their own', async () => {
  const { server, user, box } = await openSignUp();
  await fillAccount(user);
  await user.click(box);
  server.use({
    config: () => ({
      brand: 'Shortlist',
      passwordMin: 6,
      price: PRICE,
      links: LINKS,
      consent: { version: '2026-12', text: 'The <terms>new terms</terms> apply.' },
    }),
    signup: ({ userData }) => {
      if (userData['termsAccepted'] !== '2026-12')
        throw apiFailure('request.invalid', { termsAccepted: MISSING });
      return { message: 'signup', data: { id: '1', email: 'amara@talentfield.io', picture: null } };
    },
  });
  await user.click(screen.getByRole('button', { name: 'Sign Up' }));
  const newBox = await screen.findByRole('checkbox', { name: /new terms/ });
  expect(newBox).not.toBeChecked();
  expect(newBox).toBeInvalid();
  await user.click(newBox);
  await user.click(screen.getByRole('button', { name: 'Sign Up' }));
  expect(await screen.findByText('You have successful registered, please login below')).toBeInTheDocument();
});
