import type { DirectoryPage } from '@shortlist/contracts/api/directory';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { directoryRow } from './fixtures.ts';
import { address, logInAdmin, openApp } from './render-app.tsx';

const NOTICE = 'That page of the list is no longer available. You are back on the first page.';

const pageOf = (number: number, next: string | null): DirectoryPage => ({
  data: [directoryRow(number)],
  total: 99,
  isCapped: false,
  next,
});

/** A list whose cursors are bound to its order, as on the server. */
const open = (path = '/admin/user-list') => {
  logInAdmin();
  const server = fakeServer({
    listUsers: ({ query }) => {
      const cursor = query.get('cursor');
      if (cursor === null) return pageOf(1, `after-${query.get('sort')}`);
      if (cursor !== `after-${query.get('sort')}`) throw apiFailure('request.stale_cursor');
      return pageOf(2, null);
    },
  });
  return { server, ...openApp(path) };
};

test('Next and Previous wait until the rows of the new order are there', async () => {
  const { server, user } = open();
  await user.click(await screen.findByRole('button', { name: 'Next' }));
  await screen.findByRole('link', { name: 'Person Number 2' });
  let respond = (_page: DirectoryPage): void => undefined;
  server.use({ listUsers: () => new Promise<DirectoryPage>((resolve) => (respond = resolve)) });
  await user.click(screen.getByRole('button', { name: 'Email' }));
  await waitFor(() => expect(address()).toBe('/admin/user-list?sort=email'));
  for (const name of ['Next', 'Previous']) {
    expect(screen.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
    await user.click(screen.getByRole('button', { name }));
  }
  expect(address()).toBe('/admin/user-list?sort=email');
  respond(pageOf(3, 'after-email'));
  await screen.findByRole('link', { name: 'Person Number 3' });
  expect(screen.getByRole('button', { name: 'Next' })).not.toHaveAttribute('aria-disabled');
  expect(screen.getByRole('button', { name: 'Previous' })).toHaveAttribute('aria-disabled', 'true');
});

test('a cursor of another order leads to the first page, and a notice says so until it is dismissed', async () => {
  const { user } = open('/admin/user-list?sort=email&cursor=after-name&page=2');
  expect(await screen.findByText(NOTICE)).toBeInTheDocument();
  expect(await screen.findByRole('link', { name: 'Person Number 1' })).toBeInTheDocument();
  expect(address()).toBe('/admin/user-list?sort=email');
  expect(screen.getByText('1–1 of 99')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText(NOTICE)).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Next' }));
  expect(await screen.findByRole('link', { name: 'Person Number 2' })).toBeInTheDocument();
});

test('the notice of a lost page does not stay for the next view of the list', async () => {
  const { user } = open('/admin/user-list?cursor=garbage');
  await screen.findByText(NOTICE);
  await user.selectOptions(screen.getByLabelText('Plan'), 'free');
  await waitFor(() => expect(screen.queryByText(NOTICE)).not.toBeInTheDocument());
});

test('dismissing a notice on the second page keeps the way to the first', async () => {
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Next' }));
  await screen.findByRole('link', { name: 'Person Number 2' });
  const { state } = window.history;
  window.history.replaceState(state, '', `${address()}&userUpdated=true`);
  window.dispatchEvent(new PopStateEvent('popstate', { state: state as unknown }));
  await user.click(await screen.findByRole('button', { name: 'Dismiss' }));
  expect(window.history.state).toMatchObject({ usr: { cursors: [''] } });
});
