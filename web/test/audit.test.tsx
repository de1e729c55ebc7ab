import type { AuditView } from '@shortlist/contracts/api/audit';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServer } from './fake-server.ts';
import { userView } from './fixtures.ts';
import { address, logInAdmin, openApp } from './render-app.tsx';

const ADMIN = '0192f0c0-0000-7000-8000-00000000000a';
const USER = userView().id;

const entry = (id: string, more: Partial<AuditView>): AuditView => ({
  id,
  at: '2026-11-21T09:12:00.000Z',
  actorId: ADMIN,
  actorEmail: 'root@shortlist.io',
  address: '192.0.2.7',
  action: 'admin.log_in',
  targetId: ADMIN,
  before: null,
  after: null,
  ...more,
});

const openLog = async (data: AuditView[], next: string | null = null) => {
  logInAdmin();
  const server = fakeServer({ audit: () => ({ data, next }) });
  const { user } = openApp('/admin/audit');
  await screen.findByRole('heading', { name: 'Audit log' });
  return { server, user };
};

test('the audit log shows log-ins, exports and changes in words, with the admin by name', async () => {
  await openLog([
    entry('3', {}),
    entry('2', { action: 'users.export', after: { country: 'Norway' } }),
    entry('1', {
      action: 'profile.update',
      targetId: USER,
      before: { city: 'Oslo' },
      after: { city: 'Bergen' },
    }),
  ]);
  const [logIn, exported, changed] = (await screen.findAllByRole('listitem')).slice(-3);
  expect(logIn).toHaveTextContent(/^Logged in.*root@shortlist\.io.*from 192\.0\.2\.7$/);
  expect(exported).toHaveTextContent('Only users in Norway');
  expect(changed).toHaveTextContent('City changed from Oslo to Bergen');
  const link = within(changed ?? document.body).getByRole('link', { name: 'View the user' });
  expect(link).toHaveAttribute('href', `/admin/edit-user?user_id=${USER}`);
  expect(within(logIn ?? document.body).queryByRole('link')).not.toBeInTheDocument();
});

test('the audit log says who acted where no admin did, and where the admin is gone', async () => {
  const accepted = { action: 'terms.accept', actorId: USER, targetId: USER, after: { termsVersion: '2' } };
  await openLog([
    entry('3', { ...accepted, actorEmail: null }),
    entry('2', {
      actorId: '00000000-0000-0000-0000-000000000000',
      actorEmail: null,
      action: 'payment.refund',
    }),
    entry('1', { actorEmail: null }),
  ]);
  const items = (await screen.findAllByRole('listitem')).slice(-3);
  ['The user', 'Automatic', 'A former admin'].forEach((name, index) =>
    expect(items[index]).toHaveTextContent(name),
  );
});

test('the audit log leads to older entries', async () => {
  const { server, user } = await openLog([entry('2', {})], '2');
  await user.click(await screen.findByRole('button', { name: 'Older' }));
  expect(await screen.findByText('Page 2')).toBeInTheDocument();
  expect(server.requestsTo('audit').at(-1)?.query.get('before')).toBe('2');
});

test('the audit log is filtered by action and days, which are in the address, and begins at its newest entry again', async () => {
  const { server, user } = await openLog([entry('2', {})], '2');
  await user.click(await screen.findByRole('button', { name: 'Older' }));
  await screen.findByText('Page 2');
  server.use({ audit: () => ({ data: [], next: null }) });
  await user.selectOptions(screen.getByLabelText('Action'), 'User list exported');
  expect(await screen.findByText('No entries match these filters.')).toBeInTheDocument();
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-15' } });
  fireEvent.blur(screen.getByLabelText('From'));
  await waitFor(() => expect(address()).toBe('/admin/audit?action=users.export&from=2026-11-15'));
  await waitFor(() =>
    expect(Object.fromEntries(server.requestsTo('audit').at(-1)?.query ?? [])).toEqual({
      action: 'users.export',
      from: new Date('2026-11-15T00:00:00').toISOString(),
      limit: '20',
    }),
  );
});
