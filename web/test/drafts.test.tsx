import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { hours, minutes } from '@shortlist/contracts/durations';
import { fakeServer, apiFailure } from './fake-server.ts';
import { userView } from './fixtures.ts';
import { holdTime } from './hold-time.ts';
import { sessions } from '../src/lib/state/sessions.ts';
import { address, closeApp, fill, logInAdmin, logInUser, openApp, pass } from './render-app.tsx';

const DRAFT_NOTICE = /We restored your unsaved changes/;
const LOG_IN = 'Log In';

const handlersFor = (person = userView(), remainingTime = 3_600) => ({
  checkUser: () => ({ remainingTime, user: person }),
  login: () => ({
    message: 'login' as const,
    data: { token: `again-${person.id}`, user: person, remainingTime: 3_600 },
  }),
  updateUser: () => ({ message: 'updated', data: person }),
});

type User = ReturnType<typeof openApp>['user'];

const fillProfile = async (user: User): Promise<void> => {
  await user.clear(await screen.findByLabelText('City'));
  await fill(user, screen.getByLabelText('City'), 'Tromsø');
  await fill(user, screen.getByLabelText(/New password/), 'a secret of mine');
  await fill(user, screen.getByLabelText('Repeat password'), 'a secret of mine');
  await fill(user, screen.getByLabelText('Current password'), 'another secret of mine');
};

const open = async () => {
  logInUser();
  const server = fakeServer(handlersFor());
  const app = openApp('/profile');
  await fillProfile(app.user);
  return { server, ...app };
};

const logInAgain = async (user: User): Promise<void> => {
  await screen.findByRole('heading', { name: LOG_IN });
  await fill(user, screen.getByLabelText('Email'), 'amara@talentfield.io');
  await fill(user, screen.getByLabelText('Password'), 'long enough');
  await user.click(screen.getByRole('button', { name: 'Log In' }));
};

const logOutInOtherTab = (): void => {
  localStorage.removeItem('endUserToken');
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'endUserToken', newValue: null })));
};

const storedDrafts = (): string => JSON.stringify({ ...sessionStorage });

const expectDraftRestored = async (city = 'Tromsø'): Promise<void> => {
  expect(await screen.findByText(DRAFT_NOTICE)).toBeInTheDocument();
  expect(address()).toBe('/profile');
  expect(screen.getByLabelText('City')).toHaveValue(city);
  expect(screen.getByLabelText('First name')).toHaveValue('Amara');
  expect(screen.getByLabelText(/New password/)).toHaveValue('');
  expect(screen.getByLabelText('Repeat password')).toHaveValue('');
};

const refuse = (): never => {
  throw apiFailure('session.missing');
};

afterEach(() => void vi.restoreAllMocks());

test('a save after the session’s time is over restores the draft after the log-in, except the password', async () => {
  const { server, user } = await open();
  pass(hours(1));
  server.use({ updateUser: refuse });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Your session has ended. Please sign in again.');
  expect(storedDrafts()).not.toContain('a secret of mine');
  server.use(handlersFor());
  await logInAgain(user);
  await expectDraftRestored();
});

test('a save without cookies after the session’s time is over reports the end of the session', async () => {
  const { server, user } = await open();
  pass(hours(1));
  server.use({
    updateUser: () => {
      throw apiFailure('request.cross_site');
    },
    config: refuse,
  });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Your session has ended. Please sign in again.');
  expect(storedDrafts()).toContain('Tromsø');
});

test('a session that the server has ended before its time takes the draft with it', async () => {
  const { server, user } = await open();
  expect(storedDrafts()).toContain('Tromsø');
  server.use({ updateUser: refuse });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Your session has ended. Please sign in again.');
  expect(storedDrafts()).not.toContain('Tromsø');
});

test('a log-out in another tab takes the draft with it', async () => {
  await open();
  expect(storedDrafts()).toContain('Tromsø');
  logOutInOtherTab();
  await screen.findByRole('heading', { name: LOG_IN });
  expect(storedDrafts()).not.toContain('Tromsø');
});

/** Leaves the product and returns to it in the same tab. */
const visitAnotherSite = (meanwhile: () => void): void => {
  closeApp();
  meanwhile();
  openApp('/profile');
};

test('a log-out in another tab while this one shows another site takes the draft with it', async () => {
  await open();
  expect(storedDrafts()).toContain('Tromsø');
  visitAnotherSite(() => localStorage.removeItem('endUserToken'));
  await screen.findByRole('heading', { name: LOG_IN });
  await waitFor(() => expect(storedDrafts()).not.toContain('Tromsø'));
});

test('a draft survives a reload of the page after an admin has logged out in the same tab', async () => {
  logInAdmin();
  const { store, user } = await open();
  await waitFor(() => expect(store.getState().sessions.admin.isLoggedIn).toBe(true));
  act(() => void store.dispatch(sessions.logoutRequested('admin')));
  await waitFor(() => expect(localStorage.getItem('token')).toBeNull());
  await fill(user, screen.getByLabelText('City'), ', Norway');
  visitAnotherSite(() => undefined);
  await expectDraftRestored('Tromsø, Norway');
});

test('a draft survives the end of the session’s time in another tab', async () => {
  const { user } = await open();
  pass(hours(1));
  logOutInOtherTab();
  await logInAgain(user);
  await expectDraftRestored();
});

test('another user who logs in in another tab takes the draft with them', async () => {
  const { server } = await open();
  server.use(handlersFor(userView({ id: '0198a0b0-0000-7000-8000-0000000000ff', city: 'Quito' })));
  localStorage.setItem('endUserToken', 'of-another-user');
  act(
    () =>
      void window.dispatchEvent(
        new StorageEvent('storage', { key: 'endUserToken', newValue: 'of-another-user' }),
      ),
  );
  await waitFor(() => expect(storedDrafts()).not.toContain('Tromsø'));
});

test('a draft survives a session that expires', async () => {
  holdTime();
  logInUser();
  fakeServer(handlersFor(userView(), 600));
  const { user } = openApp('/profile');
  await fillProfile(user);
  await act(() => vi.advanceTimersByTimeAsync(minutes(10)));
  await logInAgain(user);
  await expectDraftRestored();
});

test('another user who logs in after the session’s time is over does not get the draft, which is dropped', async () => {
  const { server, user } = await open();
  pass(hours(1));
  logOutInOtherTab();
  server.use(handlersFor(userView({ id: '0198a0b0-0000-7000-8000-0000000000ff', city: 'Quito' })));
  await logInAgain(user);
  expect(await screen.findByLabelText('City')).toHaveValue('Quito');
  expect(screen.queryByText(DRAFT_NOTICE)).not.toBeInTheDocument();
  expect(storedDrafts()).not.toContain('Tromsø');
});

test('a save removes the draft', async () => {
  const { user } = await open();
  expect(storedDrafts()).toContain('Tromsø');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByRole('heading', { name: 'Account Management Panel' });
  expect(storedDrafts()).not.toContain('Tromsø');
});

test('a log-out removes the draft', async () => {
  const { store } = await open();
  act(() => void store.dispatch(sessions.logoutRequested('user')));
  await screen.findByRole('heading', { name: LOG_IN });
  expect(storedDrafts()).not.toContain('Tromsø');
});

test('Cancel removes the draft', async () => {
  const { user } = await open();
  await user.click(screen.getByRole('link', { name: 'Cancel' }));
  await screen.findByRole('heading', { name: 'Account Management Panel' });
  expect(storedDrafts()).not.toContain('Tromsø');
});

test('Discard removes a restored draft and shows the saved values', async () => {
  logInUser();
  sessionStorage.setItem(`draft:${userView().id}`, JSON.stringify({ city: 'Tromsø' }));
  fakeServer(handlersFor());
  const { user } = openApp('/profile');
  await user.click(await screen.findByRole('button', { name: 'Discard changes' }));
  expect(screen.getByLabelText('City')).toHaveValue(userView().city);
  expect(screen.queryByText(DRAFT_NOTICE)).not.toBeInTheDocument();
  expect(storedDrafts()).not.toContain('Tromsø');
});

test('a form without changes stores no draft', async () => {
  const { user } = await open();
  await user.clear(screen.getByLabelText('City'));
  await fill(user, screen.getByLabelText('City'), userView().city);
  await waitFor(() => expect(storedDrafts()).not.toContain('draft:'));
});

test.each(['{', '[1]', '"x"', '{"city":5}'])('an invalid draft (%s) is ignored', async (stored) => {
  logInUser();
  sessionStorage.setItem(`draft:${userView().id}`, stored);
  fakeServer(handlersFor());
  openApp('/profile');
  expect(await screen.findByLabelText('City')).toHaveValue(userView().city);
});
