import { days } from '@shortlist/contracts/durations';
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
  if (row === null) throw new Error('The link is not in a table row.');
  return within(row);
};

describe('the user list', () => {
  test('reads a period whose days were entered in the other order', async () => {
    const { server } = open('/admin/user-list?joinedFrom=2026-11-20&joinedTo=2026-11-01');
    await rowOf('Person Number 2');
    const query = server.requestsTo('listUsers')[0]?.query;
    const [from, to] = [query?.get('joinedFrom') ?? '', query?.get('joinedTo') ?? ''];
    expect(Date.parse(to) - Date.parse(from)).toBe(days(20) - 1);
  });

  test('has a button for the filters of a phone, which says how many are set and opens them', async () => {
    const { user } = open('/admin/user-list?plan=premium&joinedFrom=2026-11-01&search=person&sort=name');
    const button = await screen.findByRole('button', { name: 'Filters · 2' });
    const fields = document.getElementById(button.getAttribute('aria-controls') ?? '');
    expect(fields).toContainElement(screen.getByLabelText('Country'));
    expect(fields).not.toContainElement(screen.getByRole('searchbox'));
    expect(button).toHaveAttribute('aria-expanded', 'false');
    await user.click(button);
    expect(button).toHaveAttribute('aria-expanded', 'true');
    expect(fields).toHaveClass('is-open');
    await user.selectOptions(screen.getByLabelText('Plan'), 'All plans');
    expect(await screen.findByRole('button', { name: 'Filters · 1' })).toBeInTheDocument();
  });

  test('says what the search finds', async () => {
    open();
    expect(await screen.findByRole('searchbox')).toHaveAccessibleDescription(
      'Matches the beginning of words, or a whole user ID, invoice number, Stripe ID, or former email from the last 7 days.',
    );
  });

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

  test('is sorted by a choice too, for sheets without all columns', async () => {
    const { server, user } = open();
    const choice = await screen.findByLabelText('Sort by');
    expect(choice).toHaveDisplayValue('Newest first');
    await user.selectOptions(choice, 'Country, Z to A');
    await waitFor(() => expect(server.requestsTo('listUsers').at(-1)?.query.get('sort')).toBe('-country'));
    expect(address()).toBe('/admin/user-list?sort=-country');
    expect(screen.getByRole('columnheader', { name: 'Country' })).toHaveAttribute('aria-sort', 'descending');
  });

  test('offers to create a user when it is empty, and nothing to filter or to export', async () => {
    const { server } = open('/admin/reports');
    await screen.findByRole('heading', { name: 'Reports' });
    server.use({ listUsers: () => ({ data: [], total: 0, isCapped: false, next: null }) });
    screen.getByRole('link', { name: 'All Users' }).click();
    expect(await screen.findByText('Currently there is no user')).toBeInTheDocument();
    expect(screen.getAllByRole('link', { name: 'Create A New User' })[0]).toHaveAttribute(
      'href',
      '/admin/add-user',
    );
    const page = within(screen.getByRole('main'));
    expect(page.queryByRole('search')).not.toBeInTheDocument();
    expect(page.queryByRole('button', { name: 'Export CSV' })).not.toBeInTheDocument();
  });

  test('shows an error when it cannot be loaded, and Retry loads it', async () => {
    logInAdmin();
    const server = fakeServer({
      listUsers: () => {
        throw apiFailure('service.unavailable');
      },
    });
    const { user } = openApp('/admin/user-list');
    await screen.findByText('Users could not be loaded');
    server.use({ listUsers: () => two });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'Person Number 1' })).toBeInTheDocument();
  });

  test.each([
    ['newUserCreated', 'New User Is Created Successfully!'],
    ['userDeleted', 'That User Has Been Removed From The List.'],
    ['userUpdated', 'The user has been updated.'],
  ])('shows the notice of %s=true until it is dismissed', async (name, text) => {
    const { user } = open(`/admin/user-list?${name}=true`);
    expect(await screen.findByText(text)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText(text)).not.toBeInTheDocument();
    expect(address()).toBe('/admin/user-list');
  });

  test('shows the notice of a deletion after user-deleted', async () => {
    open('/admin/user-deleted');
    expect(await screen.findByText('That User Has Been Removed From The List.')).toBeInTheDocument();
    expect(address()).toBe('/admin/user-list?userDeleted=true');
  });
});

describe('a total that the server did not count to the end', () => {
  const openLong = async () => {
    const app = open('/admin/reports');
    await screen.findByRole('heading', { name: 'Reports' });
    const countedAt = '2026-11-20T09:41:00.000Z';
    app.server.use({
      listUsers: () => ({ data: [directoryRow(1)], total: 10_000, isCapped: true, next: 'c2' }),
      userTotals: () => ({ data: { registered: 1_000_412, premium: 83_112, countedAt } }),
    });
    screen.getByRole('link', { name: 'All Users' }).click();
    return app;
  };

  test('is the number of all users in the whole list, with the time of its count', async () => {
    await openLong();
    expect(await screen.findByText('1–1 of 1,000,412 (as of 9:41 AM)')).toBeInTheDocument();
  });

  test('is marked in a filtered list', async () => {
    const { user } = await openLong();
    await user.selectOptions(await screen.findByLabelText('Country'), 'Norway');
    expect(await screen.findByText('1–1 of 10,000+')).toBeInTheDocument();
  });
});

describe('searching the user list', () => {
  test('requests a search when typing pauses, and keeps it in the URL', async () => {
    const { server } = open();
    await screen.findByRole('link', { name: 'Person Number 1' });
    const field = screen.getByRole('searchbox', { name: 'Search' });
    // Without a wait between the keys, no pause is long enough on a slow machine.
    for (const value of ['a', 'am', 'ama', 'amar', 'amara']) fireEvent.change(field, { target: { value } });
    expect(address()).toBe('/admin/user-list');
    await waitFor(() => expect(address()).toBe('/admin/user-list?search=amara'));
    await waitFor(() => expect(server.requestsTo('listUsers').at(-1)?.query.get('search')).toBe('amara'));
    expect(server.requestsTo('listUsers')).toHaveLength(2);
  });

  test('restores search, filters, sorting and page size from the URL', async () => {
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

  test('ignores invalid parameters of the URL', async () => {
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

  test('requests a date when it is complete, and keeps a half-typed year', async () => {
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

  test('sorts by a header, and in reverse at the second press', async () => {
    const { user, server } = open();
    await user.click(await screen.findByRole('button', { name: 'Full Name' }));
    await waitFor(() => expect(server.requestsTo('listUsers').at(-1)?.query.get('sort')).toBe('name'));
    await user.click(screen.getByRole('button', { name: 'Full Name' }));
    await waitFor(() => expect(server.requestsTo('listUsers').at(-1)?.query.get('sort')).toBe('-name'));
  });

  test('offers all users when nothing matches', async () => {
    const { user, server } = open();
    await screen.findByRole('link', { name: 'Person Number 1' });
    server.use({ listUsers: () => ({ data: [], total: 0, isCapped: false, next: null }) });
    await user.selectOptions(screen.getByLabelText('Plan'), 'premium');
    await screen.findByText('No users match your search.');
    server.use({ listUsers: () => two });
    await user.click(screen.getByRole('button', { name: 'Show all users' }));
    expect(await screen.findByRole('link', { name: 'Person Number 1' })).toBeInTheDocument();
    expect(address()).toBe('/admin/user-list');
  });

  test('pages forward and back with cursors', async () => {
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

  test('exports with the same filters', async () => {
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

describe('the actions of a row', () => {
  test('open the user by a click on the row and by the link on the name', async () => {
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
    ['Manage subscription plan of', '/admin/subscription-management'],
    ['View', '/admin/user-details'],
    ['Edit', '/admin/edit-user'],
  ])('%s navigates to %s', async (action, path) => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: `${action} Person Number 1` }));
    await waitFor(() => expect(address()).toBe(`${path}?user_id=${directoryRow(1).id}`));
  });

  test('deleting needs a confirmation; Cancel has the focus and does nothing', async () => {
    const { user, server } = open();
    await user.click(await screen.findByRole('button', { name: 'Delete Person Number 1' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Delete This User!' }));
    expect(dialog.getByText('Do you want to delete Person Number 1 permanently?')).toBeInTheDocument();
    // Two people may have one name.
    const { email, createdAt } = directoryRow(1);
    for (const fact of [email, 'Free', createdAt.slice(0, 10)])
      expect(dialog.getByText(fact)).toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(server.requestsTo('deleteUser')).toHaveLength(0);
  });

  test('Yes deletes the user and shows a notice', async () => {
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

  test('a failed deletion shows its message in the dialog', async () => {
    const { user, server } = open();
    await user.click(await screen.findByRole('button', { name: 'Delete Person Number 1' }));
    server.use({
      deleteUser: () => {
        throw apiFailure('service.unavailable');
      },
    });
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await screen.findByText(/Part of the service is unavailable/)).toBeInTheDocument();
    expect(screen.getByRole('dialog')).toBeInTheDocument();
  });
});
