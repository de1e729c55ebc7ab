import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { fakeServer, apiFailure } from './fake-server.ts';
import { directoryRow, userView } from './fixtures.ts';
import { address, logInAdmin, openApp } from './render-app.tsx';

const two = {
  data: [directoryRow(1), directoryRow(2, { plan: 'premium' })],
  total: 2,
  isCapped: false,
  next: null,
};

const open = (path = '/admin/user-list') => {
  const token = logInAdmin();
  const server = fakeServer({ listUsers: () => two, getUser: () => ({ data: userView() }) });
  return { token, server, ...openApp(path) };
};

const rowOf = async (name: string) => {
  const row = (await screen.findByRole('link', { name })).closest('tr');
  if (row === null) throw new Error('The name is in no row.');
  return within(row);
};

describe('the list', () => {
  test('has the spec’s columns, dates and badges', async () => {
    const { token, server } = open();
    const row = await rowOf('Person Number 2');
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Full Name',
      'Email',
      'Organization',
      'Country',
      'Join Date',
      'Actions',
    ]);
    expect(row.getByText('2026-11-20')).toBeInTheDocument();
    expect(row.getByText('Premium')).toBeInTheDocument();
    expect(screen.getByText('1–2 of 2')).toBeInTheDocument();
    expect(server.requestsTo('listUsers')[0]?.token).toBe(token);
  });

  test('that is empty says so and offers to fill it', async () => {
    const { server } = open('/admin/reports');
    await screen.findByRole('heading', { name: 'Reports' });
    server.use({ listUsers: () => ({ data: [], total: 0, isCapped: false, next: null }) });
    screen.getByRole('link', { name: 'All Users' }).click();
    expect(await screen.findByText('Currently there is no user')).toBeInTheDocument();
    expect(screen.getAllByRole('link', { name: 'Create A New User' })[0]).toHaveAttribute(
      'href',
      '/admin/add-user',
    );
  });

  test('that cannot be loaded says so, and Retry loads it', async () => {
    logInAdmin();
    const server = fakeServer({
      listUsers: () => {
        throw apiFailure('service.unavailable');
      },
    });
    const { user } = openApp('/admin/user-list');
    await screen.findByText('The users could not be loaded');
    server.use({ listUsers: () => two });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('link', { name: 'Person Number 1' })).toBeInTheDocument();
  });

  test.each([
    ['newUserCreated', 'New User Is Created Successfully!'],
    ['userDeleted', 'That User Has Been Removed From The List.'],
    ['userUpdated', 'The user is updated.'],
  ])('%s=true is told and can be dismissed', async (name, text) => {
    const { user } = open(`/admin/user-list?${name}=true`);
    expect(await screen.findByText(text)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText(text)).not.toBeInTheDocument();
    expect(address()).toBe('/admin/user-list');
  });

  test('user-deleted leads to the list with its alert', async () => {
    open('/admin/user-deleted');
    expect(await screen.findByText('That User Has Been Removed From The List.')).toBeInTheDocument();
    expect(address()).toBe('/admin/user-list?userDeleted=true');
  });
});

test('a total that was not counted to the end says so', async () => {
  const { server } = open('/admin/reports');
  await screen.findByRole('heading', { name: 'Reports' });
  server.use({ listUsers: () => ({ data: [directoryRow(1)], total: 10_000, isCapped: true, next: 'c2' }) });
  screen.getByRole('link', { name: 'All Users' }).click();
  expect(await screen.findByText('1–1 of 10,000+')).toBeInTheDocument();
});

describe('finding', () => {
  test('a search is asked of the server once the typing pauses, and lives in the address', async () => {
    const { user, server } = open();
    await screen.findByRole('link', { name: 'Person Number 1' });
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'amara');
    await waitFor(() => expect(address()).toBe('/admin/user-list?search=amara'));
    await waitFor(() => expect(server.requestsTo('listUsers').at(-1)?.query.get('search')).toBe('amara'));
    expect(server.requestsTo('listUsers')).toHaveLength(2);
  });

  test('the address restores search, filters, sorting and page size', async () => {
    const { server } = open(
      '/admin/user-list?search=amara&plan=premium&country=Norway&joinedFrom=2026-11-01&joinedTo=2026-11-30&sort=email&limit=100',
    );
    await screen.findByRole('link', { name: 'Person Number 1' });
    expect(Object.fromEntries(server.requestsTo('listUsers')[0]?.query ?? [])).toEqual({
      search: 'amara',
      plan: 'premium',
      country: 'Norway',
      joinedFrom: '2026-11-01T00:00:00.000Z',
      joinedTo: '2026-11-30T23:59:59.999Z',
      sort: 'email',
      limit: '100',
    });
    expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveValue('amara');
    expect(screen.getByLabelText('Plan')).toHaveValue('premium');
    expect(screen.getByLabelText('Joined to')).toHaveValue('2026-11-30');
    expect(screen.getByRole('columnheader', { name: 'Email' })).toHaveAttribute('aria-sort', 'ascending');
  });

  test('nonsense in the address is left out', async () => {
    const { server } = open(
      '/admin/user-list?plan=gold&sort=password&limit=100000&joinedFrom=yesterday&joinedTo=2026-13-45&country=Atlantis&page=7',
    );
    await screen.findByRole('link', { name: 'Person Number 1' });
    expect(Object.fromEntries(server.requestsTo('listUsers')[0]?.query ?? [])).toEqual({
      sort: '-createdAt',
      limit: '50',
    });
    expect(screen.getByText(/^1–/)).toBeInTheDocument();
  });

  test('a day is asked for when it is whole, and a half-typed year wipes nothing', async () => {
    const { server } = open();
    await screen.findByRole('link', { name: 'Person Number 1' });
    const from = screen.getByLabelText('Joined from');
    fireEvent.change(from, { target: { value: '0002-11-01' } });
    fireEvent.blur(from);
    expect(from).toHaveValue('0002-11-01');
    fireEvent.change(from, { target: { value: '2026-11-01' } });
    await waitFor(() => expect(address()).toBe('/admin/user-list?joinedFrom=2026-11-01'));
    await waitFor(() =>
      expect(server.requestsTo('listUsers').at(-1)?.query.get('joinedFrom')).toBe('2026-11-01T00:00:00.000Z'),
    );
    expect(server.requestsTo('listUsers')).toHaveLength(2);
    fireEvent.change(from, { target: { value: '2026-11-12' } });
    fireEvent.keyDown(from, { key: 'Enter' });
    await waitFor(() => expect(address()).toBe('/admin/user-list?joinedFrom=2026-11-12'));
  });

  test('a header sorts, and sorts the other way at the second press', async () => {
    const { user, server } = open();
    await user.click(await screen.findByRole('button', { name: 'Full Name' }));
    await waitFor(() => expect(server.requestsTo('listUsers').at(-1)?.query.get('sort')).toBe('name'));
    await user.click(screen.getByRole('button', { name: 'Full Name' }));
    await waitFor(() => expect(server.requestsTo('listUsers').at(-1)?.query.get('sort')).toBe('-name'));
  });

  test('a search without a match offers all users again', async () => {
    const { user, server } = open();
    await screen.findByRole('link', { name: 'Person Number 1' });
    server.use({ listUsers: () => ({ data: [], total: 0, isCapped: false, next: null }) });
    await user.selectOptions(screen.getByLabelText('Plan'), 'premium');
    await screen.findByText('No user matches this search.');
    server.use({ listUsers: () => two });
    await user.click(screen.getByRole('button', { name: 'Show all users' }));
    expect(await screen.findByRole('link', { name: 'Person Number 1' })).toBeInTheDocument();
    expect(address()).toBe('/admin/user-list');
  });

  test('pages follow the cursor, there and back', async () => {
    const { user, server } = open('/admin/reports');
    server.use({
      listUsers: ({ query }) =>
        query.get('cursor') === 'c2'
          ? { data: [directoryRow(51)], total: 51, isCapped: false, next: null }
          : { data: [directoryRow(1)], total: 51, isCapped: false, next: 'c2' },
    });
    await user.click(await screen.findByRole('link', { name: 'All Users' }));
    expect(await screen.findByRole('button', { name: 'Previous' })).toHaveAttribute('aria-disabled', 'true');
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByRole('link', { name: 'Person Number 51' })).toBeInTheDocument();
    expect(screen.getByText('51–51 of 51')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Next' })).toHaveAttribute('aria-disabled', 'true');
    await user.click(screen.getByRole('button', { name: 'Previous' }));
    expect(await screen.findByRole('link', { name: 'Person Number 1' })).toBeInTheDocument();
    expect(address()).toBe('/admin/user-list');
  });

  test('the export asks for the same filters', async () => {
    const { user, server, token } = open('/admin/user-list?plan=premium&limit=100');
    await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
    await waitFor(() => expect(server.requestsTo('exportUsers')).toHaveLength(1));
    const [request] = server.requestsTo('exportUsers');
    expect(Object.fromEntries(request?.query ?? [])).toEqual({
      plan: 'premium',
      sort: '-createdAt',
      timeZone: 'UTC',
    });
    expect(request?.token).toBe(token);
  });
});

describe('what can be done with a user', () => {
  test('a row opens the editing, by click and by the link on the name', async () => {
    const { user } = open();
    const row = await rowOf('Person Number 1');
    expect(row.getByRole('link', { name: 'Person Number 1' })).toHaveAttribute(
      'href',
      `/admin/edit-user?user_id=${directoryRow(1).id}`,
    );
    await user.click(row.getByText('Organization 1'));
    await waitFor(() => expect(address()).toBe(`/admin/edit-user?user_id=${directoryRow(1).id}`));
  });

  test.each([
    ['Manage subscription plan', '/admin/subscription-management'],
    ['View', '/admin/user-details'],
    ['Edit', '/admin/edit-user'],
  ])('%s leads to %s', async (action, path) => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: `${action} Person Number 1` }));
    await waitFor(() => expect(address()).toBe(`${path}?user_id=${directoryRow(1).id}`));
  });

  test('deleting asks first; Cancel, where the focus is, does nothing', async () => {
    const { user, server } = open();
    await user.click(await screen.findByRole('button', { name: 'Delete Person Number 1' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Delete This User!' }));
    expect(dialog.getByText('Do you want to delete Person Number 1 permanently?')).toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(server.requestsTo('deleteUser')).toHaveLength(0);
  });

  test('Yes deletes, and the list says so', async () => {
    const { user, server } = open();
    await user.click(await screen.findByRole('button', { name: 'Delete Person Number 1' }));
    server.use({
      deleteUser: () => ({ message: 'deleted' }),
      listUsers: () => ({ data: [directoryRow(2)], total: 1, isCapped: false, next: null }),
    });
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await screen.findByText('That User Has Been Removed From The List.')).toBeInTheDocument();
    expect(server.requestsTo('deleteUser')[0]?.params['id']).toBe(directoryRow(1).id);
    await waitFor(() =>
      expect(screen.queryByRole('link', { name: 'Person Number 1' })).not.toBeInTheDocument(),
    );
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  test('a deletion that fails says so in the dialog', async () => {
    const { user, server } = open();
    await user.click(await screen.findByRole('button', { name: 'Delete Person Number 1' }));
    server.use({
      deleteUser: () => {
        throw apiFailure('service.unavailable');
      },
    });
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await screen.findByText(/Part of the service is not answering/)).toBeInTheDocument();
    expect(screen.getByRole('dialog')).toBeInTheDocument();
  });
});
