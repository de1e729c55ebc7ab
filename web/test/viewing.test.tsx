import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { minutes } from '@shortlist/contracts/durations';
import { beginViewing } from '../src/lib/viewing.ts';
import { apiFailure, fakeServer } from './fake-server.ts';
import { userView } from './fixtures.ts';
import { fill, logInAdmin, logInUser, openApp } from './render-app.tsx';

const { id } = userView();
const amara = { id, name: 'Amara Okafor' };
const asAdmin = { getUser: () => ({ data: userView() }) };

afterEach(() => sessionStorage.clear());

describe('D7 the page from which support views the product as a user', () => {
  it('begins with a reason, and turns this tab alone into one of the user', async () => {
    const { requestsTo } = fakeServer({
      ...asAdmin,
      startViewing: () => ({ data: { token: 'viewing', remainingTime: 900 } }),
    });
    const admin = logInAdmin();
    const ownToken = logInUser();
    const { user, visited } = openApp(`/admin/view-as?user_id=${id}`);
    await fill(user, await screen.findByLabelText('Reason'), 'The price looks wrong');
    await user.click(screen.getByRole('button', { name: 'View as Amara Okafor' }));
    await waitFor(() => expect(visited).toEqual(['/']));
    expect(requestsTo('startViewing')[0]).toMatchObject({
      params: { id },
      body: { reason: 'The price looks wrong' },
      token: admin,
    });
    expect(sessionStorage.getItem('endUserToken')).toBe('viewing');
    expect(localStorage.getItem('endUserToken')).toBe(ownToken);
  });

  it('shows a missing reason at its field', async () => {
    fakeServer({
      ...asAdmin,
      startViewing: () => {
        throw apiFailure('request.invalid', { reason: 'Please enter a reason' });
      },
    });
    logInAdmin();
    const { user, visited } = openApp(`/admin/view-as?user_id=${id}`);
    await user.click(await screen.findByRole('button', { name: 'View as Amara Okafor' }));
    expect(await screen.findByText('Please enter a reason')).toBeVisible();
    expect(visited).toEqual([]);
  });

  it('is linked from the user for a role that includes it, and says so for the others', async () => {
    fakeServer({ ...asAdmin, checkAdmin: () => ({ remainingTime: 3_600, role: 'finance' }) });
    logInAdmin();
    openApp(`/admin/view-as?user_id=${id}`);
    expect(
      await screen.findByRole('heading', { name: 'Your role does not include this page' }),
    ).toBeVisible();
  });

  it('opens in a tab of its own', async () => {
    fakeServer(asAdmin);
    logInAdmin();
    openApp(`/admin/edit-user?user_id=${id}`);
    const link = await screen.findByRole('link', { name: 'View as this user' });
    expect(link).toHaveAttribute('target', '_blank');
    expect(link).toHaveAttribute('href', `/admin/view-as?user_id=${id}`);
  });
});

describe('D7 a tab in which support views the product as a user', () => {
  it('has a bar with the name, the minutes left, and the way out, and leaves other tabs as they are', async () => {
    const { requestsTo } = fakeServer();
    const ownToken = logInUser();
    beginViewing(amara, { token: 'viewing-bar', endsAt: Date.now() + minutes(14.5) });
    const { user, visited } = openApp('/');
    expect(await screen.findByText('You are viewing the account of Amara Okafor')).toBeVisible();
    expect(screen.getByText(/14 minutes left/)).toBeVisible();
    expect(requestsTo('checkUser')[0]?.token).toBe('viewing-bar');
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    await waitFor(() => expect(visited).toEqual([`/admin/edit-user?user_id=${id}`]));
    await waitFor(() => expect(requestsTo('logout')[0]?.token).toBe('viewing-bar'));
    expect(sessionStorage.getItem('endUserToken')).toBeNull();
    expect(localStorage.getItem('endUserToken')).toBe(ownToken);
  });

  it('has the bar before the server has responded, so that it moves nothing', async () => {
    fakeServer({ checkUser: () => new Promise(() => undefined) });
    beginViewing(amara, { token: 'viewing-early', endsAt: Date.now() + minutes(14) });
    openApp('/');
    expect(await screen.findByText('You are viewing the account of Amara Okafor')).toBeVisible();
  });

  it('is one of the panel again when the time is over', async () => {
    fakeServer({
      checkUser: () => {
        throw apiFailure('session.missing');
      },
    });
    logInUser();
    beginViewing(amara, { token: 'viewing-over', endsAt: Date.now() - minutes(1) });
    const { visited } = openApp('/');
    await waitFor(() => expect(visited).toEqual([`/admin/edit-user?user_id=${id}`]));
    expect(sessionStorage.getItem('viewingEnds')).toBeNull();
  });

  const view = (handlers: Parameters<typeof fakeServer>[0] = {}) => {
    const server = fakeServer(handlers);
    beginViewing(amara, { token: 'viewing-refused', endsAt: Date.now() + minutes(14) });
    return server;
  };
  const REASON = 'You are viewing this account. You can look around, but you cannot change anything.';

  it('disables the form of the profile, with the reason, before anything is typed', async () => {
    const { requestsTo } = view();
    const { user } = openApp('/profile');
    expect(await screen.findByLabelText('City')).toBeDisabled();
    for (const reason of screen.getAllByText(REASON)) expect(reason).toBeVisible();
    for (const button of screen.getAllByRole('button', { name: /Save|Update|Choose/ }))
      expect(button).toBeDisabled();
    await user.click(screen.getByRole('button', { name: /Save|Update/ }));
    expect(requestsTo('updateUser')).toEqual([]);
  });

  it.each(['/security', '/privacy', '/connections'])(
    'disables every button of %s that would be refused',
    async (path) => {
      view();
      const { user } = openApp(path);
      await screen.findAllByRole('button', { description: REASON });
      const buttons = within(screen.getByRole('main')).getAllByRole('button', { description: REASON });
      expect(buttons.length).toBeGreaterThan(0);
      for (const button of buttons) {
        expect(button).toHaveAttribute('aria-disabled', 'true');
        await user.click(button);
        expect(screen.queryByRole('dialog')).toBeNull();
      }
    },
  );

  it('lets a failed list be read again', async () => {
    const { use } = view({
      creditsHistory: () => {
        throw apiFailure('service.failed');
      },
    });
    const { user } = openApp('/credits');
    const retry = await screen.findByRole('button', { name: 'Try again' });
    use({ creditsHistory: () => ({ data: [], next: null }) });
    await user.click(retry);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull());
  });

  it('opens no checkout', async () => {
    const { requestsTo } = view();
    const { user } = openApp('/payments');
    const start = await screen.findByRole('button', { name: 'Get Started', description: REASON });
    await user.click(start);
    expect(requestsTo('subscribe')).toEqual([]);
  });

  it('has no bar in a tab of the user', async () => {
    fakeServer();
    logInUser();
    openApp('/');
    expect(await screen.findByRole('heading', { name: 'Account Management Panel' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
  });
});
