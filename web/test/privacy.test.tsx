import type { DataExportView } from '@shortlist/contracts/api/privacy';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { premiumUser, subscriptionOf, userView } from './fixtures.ts';
import { fill, logInAdmin, logInUser, openApp } from './render-app.tsx';

const DUE_AT = '2099-12-21T10:04:00.000Z';
const EMAIL = userView().email;
const exportOf = (change: Partial<DataExportView>): DataExportView => ({
  id: '0192f0c0-0000-7000-8000-0000000000aa',
  state: 'waiting',
  done: 0,
  bytes: null,
  expiresAt: null,
  requestedAt: '2026-11-21T10:04:00.000Z',
  ...change,
});

/** A server with this file, which a request replaces by one in preparation. */
const serve = (file: DataExportView | null) => {
  let current = file;
  const server = fakeServer({
    dataExport: () => ({ data: current }),
    requestDataExport: () => ({ data: (current = exportOf({ state: 'running', done: 3 })) }),
    removeDataExport: () => {
      current = null;
      return {};
    },
  });
  return server;
};

const panel = async (name = 'Download my data') => within(await screen.findByRole('region', { name }));
const inDialog = () => within(screen.getByRole('dialog', { name: 'Delete your account' }));

test('a download is requested, shows its progress, and can be stopped', async () => {
  logInUser();
  serve(null);
  const { user } = openApp('/privacy');
  await user.click(await screen.findByRole('button', { name: 'Prepare download' }));
  expect(await screen.findByText('Preparing, 3 of 6 parts')).toBeVisible();
  expect(screen.getByRole('progressbar', { name: 'Preparing your download' })).toHaveAttribute('value', '3');
  await user.click(screen.getByRole('button', { name: 'Stop' }));
  expect(await screen.findByRole('button', { name: 'Prepare download' })).toBeVisible();
});

test('a request that is refused says why', async () => {
  logInUser();
  const server = serve(null);
  server.use({
    requestDataExport: () => {
      throw apiFailure('identity.export_running');
    },
  });
  const { user } = openApp('/privacy');
  await user.click(await screen.findByRole('button', { name: 'Prepare download' }));
  expect(await screen.findByText('Your download is already being prepared.')).toBeVisible();
});

test('a file that is ready is downloaded under its name, and deleted by its user', async () => {
  logInUser();
  const server = serve(exportOf({ state: 'ready', done: 6, bytes: 4_812_345, expiresAt: DUE_AT }));
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  Object.assign(URL, { createObjectURL: () => 'blob:file', revokeObjectURL: () => undefined });
  server.use({ downloadData: () => new Uint8Array([80, 75]) });
  const { user } = openApp('/privacy');
  expect(await (await panel()).findByText(/^4\.8 MB\. Ready until Dec 21, 2099/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Download' }));
  await waitFor(() => expect(clicked).toHaveBeenCalledOnce());
  const [link] = clicked.mock.contexts as HTMLAnchorElement[];
  expect(link?.download).toBe('shortlist-data-2026-11-21.zip');
  await user.click(screen.getByRole('button', { name: 'Delete this file' }));
  expect(await screen.findByRole('button', { name: 'Prepare download' })).toBeVisible();
});

test.each([
  ['expired', /^The file from Nov 21, 2026 expired on Dec 21, 2099 and was deleted\.$/, 'Prepare a new one'],
  ['failed', /could not be prepared. Nothing was lost. Reference 0000000000aa/, 'Try again'],
] as const)('a file that is %s can be requested again', async (state, text, button) => {
  logInUser();
  serve(exportOf({ state, expiresAt: DUE_AT }));
  openApp('/privacy');
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.getByRole('button', { name: button })).toBeVisible();
});

test('the account is deleted once its address is typed, and the user is logged out', async () => {
  logInUser();
  const server = fakeServer({
    checkUser: () => ({ remainingTime: 3_600, user: premiumUser() }),
    requestDeletion: () => ({ message: 'requested', data: { requestedAt: DUE_AT, dueAt: DUE_AT } }),
  });
  const { user } = openApp('/privacy');
  await user.click((await panel('Delete my account')).getByRole('button', { name: 'Delete my account' }));
  const dialog = inDialog();
  expect(
    dialog.getByText(/Premium does not renew, and you are not charged \$59\.00 on Dec 20, 2026/),
  ).toBeVisible();
  await user.click(dialog.getByRole('radio', { name: /End Premium now/ }));
  expect(dialog.getByText(/Premium ends, and nothing is refunded/)).toBeVisible();
  const confirm = dialog.getByRole('button', { name: 'Delete my account' });
  expect(confirm).toBeDisabled();
  await fill(user, dialog.getByLabelText(/Why are you leaving/), ' A new job ');
  await fill(user, dialog.getByLabelText('Type your email'), EMAIL);
  await user.click(confirm);
  expect(await screen.findByRole('heading', { name: 'Log In' })).toBeVisible();
  const main = within(screen.getByRole('main'));
  expect(
    main.getByText(/Your account will be deleted on Dec 21, 2099.*keep it/),
    'on the page',
  ).toBeVisible();
  expect(server.requestsTo('requestDeletion').map(({ body }) => body)).toEqual([
    { email: EMAIL, subscription: 'end_now', reason: 'A new job' },
  ]);
  expect(localStorage.getItem('endUserToken')).toBeNull();
});

test('there is no choice without paid time, and a renewal that is not paid can only end', async () => {
  logInUser();
  fakeServer({
    checkUser: () => ({
      remainingTime: 3_600,
      user: premiumUser({ subscription: subscriptionOf('collecting') }),
    }),
  });
  const { user } = openApp('/privacy');
  await user.click((await panel('Delete my account')).getByRole('button', { name: 'Delete my account' }));
  expect(inDialog().queryByRole('radio')).toBeNull();
  expect(inDialog().getByText(/Premium ends, and nothing is refunded/)).toBeVisible();
  await user.click(inDialog().getByRole('button', { name: 'Keep my account' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test.each(['/', '/credits', '/payments/success'])(
  'at %s, an account that is about to be deleted can be kept, and nothing else',
  async (path) => {
    logInUser();
    let isLeaving = true;
    fakeServer({
      checkUser: () => ({
        remainingTime: 3_600,
        user: userView(),
        ...(isLeaving ? { deletionDueAt: DUE_AT } : {}),
      }),
      keepAccount: () => {
        isLeaving = false;
        return { message: 'kept' };
      },
    });
    const { user } = openApp(path);
    expect(await screen.findByRole('heading', { name: 'Your account will be deleted' })).toBeVisible();
    expect(screen.getByText(/will be deleted on Dec 21, 2099/)).toBeVisible();
    expect(screen.queryByRole('navigation', { name: 'Account' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Keep my account' }));
    expect((await screen.findAllByRole('navigation', { name: 'Account' })).length).toBeGreaterThan(0);
    expect(screen.getByText('Your account will not be deleted.')).toBeVisible();
  },
);

test('a log-in to such an account leads to that screen, and out again', async () => {
  fakeServer({
    login: () => ({
      message: 'login',
      data: { token: 'leaving', user: userView(), remainingTime: 3_600, deletionDueAt: DUE_AT },
    }),
  });
  const { user } = openApp('/login');
  await fill(user, await screen.findByLabelText('Email'), EMAIL);
  await fill(user, screen.getByLabelText('Password'), 'open sesame');
  await user.click(screen.getByRole('button', { name: 'Log In' }));
  await screen.findByRole('heading', { name: 'Your account will be deleted' });
  await user.click(screen.getByRole('button', { name: 'Logout' }));
  expect(await screen.findByRole('heading', { name: 'Log In' })).toBeVisible();
});

test('an admin sees on the page of a user that the account is about to be deleted', async () => {
  logInAdmin();
  const { id } = userView();
  fakeServer({
    getUser: () => ({ data: userView() }),
    userDeletion: () => ({ data: { requestedAt: DUE_AT, dueAt: DUE_AT } }),
  });
  openApp(`/admin/user-details?user_id=${id}`);
  expect(await screen.findByText(/asked to delete their account.*Dec 21, 2099/)).toBeVisible();
});
