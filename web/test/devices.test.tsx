import type { DeviceView, TrustedDeviceView } from '@shortlist/contracts/api/sessions';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { hours } from '@shortlist/contracts/durations';
import { apiFailure, fakeServer } from './fake-server.ts';
import { userView } from './fixtures.ts';
import { logInAdmin, logInUser, openApp } from './render-app.tsx';

const device = (change: Partial<DeviceView>): DeviceView => ({
  id: '0b6b4d1e-0000-4000-8000-000000000001',
  browser: 'Safari',
  system: 'iPhone',
  place: '',
  isCurrent: false,
  firstSeenAt: new Date(Date.now() - hours(2)).toISOString(),
  lastSeenAt: new Date().toISOString(),
  ...change,
});
const THIS = device({ id: 'this', browser: 'Firefox', system: 'macOS', isCurrent: true });
const PHONE = device({ id: 'phone', place: 'Gothenburg, Sweden' });
const UNKNOWN = device({ id: 'unknown', browser: '', system: '', lastSeenAt: '2026-02-14T08:20:00.000Z' });

/** A server with these devices, whose sessions can be ended. */
const serve = (devices: DeviceView[]) => {
  let current = devices;
  return fakeServer({
    listDevices: () => ({ data: current }),
    endSession: ({ params }) => {
      current = current.filter(({ id }) => id !== params['id']);
      return { message: 'ended' };
    },
    endOtherSessions: () => {
      current = current.filter(({ isCurrent }) => isCurrent);
      return { ended: 2 };
    },
  });
};

const panel = async () => within(await screen.findByRole('region', { name: 'Devices' }));
const lines = async () => (await panel()).getAllByRole('listitem');

test('the devices name browser, system, place and time; only this one has no way out', async () => {
  logInUser();
  serve([THIS, PHONE, UNKNOWN]);
  openApp('/security');
  const [current, phone, unknown] = await lines();
  expect(current).toHaveTextContent(/Firefox on macOS This device.*Now/);
  expect(within(current as HTMLElement).queryByRole('button')).toBeNull();
  expect(phone).toHaveTextContent(/Safari on iPhone.*Gothenburg, Sweden\. Today at/);
  expect(unknown).toHaveTextContent(/Unknown device.*February 14 at/);
});

test('a device is signed out from its line, and the line goes', async () => {
  logInUser();
  const server = serve([THIS, PHONE]);
  const { user } = openApp('/security');
  await user.click(await screen.findByRole('button', { name: 'Sign out Safari on iPhone' }));
  await waitFor(async () => expect(await lines()).toHaveLength(1));
  expect(server.requestsTo('endSession').map(({ params }) => params)).toEqual([{ id: 'phone' }]);
});

test('a device that skips the second step is listed until when, and takes it again from its line', async () => {
  logInUser();
  let trusted: TrustedDeviceView[] = [
    {
      id: 'trusted',
      browser: 'Safari',
      system: 'iPhone',
      place: 'Gothenburg, Sweden',
      trustedAt: '2026-02-01T08:20:00.000Z',
      endsAt: '2026-03-03T08:20:00.000Z',
    },
  ];
  const server = fakeServer({
    listDevices: () => ({ data: [THIS] }),
    listTrustedDevices: () => ({ data: trusted }),
    removeTrustedDevice: () => {
      trusted = [];
      return { message: 'removed' };
    },
  });
  const { user } = openApp('/security');
  const title = 'Devices without the second step';
  const region = within(await screen.findByRole('region', { name: title }));
  expect(region.getByRole('listitem')).toHaveTextContent(
    /Safari on iPhone.*Gothenburg, Sweden\. Skips your code until March 3/,
  );
  await user.click(region.getByRole('button', { name: 'Require the code of Safari on iPhone again' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: title })).toBeNull());
  expect(server.requestsTo('removeTrustedDevice').map(({ params }) => params)).toEqual([{ id: 'trusted' }]);
});

test('all others are signed out after a dialog that names their number; alone, there is nothing to end', async () => {
  logInUser();
  serve([THIS, PHONE, UNKNOWN]);
  const { user } = openApp('/security');
  await user.click(await screen.findByRole('button', { name: 'Sign out all others' }));
  const dialog = screen.getByRole('dialog', { name: 'Sign out all other devices' });
  expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await user.click(within(dialog).getByRole('button', { name: 'End 2 sessions' }));
  await waitFor(async () => expect(await lines()).toHaveLength(1));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Sign out all others' })).toBeNull();
});

test('a session that cannot be ended stays in the list, with the reason', async () => {
  logInUser();
  const server = serve([THIS, PHONE]);
  server.use({
    endSession: () => {
      throw apiFailure('session.unavailable');
    },
  });
  const { user } = openApp('/security');
  await user.click(await screen.findByRole('button', { name: 'Sign out Safari on iPhone' }));
  expect(await screen.findByText(/We could not check your session/)).toBeVisible();
  expect(await lines()).toHaveLength(2);
});

test('an admin sees how many sessions a user has, and ends all of them', async () => {
  logInAdmin();
  let count = 2;
  const { id } = userView();
  const server = fakeServer({
    getUser: () => ({ data: userView() }),
    countUserSessions: () => ({ count }),
    endUserSessions: () => {
      count = 0;
      return { message: 'ended' };
    },
  });
  const { user } = openApp(`/admin/edit-user?user_id=${id}`);
  expect(await screen.findByText('This user is signed in on 2 devices.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'End all sessions' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'End 2 sessions' }));
  expect(await screen.findByText('This user is not signed in.')).toBeVisible();
  expect(server.requestsTo('endUserSessions').map(({ params }) => params)).toEqual([{ id }]);
});
