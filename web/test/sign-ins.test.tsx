import type { SignInView } from '@shortlist/contracts/api/sessions';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { userView } from './fixtures.ts';
import { logInAdmin, logInUser, openApp } from './render-app.tsx';

let ids = 0;
const signIn = (change: Partial<SignInView> = {}): SignInView => ({
  id: `sign-in-${(ids += 1)}`,
  at: '2026-11-21T08:51:00.000Z',
  outcome: 'succeeded',
  method: 'password',
  attempts: 1,
  browser: 'Firefox',
  system: 'macOS',
  place: 'Gothenburg, Sweden',
  isNewDevice: false,
  isLocked: false,
  ...change,
});

const entries = async (): Promise<HTMLElement[]> => {
  const panel = await screen.findByRole('region', { name: 'Recent sign-ins' });
  return within(panel).queryAllByRole('listitem');
};

test('recent sign-ins name device, method and place; a new device is marked', async () => {
  logInUser();
  const [known, added] = [signIn(), signIn({ isNewDevice: true, method: 'passkey', place: '' })];
  fakeServer({ listSignIns: () => ({ data: [known, added] }) });
  openApp('/security');
  await screen.findByText(/Places are estimates/);
  const [first, second] = await entries();
  expect(first).toHaveTextContent(/Nov 21.*Firefox on macOS.*Password\. Gothenburg, Sweden$/);
  expect(second).toHaveTextContent(/New device.*Passkey\. We sent an email$/);
});

test('wrong passwords in a row are one line, which says what to do', async () => {
  logInUser();
  const failed = { outcome: 'failed', attempts: 10, isLocked: true } as const;
  fakeServer({ listSignIns: () => ({ data: [signIn(failed), signIn({ outcome: 'failed', place: '' })] }) });
  openApp('/security');
  const text = 'Gothenburg, Sweden. New devices had to wait. If this was not you, change your password';
  expect(await screen.findByText(text)).toBeVisible();
  const [many, one] = await entries();
  expect(many).toHaveTextContent('10 wrong passwords');
  expect(one).toHaveTextContent('1 wrong password');
});

test('the first sign-ins are shown, and all on request; without places nothing is said about them', async () => {
  logInUser();
  const data = Array.from({ length: 20 }, () => signIn({ place: '' }));
  fakeServer({ listSignIns: () => ({ data }) });
  const { user } = openApp('/security');
  const button = await screen.findByRole('button', { name: 'Show all 20' });
  expect(await entries()).toHaveLength(8);
  expect(screen.queryByText(/Places/)).toBeNull();
  await user.click(button);
  expect(await entries()).toHaveLength(20);
});

test('an admin sees the sign-ins of a user, without advice for the user', async () => {
  logInAdmin();
  const { id } = userView();
  const data = [signIn({ outcome: 'failed', attempts: 3 })];
  const server = fakeServer({ getUser: () => ({ data: userView() }), listUserSignIns: () => ({ data }) });
  openApp(`/admin/edit-user?user_id=${id}&tab=security`);
  expect(await screen.findByText('3 wrong passwords')).toBeVisible();
  expect(screen.queryByText(/change your password/)).toBeNull();
  expect(server.requestsTo('listUserSignIns')[0]?.params).toEqual({ id });
});
