import { screen } from '@testing-library/react';
import type { AdminRole } from '@shortlist/contracts/admin-permissions';
import { describe, expect, it } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { directoryRow, userDevice, userView } from './fixtures.ts';
import { logInAdmin, openApp } from './render-app.tsx';

const withRole = (role: AdminRole) => ({
  checkAdmin: () => ({ remainingTime: 3_600, role }),
  listUsers: () => ({ data: [directoryRow(1)], total: 1, isCapped: false, next: null }),
  getUser: () => ({ data: userView() }),
});
const EDIT_USER = `/admin/edit-user?user_id=${userView().id}`;

describe('D6 the panel shows what the role includes', () => {
  it('support sees no earnings, and does not load them', async () => {
    const { requestsTo } = fakeServer(withRole('support'));
    logInAdmin();
    openApp('/admin/');
    expect(await screen.findByRole('heading', { name: 'New Users' })).toBeVisible();
    expect(screen.queryByText('Earnings')).toBeNull();
    expect(requestsTo('earnings')).toEqual([]);
  });

  it('support has neither the export nor the deletion of a user', async () => {
    fakeServer(withRole('support'));
    logInAdmin();
    openApp('/admin/user-list');
    expect(await screen.findByRole('button', { name: /^Edit / })).toBeVisible();
    expect(screen.queryByRole('button', { name: /Export/ })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Delete / })).toBeNull();
  });

  it('an admin who only reads sees a user without a form, and no action', async () => {
    fakeServer({ ...withRole('read_only'), listUserDevices: () => ({ data: [userDevice(1)] }) });
    logInAdmin();
    const { user } = openApp(EDIT_USER);
    expect(await screen.findByText('Organization')).toBeVisible();
    expect(screen.queryByRole('textbox')).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Notes' }));
    expect(await screen.findByText('There are no notes about this user.')).toBeVisible();
    expect(screen.queryByRole('textbox')).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Security' }));
    expect(await screen.findByText('Firefox on macOS')).toBeVisible();
    for (const name of [/Save|Update/, /Grant/, /^End/])
      expect(screen.queryByRole('button', { name })).toBeNull();
  });

  it('a page beyond the role says so', async () => {
    fakeServer(withRole('read_only'));
    logInAdmin();
    openApp('/admin/add-user');
    expect(
      await screen.findByRole('heading', { name: 'Your role does not include this page' }),
    ).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Create a new User' })).toBeNull();
  });

  it('a role that changes meanwhile is read again when the server refuses', async () => {
    let role: AdminRole = 'owner';
    fakeServer({
      ...withRole('owner'),
      checkAdmin: () => ({ remainingTime: 3_600, role }),
      audit: () => {
        if (role !== 'owner') throw apiFailure('session.permission_missing');
        return { data: [], next: null };
      },
    });
    logInAdmin();
    const { user } = openApp('/admin/');
    const link = await screen.findByRole('link', { name: 'Audit log' });
    role = 'finance';
    await user.click(link);
    expect(
      await screen.findByRole('heading', { name: 'Your role does not include this page' }),
    ).toBeVisible();
  });
});
