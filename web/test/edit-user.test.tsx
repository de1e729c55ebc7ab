import { profileFields } from '@shortlist/contracts/profile-fields';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { dayEdge } from '../src/lib/dates.ts';
import { grantDays } from '../src/lib/grant-days.ts';
import { fakeServer, apiFailure } from './fake-server.ts';
import { accountStatusOf, directoryRow, premiumSubscription, premiumUser, userView } from './fixtures.ts';
import { address, fill, logInAdmin, openApp } from './render-app.tsx';

const open = (person = userView(), path = `/admin/edit-user?user_id=${person.id}`) => {
  const token = logInAdmin();
  const server = fakeServer({ getUser: () => ({ data: person }) });
  return { token, server, ...openApp(path) };
};

describe('opening the edit page', () => {
  test.each(['/admin/edit-user', '/admin/edit-user?user_id='])(
    '%s redirects to the list without a notice',
    async (path) => {
      logInAdmin();
      fakeServer();
      openApp(path);
      await screen.findByRole('heading', { name: 'All Users' });
      expect(address()).toBe('/admin/user-list');
      expect(screen.queryByText('This user was not found.')).not.toBeInTheDocument();
    },
  );

  test.each(['edit-user', 'user-details'])(
    '%s of an unknown user redirects to the list with the server’s message',
    async (page) => {
      logInAdmin();
      fakeServer({
        getUser: () => {
          throw apiFailure('profile.not_found');
        },
      });
      const { user } = openApp(`/admin/${page}?user_id=${userView().id}`);
      await screen.findByText('This user was not found.');
      expect(address()).toBe('/admin/user-list');
      await user.click(screen.getByRole('button', { name: 'Dismiss' }));
      expect(screen.queryByText('This user was not found.')).not.toBeInTheDocument();
    },
  );

  test.each(['unknown', '..', '.', '%00', `${userView().id}%00`, '9'.repeat(5_000)])(
    'the impossible user id %s is not sent, and redirects to the list with a message',
    async (id) => {
      logInAdmin();
      const server = fakeServer();
      openApp(`/admin/edit-user?user_id=${id}`);
      await screen.findByText('This user was not found.');
      expect(address()).toBe('/admin/user-list');
      expect(server.requestsTo('userProfile')).toHaveLength(0);
    },
  );

  test('shows an error with Retry, not the list, when the user cannot be loaded', async () => {
    const { server, user } = open(userView(), '/admin/reports');
    await screen.findByRole('heading', { name: 'Reports' });
    server.use({
      getUser: () => {
        throw apiFailure('service.unavailable');
      },
      listUsers: () => ({ data: [], total: 0, isCapped: false, next: null }),
    });
    window.history.pushState(null, '', `/admin/edit-user?user_id=${userView().id}`);
    window.dispatchEvent(new PopStateEvent('popstate'));
    await screen.findByText('This user could not be loaded');
    server.use({ getUser: () => ({ data: userView() }) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('heading', { name: 'Amara Okafor' });
  });
});

test('the details show every field that Edit sets, also the role type', async () => {
  const fields = profileFields.map(({ name }) => name);
  const values = Object.fromEntries(fields.map((name) => [name, `the ${name}`]));
  const person = userView(values);
  open(person, `/admin/user-details?user_id=${person.id}`);
  const details = (await screen.findByText('the city')).closest('dl');
  for (const value of Object.values(values)) expect(details).toHaveTextContent(value);
});

describe('the form of an edited user', () => {
  test('restores the input except the password when the session’s time was over before the save', async () => {
    const { server, user } = open();
    await user.clear(await screen.findByLabelText('City'));
    await fill(user, screen.getByLabelText('City'), 'Narvik');
    await fill(user, screen.getByLabelText(/^Password/), 'a secret of theirs');
    server.use({
      updateUser: () => {
        throw apiFailure('session.missing');
      },
    });
    await fill(user, screen.getByLabelText('Repeat password'), 'a secret of theirs');
    // The time of the session is over.
    sessionStorage.setItem('sessionEnds:token', '0');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Your session has ended. Please sign in again.');
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('a secret of theirs');
    server.use({
      adminLogin: () => ({
        message: 'login success',
        credentials: { token: 'again', expiresIn: 3_600 },
        role: 'owner',
      }),
      updateUser: () => ({ message: 'updated', data: userView() }),
      listUsers: () => ({ data: [directoryRow(1)], total: 1, isCapped: false, next: null }),
    });
    await fill(user, screen.getByLabelText('Email'), 'root@shortlist.io');
    await fill(user, screen.getByLabelText('Password'), 'right password');
    await user.click(screen.getByRole('button', { name: 'Log In' }));
    await user.click(await screen.findByRole('link', { name: 'All Users' }));
    await user.click(await screen.findByRole('link', { name: 'Person Number 1' }));
    expect(await screen.findByText(/We restored your unsaved changes/)).toBeInTheDocument();
    expect(screen.getByLabelText('City')).toHaveValue('Narvik');
    expect(screen.getByLabelText(/^Password/)).toHaveValue('');
    await fill(user, screen.getByLabelText('City'), 'hus');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('The user has been updated.')).toBeInTheDocument();
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('Narvik');
  });

  test('navigates to the list with a notice after a save', async () => {
    const { server, user, token } = open();
    expect(await screen.findByLabelText('Email')).toBeDisabled();
    server.use({ updateUser: () => ({ message: 'updated', data: userView() }) });
    await user.clear(screen.getByLabelText('City'));
    await fill(user, screen.getByLabelText('City'), 'Oslo');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('The user has been updated.')).toBeInTheDocument();
    expect(address()).toBe('/admin/user-list?userUpdated=true');
    const [request] = server.requestsTo('updateUser');
    expect(request?.token).toBe(token);
    expect(request?.userData).toMatchObject({ city: 'Oslo', version: 3 });
    expect(request?.userData).not.toHaveProperty('password');
  });

  test('validates the optional password when it is filled in', async () => {
    const { server, user } = open();
    await fill(user, await screen.findByLabelText(/^Password/), '123');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Password must contain at least six characters')).toBeInTheDocument();
    expect(server.requestsTo('updateUser')).toHaveLength(0);
  });
});

describe('Subscription Information', () => {
  test('shows no dates for a free user and grants premium', async () => {
    const { server, user } = open();
    expect(await screen.findByRole('heading', { name: 'Subscription Information' })).toBeInTheDocument();
    expect(screen.getByRole('row', { name: 'Subscription Start Date Not set' })).toBeInTheDocument();
    expect(screen.getByRole('row', { name: 'End Date Not set' })).toBeInTheDocument();
    expect(screen.getByRole('row', { name: 'User Status Free' })).toBeInTheDocument();
    let respond = (): void => undefined;
    server.use({
      grantPlan: () =>
        new Promise((resolve) => {
          respond = () => {
            server.use({ getUser: () => ({ data: premiumUser() }) });
            resolve({ message: 'granted', data: premiumUser() });
          };
        }),
    });
    const button = screen.getByRole('button', { name: 'Make Him A Premium User' });
    await user.click(button);
    const dialog = screen.getByRole('dialog', { name: 'Make Amara Okafor Premium?' });
    await user.click(within(dialog).getByRole('button', { name: 'Grant Premium' }));
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button).toHaveAttribute('aria-busy', 'true');
    respond();
    expect(await screen.findByRole('button', { name: 'Unsubscribe' })).not.toHaveAttribute('aria-disabled');
    expect(screen.getByRole('row', { name: 'User Status Premium' })).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    const [request] = server.requestsTo('grantPlan');
    expect(request?.params['userId']).toBe(userView().id);
    expect(request?.body).toEqual({ until: dayEdge(grantDays(Date.now()).initial, 'end') });
  });

  test('shows the dates of a premium user', async () => {
    open(premiumUser());
    expect(
      await screen.findByRole('row', { name: 'Subscription Start Date 2026-11-20' }),
    ).toBeInTheDocument();
    expect(screen.getByRole('row', { name: 'End Date 2026-12-20' })).toBeInTheDocument();
  });

  test('shows an end thirty days after the last credit reset when the subscription has no dates', async () => {
    logInAdmin();
    const subscription = premiumSubscription({ periodEnd: null });
    fakeServer({
      getUser: () => ({ data: premiumUser() }),
      accountStatus: () => ({ data: accountStatusOf(premiumUser(), { subscription }) }),
    });
    openApp(`/admin/edit-user?user_id=${premiumUser().id}`);
    expect(await screen.findByRole('row', { name: 'End Date 2026-12-20' })).toBeInTheDocument();
  });
});

describe('the audit log of a user', () => {
  test('lists entries in words, with the admin and the address', async () => {
    logInAdmin();
    const server = fakeServer({
      getUser: () => ({ data: userView() }),
      audit: () => ({
        data: [
          {
            id: '1',
            at: '2026-11-21T09:12:00.000Z',
            actorId: '0192f0c0-0000-7000-8000-00000000000a',
            actor: { kind: 'admin', name: 'root@shortlist.io', email: 'root@shortlist.io', role: 'owner' },
            address: '192.0.2.7',
            action: 'profile.update',
            targetId: userView().id,
            target: { kind: 'user', name: 'Amara Okafor', email: 'amara@talent.test', role: null },
            before: { city: 'Oslo', firstName: 'Amara' },
            after: { city: 'Bergen', firstName: 'Amara' },
          },
        ],
        next: null,
      }),
    });
    const { user } = openApp(`/admin/edit-user?user_id=${userView().id}&tab=changes`);
    await user.click(await screen.findByText('Profile changed'));
    expect(await screen.findByRole('row', { name: 'City Oslo Bergen' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Open Amara Okafor' })).toBeNull();
    expect(screen.getByText('192.0.2.7')).toBeInTheDocument();
    expect(screen.getByText('root@shortlist.io')).toBeInTheDocument();
    expect(screen.queryByText(/0192f0c0/)).not.toBeInTheDocument();
    expect(server.requestsTo('audit')[0]?.query.get('targetId')).toBe(userView().id);
  });

  test('shows a message when there are no entries', async () => {
    open(userView(), `/admin/edit-user?user_id=${userView().id}&tab=changes`);
    expect(await screen.findByText('No admin has changed this user yet.')).toBeInTheDocument();
  });
});
