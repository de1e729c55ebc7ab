import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { hours } from '@shortlist/contracts/durations';
import { fakeServer, apiFailure } from './fake-server.ts';
import { fillAccount } from './fill-account.ts';
import { directoryRow } from './fixtures.ts';
import { address, fill, logInAdmin, openApp, pass } from './render-app.tsx';

const COUNTED_AT = '2026-11-20T09:41:00.000Z';

const week = {
  currency: 'usd',
  from: '2026-11-16T00:00:00.000Z',
  to: '2026-11-18T00:00:00.000Z',
  buckets: [
    { start: '2026-11-16T00:00:00.000Z', earnings: 590_000, expenses: 1_250, tax: 47_200 },
    { start: '2026-11-17T00:00:00.000Z', earnings: 0, expenses: 0, tax: 0 },
  ],
  earnings: 590_000,
  expenses: 1_250,
  tax: 47_200,
  others: [],
  unknownFees: 0,
};

afterEach(() => void vi.restoreAllMocks());

describe('the dashboard', () => {
  const open = (totals = { registered: 1_284, premium: 312 }) => {
    logInAdmin();
    const server = fakeServer({
      userTotals: () => ({ data: { ...totals, countedAt: COUNTED_AT } }),
      newestUsers: ({ query }) => ({
        data: [1, 2, 3, 4, 5].map((number) => directoryRow(number)).slice(0, Number(query.get('limit'))),
      }),
      earnings: () => ({ data: week }),
    });
    return { server, ...openApp('/admin/') };
  };

  test('shows its header, its cards and the sidebar', async () => {
    open();
    expect(await screen.findByRole('link', { name: /Subscriptions/ })).toHaveTextContent('Coming Soon');
    expect(screen.getByText('You are the Admin and this is your control panel')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: /Payments made by users/ })).toHaveTextContent(
      'This Field is updating...',
    );
    expect(await screen.findByText('1,284 registered, 312 premium')).toBeInTheDocument();
    const sidebar = screen.getByRole('navigation', { name: 'Admin-Panel' });
    expect(
      [...sidebar.querySelectorAll('.nav a')].map((link) => [link.textContent, link.getAttribute('href')]),
    ).toEqual([
      ['Dashboard', '/admin/'],
      ['Create a new User', '/admin/add-user'],
      ['All Users', '/admin/user-list'],
      ['New Users', '/admin/new-user'],
      ['Payments', '/admin/payments'],
      ['Manage Subscription', '/admin/subscription-management'],
      ['Reports', '/admin/reports'],
      ['Team', '/admin/team'],
      ['Bulk actions', '/admin/jobs'],
      ['Notices', '/admin/notices'],
      ['Connected apps', '/admin/tools'],
      ['Emails', '/admin/emails'],
      ['Audit log', '/admin/audit'],
      ['System', '/admin/system'],
    ]);
  });

  test('states the time of the count of a large directory', async () => {
    open({ registered: 1_000_412, premium: 83_112 });
    expect(
      await screen.findByText('1,000,412 registered, 83,112 premium (as of 9:41 AM)'),
    ).toBeInTheDocument();
  });

  test('lists the four newest users, each with an edit button', async () => {
    const { user, server } = open();
    expect(await screen.findAllByRole('button', { name: /^Edit Person/ })).toHaveLength(4);
    expect(server.requestsTo('newestUsers')[0]?.query.get('limit')).toBe('4');
    server.use({ getUser: () => new Promise(() => undefined) });
    await user.click(screen.getByRole('button', { name: 'Edit Person Number 1' }));
    expect(address()).toBe(`/admin/edit-user?user_id=${directoryRow(1).id}`);
  });

  test('shows earnings with totals, a table and a choice of periods', async () => {
    const { user, server } = open();
    expect(await screen.findByRole('heading', { name: 'Earnings And Expenses' })).toBeInTheDocument();
    expect(await screen.findByText('$5,900.00')).toBeInTheDocument();
    expect(screen.getByText('$12.50')).toBeInTheDocument();
    expect(screen.getByText('$5,887.50'), 'net of expenses').toBeInTheDocument();
    expect(screen.getByText('$472.00'), 'tax').toBeInTheDocument();
    expect(
      screen.getByText(/Neither includes tax. Amounts count on the day Stripe booked them/),
    ).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show as a table' }));
    expect(screen.getByRole('row', { name: '2026-11-16 $5,900.00 $12.50 $472.00' })).toBeInTheDocument();
    expect(screen.getByRole('row', { name: '2026-11-17 $0.00 $0.00 $0.00' })).toBeInTheDocument();
    const period = screen.getByLabelText('Period');
    expect(
      within(period)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['This Week', 'This Month', 'This Year']);
    await user.selectOptions(period, 'This Year');
    await waitFor(() => expect(server.requestsTo('earnings').at(-1)?.query.get('period')).toBe('year'));
    expect(server.requestsTo('earnings').at(-1)?.query.get('timeZone')).toBe('UTC');
  });

  test('shows other currencies apart from the totals, and says that fees are still missing', async () => {
    const { server, user } = open();
    await screen.findByText('$5,900.00');
    expect(screen.queryByText(/not known yet/)).toBeNull();
    const others = [{ currency: 'eur', earnings: 4_900, expenses: 104, tax: 392 }];
    server.use({ earnings: () => ({ data: { ...week, others, unknownFees: 2 } }) });
    await user.selectOptions(screen.getByLabelText('Period'), 'This Month');
    expect(
      await screen.findByText(
        'The fees for 2 payments are not known yet. They are added as soon as Stripe reports them.',
      ),
    ).toBeInTheDocument();
    expect(
      screen.getByText('Also €49.00 in earnings, €1.04 in expenses, and €3.92 in tax in EUR.'),
    ).toBeInTheDocument();
    expect(screen.getByText('$5,900.00')).toBeInTheDocument();
    server.use({ earnings: () => ({ data: { ...week, unknownFees: 1 } }) });
    await user.selectOptions(screen.getByLabelText('Period'), 'This Year');
    expect(
      await screen.findByText(/^The fee for 1 payment is not known yet\. It is added/),
    ).toBeInTheDocument();
  });

  test('keeps its other content when the earnings cannot be loaded', async () => {
    const { server, user } = open();
    await screen.findByText('$5,900.00');
    server.use({
      earnings: () => {
        throw apiFailure('service.unavailable');
      },
    });
    await user.selectOptions(screen.getByLabelText('Period'), 'This Month');
    expect(screen.getByText('1,284 registered, 312 premium')).toBeInTheDocument();
  });
});

describe('adding a user', () => {
  const CREATED = {
    signup: () => ({ message: 'signup', data: { id: '1', email: 'amara@talentfield.io', picture: null } }),
  };
  const storedDrafts = (): string => JSON.stringify({ ...sessionStorage });

  const startAdding = async () => {
    const token = logInAdmin();
    const server = fakeServer(CREATED);
    const { user } = openApp('/admin/add-user');
    await screen.findByLabelText('First name');
    await fillAccount(user);
    return { token, server, user };
  };

  test('navigates to the list with a notice, and sends the admin’s token', async () => {
    const { token, server, user } = await startAdding();
    await user.click(screen.getByRole('button', { name: 'Create User' }));
    expect(await screen.findByText('New User Is Created Successfully!')).toBeInTheDocument();
    expect(address()).toBe('/admin/user-list?newUserCreated=true');
    expect(server.requestsTo('signup')[0]?.token).toBe(token);
    expect(server.requestsTo('signup')[0]?.userData).toMatchObject({
      country: 'Norway',
      password: 'long enough',
    });
  });

  test('restores the input except the password when the session’s time was over before the save', async () => {
    const { server, user } = await startAdding();
    pass(hours(1));
    server.use({
      signup: () => {
        throw apiFailure('session.missing');
      },
      adminLogin: () => ({
        message: 'login success',
        credentials: { token: 'new-token', expiresIn: 3_600 },
        role: 'owner',
      }),
    });
    // The time of the session is over.
    sessionStorage.setItem('sessionEnds:token', '0');
    await user.click(screen.getByRole('button', { name: 'Create User' }));
    await screen.findByText('Your session has ended. Please sign in again.');
    expect(storedDrafts()).toContain('Talent Field');
    expect(storedDrafts()).not.toContain('long enough');
    await fill(user, screen.getByLabelText('Email'), 'root@shortlist.io');
    await fill(user, screen.getByLabelText('Password'), 'right password');
    await user.click(screen.getByRole('button', { name: 'Log In' }));
    await user.click(await screen.findByRole('link', { name: 'Create a new User' }));
    expect(await screen.findByText(/We restored your unsaved changes/)).toBeInTheDocument();
    expect(address()).toBe('/admin/add-user');
    expect(screen.getByLabelText('Email')).toHaveValue('amara@talentfield.io');
    expect(screen.getByLabelText('Country')).toHaveValue('Norway');
    expect(screen.getByLabelText('Password')).toHaveValue('');
    server.use(CREATED);
    await fill(user, screen.getByLabelText('Password'), 'long enough');
    await fill(user, screen.getByLabelText('Repeat password'), 'long enough');
    await user.click(screen.getByRole('button', { name: 'Create User' }));
    expect(await screen.findByText('New User Is Created Successfully!')).toBeInTheDocument();
    expect(storedDrafts()).not.toContain('Talent Field');
  });

  test('removes the draft on Cancel and on Discard', async () => {
    const { user } = await startAdding();
    act(() => screen.getByRole('link', { name: 'New Users' }).click());
    await screen.findByRole('heading', { name: 'New Users' });
    await user.click(screen.getByRole('link', { name: 'Create a new User' }));
    await user.click(await screen.findByRole('button', { name: 'Discard changes' }));
    expect(screen.getByLabelText('First name')).toHaveValue('');
    expect(screen.queryByText(/We restored your unsaved changes/)).not.toBeInTheDocument();
    await fill(user, screen.getByLabelText('First name'), 'Amara');
    expect(storedDrafts()).toContain('Amara');
    await user.click(screen.getByRole('link', { name: 'Cancel' }));
    await screen.findByRole('heading', { name: 'All Users' });
    expect(storedDrafts()).not.toContain('Amara');
  });

  test('shows on blur that an email exists', async () => {
    logInAdmin();
    fakeServer({ emailAvailability: () => ({ available: false }) });
    const { user } = openApp('/admin/add-user');
    await fill(user, await screen.findByLabelText('Email'), 'taken@talentfield.io');
    await user.tab();
    expect(await screen.findByText('Email Exists! Please use another email.')).toBeInTheDocument();
  });
});

describe('the other admin pages', () => {
  test('New Users lists the latest twenty users', async () => {
    logInAdmin();
    const server = fakeServer({ newestUsers: () => ({ data: [directoryRow(1)] }) });
    openApp('/admin/new-user');
    expect(await screen.findByText('person1@talentfield.io')).toBeInTheDocument();
    expect(server.requestsTo('newestUsers')[0]?.query.get('limit')).toBe('20');
  });

  test.each([
    '/admin/payments',
    '/admin/reports',
    '/admin/subscription-management',
    '/admin/edit-subscription',
  ])('%s refers to the payment provider’s dashboard and links to it', async (path) => {
    logInAdmin();
    fakeServer();
    openApp(path);
    expect(await screen.findByText(/managed in the card payment provider’s dashboard/)).toBeInTheDocument();
    await waitFor(() =>
      expect(screen.getByRole('link', { name: /Open the provider’s dashboard/ })).toHaveAttribute(
        'href',
        'https://provider.test/',
      ),
    );
  });

  test.each([
    ['/admin/user-details', 'This is sample data, not a real user.'],
    ['/admin/campaign-details', 'This is sample data, not a real campaign.'],
  ])('%s shows a sample', async (path, text) => {
    logInAdmin();
    fakeServer();
    openApp(path);
    expect(await screen.findByText(text)).toBeInTheDocument();
  });
});
