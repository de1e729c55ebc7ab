import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { directoryRow, userView } from './fixtures.ts';
import { sessions } from '../src/lib/state/sessions.ts';
import { address, fill, logInAdmin, openApp } from './render-app.tsx';

const FILTERED = '/admin/user-list?search=amara&plan=premium&sort=email';
const SECOND_PAGE = `${FILTERED}&cursor=c2&page=2`;

/** Opens the second page of a searched, filtered and sorted list. */
const openSecondPage = async () => {
  logInAdmin();
  const server = fakeServer({
    listUsers: ({ query }) =>
      query.get('cursor') === 'c2'
        ? { data: [directoryRow(51)], total: 51, isCapped: false, next: null }
        : { data: [directoryRow(1)], total: 51, isCapped: false, next: 'c2' },
    getUser: () => ({ data: userView() }),
    updateUser: () => ({ message: 'updated', data: userView() }),
    deleteUser: () => ({ message: 'deleted' }),
  });
  const app = openApp(FILTERED);
  await app.user.click(await screen.findByRole('button', { name: 'Next' }));
  await screen.findByRole('link', { name: 'Person Number 51' });
  expect(address()).toBe(SECOND_PAGE);
  return { server, ...app };
};

const openUser = async () => {
  const app = await openSecondPage();
  await app.user.click(screen.getByRole('link', { name: 'Person Number 51' }));
  await screen.findByRole('heading', { name: 'Amara Okafor' });
  return app;
};

type User = Awaited<ReturnType<typeof openUser>>['user'];

/** Expects the previous view of the list, including the cursor of its previous page. */
const expectSecondPage = async (user: User): Promise<void> => {
  await screen.findByRole('link', { name: 'Person Number 51' });
  expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveValue('amara');
  expect(screen.getByLabelText('Plan')).toHaveValue('premium');
  expect(screen.getByText('51–51 of 51')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Previous' }));
  expect(await screen.findByRole('link', { name: 'Person Number 1' })).toBeInTheDocument();
};

test('Cancel returns to the previous view of the list', async () => {
  const { user } = await openUser();
  await user.click(screen.getByRole('link', { name: 'Cancel' }));
  await waitFor(() => expect(address()).toBe(SECOND_PAGE));
  await expectSecondPage(user);
});

test('the link back from a user’s details returns to the previous view of the list', async () => {
  const { user } = await openSecondPage();
  await user.click(screen.getByRole('button', { name: 'View Person Number 51' }));
  await user.click(await screen.findByRole('link', { name: 'Back to All Users' }));
  await waitFor(() => expect(address()).toBe(SECOND_PAGE));
  await expectSecondPage(user);
});

test('a save returns to the previous view of the list with a notice', async () => {
  const { user } = await openUser();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('The user has been updated.')).toBeInTheDocument();
  expect(address()).toBe(SECOND_PAGE.replace('?', '?userUpdated=true&'));
  await expectSecondPage(user);
});

test('a notice is not repeated on the way back from the next user', async () => {
  const { user } = await openUser();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('The user has been updated.');
  await user.click(await screen.findByRole('link', { name: 'Person Number 51' }));
  await user.click(await screen.findByRole('link', { name: 'Cancel' }));
  await waitFor(() => expect(address()).toBe(SECOND_PAGE));
  expect(screen.queryByText('The user has been updated.')).not.toBeInTheDocument();
});

test('a deletion keeps the view, and an empty page links to the previous one', async () => {
  const { server, user } = await openSecondPage();
  await user.click(screen.getByRole('button', { name: 'Delete Person Number 51' }));
  server.use({
    listUsers: ({ query }) => ({
      data: query.has('cursor') ? [] : [directoryRow(1)],
      total: 50,
      isCapped: false,
      next: null,
    }),
  });
  await user.click(screen.getByRole('button', { name: 'Yes' }));
  expect(await screen.findByText('That User Has Been Removed From The List.')).toBeInTheDocument();
  expect(address()).toBe(SECOND_PAGE.replace('?', '?userDeleted=true&'));
  await user.click(await screen.findByRole('button', { name: 'Go to the previous page' }));
  expect(await screen.findByRole('link', { name: 'Person Number 1' })).toBeInTheDocument();
  expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveValue('amara');
});

test('All Users in the sidebar resets the view', async () => {
  const { user } = await openUser();
  await user.click(screen.getByRole('link', { name: 'All Users' }));
  await waitFor(() => expect(address()).toBe('/admin/user-list'));
  await user.click(await screen.findByRole('link', { name: 'Person Number 1' }));
  await user.click(await screen.findByRole('link', { name: 'Cancel' }));
  await waitFor(() => expect(address()).toBe('/admin/user-list'));
});

test('a user opened by URL links back to the whole list', async () => {
  logInAdmin();
  fakeServer({ getUser: () => ({ data: userView() }) });
  const { user } = openApp(`/admin/edit-user?user_id=${userView().id}`);
  await user.click(await screen.findByRole('link', { name: 'Cancel' }));
  await waitFor(() => expect(address()).toBe('/admin/user-list'));
});

test('the view of one admin is not restored for the next', async () => {
  const { store, user } = await openUser();
  store.dispatch(sessions.logoutRequested('admin'));
  await fill(user, await screen.findByLabelText('Email'), 'root@shortlist.io');
  expect(store.getState().listView).toEqual({ search: '', cursors: [] });
});
