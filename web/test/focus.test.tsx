import { screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import { fakeServer, apiFailure } from './fake-server.ts';
import { userView } from './fixtures.ts';
import { fill, logInUser, openApp } from './render-app.tsx';

/** Returns a function that says whether an element had the focus as soon as it was in the document, before the user could type elsewhere. */
const watchFocus = (role: string, name: string) => {
  const seen: boolean[] = [];
  const observer = new MutationObserver(() => {
    const control = screen.queryByRole(role, { name });
    if (control !== null) seen.push(control === document.activeElement);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  onTestFinished(() => observer.disconnect());
  return () => seen[0];
};

test('the heading of the next page has the focus as soon as it is shown', async () => {
  logInUser();
  fakeServer({
    credits: () => {
      throw apiFailure('session.missing');
    },
  });
  const hadFocus = watchFocus('heading', 'Log In');
  openApp('/credits');
  await screen.findByRole('heading', { name: 'Log In' });
  expect(hadFocus()).toBe(true);
});

test('a save keeps the focus on its button while it runs and after it fails', async () => {
  logInUser();
  let fail = (): void => undefined;
  const server = fakeServer({
    updateUser: () =>
      new Promise((_resolve, reject) => {
        fail = () => reject(apiFailure('service.unavailable'));
      }),
  });
  const { user } = openApp('/profile');
  const button = await screen.findByRole('button', { name: 'Save' });
  await user.click(button);
  await waitFor(() => expect(server.requestsTo('updateUser')).toHaveLength(1));
  expect(button).toHaveAttribute('aria-disabled', 'true');
  expect(button).toHaveAttribute('aria-busy', 'true');
  expect(button).toHaveFocus();
  await user.keyboard('{Enter}');
  await user.type(screen.getByLabelText('City'), '{Enter}');
  button.focus();
  fail();
  expect(await screen.findByRole('alert')).toBeInTheDocument();
  expect(button).toHaveFocus();
  expect(button).not.toHaveAttribute('aria-disabled');
  expect(server.requestsTo('updateUser')).toHaveLength(1);
});

test('the last page of the history keeps the focus on Older, which does nothing', async () => {
  logInUser();
  const entry = { id: '1', reason: 'email_found', reference: null, clientId: null, amount: -1 };
  const firstEntry = { ...entry, reason: 'message_composed', createdAt: '2026-11-21T09:12:00.000Z' };
  const server = fakeServer({
    creditsHistory: ({ query }) =>
      query.get('cursor') === null
        ? { data: [firstEntry], next: 'c2' }
        : { data: [{ ...firstEntry, reason: 'email_found' }], next: null },
  });
  const { user } = openApp('/credits');
  const older = await screen.findByRole('button', { name: 'Older' });
  await user.click(older);
  expect(await screen.findByRole('cell', { name: 'Email found' })).toBeInTheDocument();
  expect(older).toHaveAttribute('aria-disabled', 'true');
  expect(older).toHaveFocus();
  const requestCount = server.requestsTo('creditsHistory').length;
  await user.keyboard('{Enter}');
  expect(server.requestsTo('creditsHistory')).toHaveLength(requestCount);
});

test('dismissing an alert moves the focus to the page’s heading', async () => {
  fakeServer({
    login: () => {
      throw apiFailure('identity.credentials_wrong');
    },
  });
  const { user } = openApp('/login');
  await fill(user, await screen.findByLabelText('Email'), 'amara@talentfield.io');
  await user.type(screen.getByLabelText('Password'), 'wrong password{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  expect(screen.getByRole('heading', { name: 'Log In' })).toHaveFocus();
});

test('a choice after a conflict moves the focus to the page’s heading', async () => {
  logInUser();
  const server = fakeServer({
    updateUser: () => {
      throw apiFailure('profile.version_conflict');
    },
  });
  const { user } = openApp('/profile');
  const save = await screen.findByRole('button', { name: 'Save' });
  server.use({ checkUser: () => ({ remainingTime: 3_600, user: userView({ city: 'Tromsø', version: 4 }) }) });
  await user.type(screen.getByLabelText('City'), 'x');
  await user.click(save);
  await screen.findByText('Tromsø');
  server.use({ updateUser: () => new Promise(() => undefined) });
  await user.click(screen.getByRole('button', { name: 'Save the values from here' }));
  expect(screen.getByRole('heading', { name: 'User Profile' })).toHaveFocus();
});

test.each([
  ['Country', 'Norway', 'swe'],
  ['Primary recruiting industry', userView().primaryRecruitingIndustry, 'fin'],
])('Escape in %s restores the previous value', async (...[label, before, typed]) => {
  logInUser();
  fakeServer();
  const { user } = openApp('/profile');
  const input = await screen.findByLabelText(label);
  await user.clear(input);
  await user.type(input, typed);
  await user.keyboard('{Escape}');
  expect(input).toHaveValue(before);
  await user.tab();
  expect(input).toHaveValue(before);
  expect(input).toBeValid();
});

test('a dialog answers the keys from the moment at which it is in the document', async () => {
  logInUser();
  fakeServer();
  const { user } = openApp('/');
  await screen.findByRole('heading', { name: 'Account Management Panel' });
  let presses = 0;
  const observer = new MutationObserver(() => {
    if (presses > 0 || screen.queryByRole('dialog') === null) return;
    presses += 1;
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  });
  observer.observe(document.body, { childList: true, subtree: true });
  onTestFinished(() => observer.disconnect());
  await user.keyboard('?');
  await waitFor(() => expect(presses).toBe(1));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});
