import type { DeviceView, TrustedDeviceView } from '@shortlist/contracts/api/sessions';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { hours } from '@shortlist/contracts/durations';
import { apiFailure, fakeServer } from './fake-server.ts';
import { userDevice, userView } from './fixtures.ts';
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
  expect(unknown).toHaveTextContent(/Unknown device.*Feb 14, 2026, /);
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
  const title = 'Remembered devices';
  const region = within(await screen.findByRole('region', { name: title }));
  expect(region.getByRole('listitem')).toHaveTextContent(
    /Safari on iPhone.*Gothenburg, Sweden\. Skips your code until Mar 3, 2026/,
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

test('an admin sees the sessions of a user, and ends one of them or all', async () => {
  logInAdmin();
  let devices = [userDevice(1), userDevice(2, { browser: 'Safari', system: 'iPhone', place: '' })];
  const { id } = userView();
  const server = fakeServer({
    getUser: () => ({ data: userView() }),
    listUserDevices: () => ({ data: devices }),
    endUserDevice: () => {
      devices = devices.slice(0, 1);
      return { message: 'ended' };
    },
    endUserSessions: () => {
      devices = [];
      return { message: 'ended' };
    },
  });
  const { user } = openApp(`/admin/edit-user?user_id=${id}&tab=security`);
  const panel = within(await screen.findByRole('region', { name: 'Sessions' }));
  expect(panel.getAllByRole('listitem')).toHaveLength(2);
  expect(panel.getByText(/^Gothenburg, Sweden\. /)).toBeVisible();
  await user.click(panel.getByRole('button', { name: 'End Safari on iPhone' }));
  const dialog = within(screen.getByRole('dialog', { name: 'End this session' }));
  expect(dialog.getByText(/signed out on Safari on iPhone right away/)).toBeVisible();
  expect(server.requestsTo('endUserDevice')).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'End session' }));
  await waitFor(() => expect(screen.queryByText('Safari on iPhone')).not.toBeInTheDocument());
  expect(server.requestsTo('endUserDevice')).toMatchObject([{ params: { id, sessionId: userDevice(2).id } }]);
  await user.click(screen.getByRole('button', { name: 'End all sessions' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'End 1 session' }));
  expect(await screen.findByText('This user is not signed in.')).toBeVisible();
  expect(server.requestsTo('endUserSessions')).toMatchObject([
    { params: { id }, body: { withAccess: false } },
  ]);
});

const item = (name: string, detail = '') => ({
  id: `0198a0b0-0000-7000-8000-00000000000${name.length % 10}`,
  name,
  detail,
  createdAt: '2026-11-01T09:00:00.000Z',
});
const ACCESS = {
  apiKeys: [item('Zapier', 'sl_live_4k…x7Qa')],
  connections: [item('Sourcing bot', 'MacBook of Marta')],
  webhooks: [item('hooks.example.com')],
};

test('B3 the end of all other sessions says what acts on, and ends it only if the user chooses so', async () => {
  logInUser();
  const server = serve([THIS, PHONE]);
  server.use({ access: () => ({ data: ACCESS }) });
  const { user } = openApp('/security');
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: 'Sign out all others' }));
    return within(screen.getByRole('dialog'));
  };
  const dialog = await open();
  expect(dialog.getByText(/still have access to your account/)).toBeVisible();
  const lines = dialog.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(lines).toEqual([
    '1 API key: Zapier',
    '1 connected app: Sourcing bot',
    '1 webhook: hooks.example.com',
  ]);
  const choice = dialog.getByRole('checkbox', { name: 'End their access too' });
  expect(choice).not.toBeChecked();
  expect(choice).toHaveAccessibleDescription(/stop working at once/);
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await user.click((await open()).getByRole('checkbox', { name: 'End their access too' }));
  await user.click(screen.getByRole('button', { name: 'End 1 session' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(server.requestsTo('endOtherSessions').map(({ body }) => body)).toEqual([{ withAccess: true }]);
});

test('B3 without anything that acts on, the dialog is about sessions alone', async () => {
  logInUser();
  const server = serve([THIS, PHONE]);
  const { user } = openApp('/security');
  await user.click(await screen.findByRole('button', { name: 'Sign out all others' }));
  expect(within(screen.getByRole('dialog')).queryByRole('checkbox')).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'End 1 session' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(server.requestsTo('endOtherSessions').map(({ body }) => body)).toEqual([{ withAccess: false }]);
});

test('B3 an admin ends all that acts for a user who is not signed in', async () => {
  logInAdmin();
  const { id } = userView();
  let access = ACCESS;
  const server = fakeServer({
    getUser: () => ({ data: userView() }),
    userAccess: () => ({ data: access }),
    endUserSessions: () => {
      access = { apiKeys: [], connections: [], webhooks: [] };
      return { message: 'ended' };
    },
  });
  const { user } = openApp(`/admin/edit-user?user_id=${id}&tab=security`);
  await user.click(await screen.findByRole('button', { name: 'End all sessions' }));
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByText('Zapier')).toBeVisible();
  await user.click(dialog.getByRole('checkbox', { name: 'End their access too' }));
  await user.click(dialog.getByRole('button', { name: 'End' }));
  expect(await screen.findByText('This user has no API keys, apps or webhooks.')).toBeVisible();
  expect(server.requestsTo('endUserSessions')).toMatchObject([
    { params: { id }, body: { withAccess: true } },
  ]);
});

test.each([
  { button: 'End Zapier', title: 'End this API key', params: { keyId: ACCESS.apiKeys[0]?.id } },
  {
    button: 'End Sourcing bot',
    title: 'Disconnect this app',
    params: { connectionId: ACCESS.connections[0]?.id },
  },
])('B3 support ends one of them for a reason: $button', async ({ button, title, params }) => {
  logInAdmin();
  const { id } = userView();
  let access = ACCESS;
  const end = ({ body }: { body: Record<string, unknown> }) => {
    if (body['reason'] === '') throw apiFailure('request.invalid', { reason: 'Please enter a reason' });
    access = { apiKeys: [], connections: [], webhooks: [] };
    return { message: 'ended' };
  };
  const server = fakeServer({
    getUser: () => ({ data: userView() }),
    userAccess: () => ({ data: access }),
    endUserKey: end,
    endUserConnection: end,
  });
  const { user } = openApp(`/admin/edit-user?user_id=${id}&tab=security`);
  expect(await screen.findByText(/^API key sl_live_4k…x7Qa, created/)).toBeVisible();
  expect(screen.getByText(/^App on MacBook of Marta, connected/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: button }));
  const dialog = within(screen.getByRole('dialog', { name: title }));
  await user.click(dialog.getByRole('button', { name: 'End' }));
  expect(await dialog.findByText('Please enter a reason')).toBeVisible();
  await user.type(dialog.getByLabelText('Reason'), 'It was in a public repository');
  await user.click(dialog.getByRole('button', { name: 'End' }));
  expect(await screen.findByText('This user has no API keys, apps or webhooks.')).toBeVisible();
  const endpoint = 'keyId' in params ? 'endUserKey' : 'endUserConnection';
  expect(server.requestsTo(endpoint).at(-1)).toMatchObject({
    params: { userId: id, ...params },
    body: { reason: 'It was in a public repository' },
  });
});

test('D6 an admin who may not end sessions sees what acts for a user, and ends nothing', async () => {
  logInAdmin();
  fakeServer({
    checkAdmin: () => ({ remainingTime: 3_600, role: 'read_only' }),
    getUser: () => ({ data: userView() }),
    userAccess: () => ({ data: ACCESS }),
  });
  openApp(`/admin/edit-user?user_id=${userView().id}&tab=security`);
  expect(await screen.findByText('Zapier')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^End/ })).not.toBeInTheDocument();
});
