import type { AuditParty, AuditView } from '@shortlist/contracts/api/audit';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { userView } from './fixtures.ts';
import { address, fill, logInAdmin, openApp } from './render-app.tsx';

const ADMIN = '0192f0c0-0000-7000-8000-00000000000a';
const USER = userView().id;

const party = (change: Partial<AuditParty>): AuditParty => ({
  kind: 'admin',
  name: null,
  email: null,
  role: null,
  ...change,
});
const ines = party({ name: 'Inês Carvalho', email: 'ines@shortlist.io', role: 'owner' });
const marta = party({ kind: 'user', name: 'Marta Lindqvist', email: 'marta@people.test' });

const entry = (id: string, more: Partial<AuditView> = {}): AuditView => ({
  id,
  at: new Date('2026-11-21T09:58:12').toISOString(),
  actorId: ADMIN,
  actor: ines,
  address: '192.0.2.7',
  action: 'profile.update',
  targetId: USER,
  target: marta,
  before: { city: 'Oslo' },
  after: { city: 'Bergen' },
  ...more,
});

const openLog = async (data: AuditView[], next: string | null = null) => {
  logInAdmin();
  const server = fakeServer({ audit: () => ({ data, next }) });
  const { user } = openApp('/admin/audit');
  await screen.findByRole('heading', { name: 'Audit log' });
  return { server, user };
};
const log = async (): Promise<HTMLElement[]> =>
  within(await screen.findByRole('region', { name: 'Audit log' })).findAllByRole('listitem');
const summaries = async () =>
  (await log()).map((item) => item.querySelector('summary')?.textContent.replaceAll(/\s+/g, ' ').trim());

test('a line of the audit log says when, who with the role, what, why and whom', async () => {
  await openLog([
    entry('5', { action: 'account.view', after: { reason: 'Asked for help' } }),
    entry('4', { action: 'admin.log_in', targetId: ADMIN, target: ines }),
    entry('3', { action: 'factor.add', actorId: USER, actor: marta }),
    entry('2', { action: 'account.delete', target: party({ kind: 'deleted_user' }) }),
    entry('1', {
      action: 'plan.pause_now',
      actor: party({ kind: 'former_admin' }),
      target: party({ kind: 'none' }),
    }),
  ]);
  expect(await summaries()).toEqual([
    '2026-11-21 09:58 Inês Carvalho Owner Account viewed by support Reason: Asked for help Marta Lindqvist',
    '2026-11-21 09:58 Inês Carvalho Owner Signed in Own account',
    '2026-11-21 09:58 Marta Lindqvist Second factor added Own account',
    '2026-11-21 09:58 Inês Carvalho Owner Account deleted A deleted user (…0001)',
    '2026-11-21 09:58 A former admin (…000a) Plan: pause now –',
  ]);
});

test('a line opens to what was before and after, to the person, and to the other entries of both', async () => {
  const { user } = await openLog([entry('1')]);
  const [item] = await log();
  const line = within(item ?? document.body);
  expect(line.queryByRole('table')).toBeNull();
  await user.click(line.getByText('Profile changed'));
  expect(await line.findByRole('row', { name: 'City Oslo Bergen' })).toBeVisible();
  expect(line.getByText(/^From/)).toHaveTextContent('From 192.0.2.7. Reference 1');
  const links = line.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    ['Open Marta Lindqvist', `/admin/edit-user?user_id=${USER}`],
    ['Everything about Marta Lindqvist', '/admin/audit?about=marta%40people.test'],
    ['Everything done by Inês Carvalho', '/admin/audit?by=ines%40shortlist.io'],
  ]);
});

test('the audit log leads to older entries', async () => {
  const { server, user } = await openLog([entry('2')], '2');
  await user.click(await screen.findByRole('button', { name: 'Older' }));
  expect(await screen.findByText('Page 2')).toBeInTheDocument();
  expect(server.requestsTo('audit').at(-1)?.query.get('before')).toBe('2');
});

test('the audit log is searched by both persons, action and days, which are in the address, from its newest entry on', async () => {
  const { server, user } = await openLog([entry('2')], '2');
  await user.click(await screen.findByRole('button', { name: 'Older' }));
  await screen.findByText('Page 2');
  server.use({ audit: () => ({ data: [], next: null }) });
  await user.selectOptions(screen.getByLabelText('Action'), 'User list exported');
  expect(await screen.findByText('No entries match these filters.')).toBeInTheDocument();
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-15' } });
  fireEvent.blur(screen.getByLabelText('From'));
  await fill(user, screen.getByRole('searchbox', { name: 'Done by' }), 'ines');
  await waitFor(() => expect(address()).toContain('by=ines'));
  await fill(user, screen.getByRole('searchbox', { name: 'About' }), 'Marta L');
  await waitFor(() =>
    expect(address()).toBe('/admin/audit?action=users.export&from=2026-11-15&by=ines&about=Marta+L'),
  );
  await waitFor(() =>
    expect(Object.fromEntries(server.requestsTo('audit').at(-1)?.query ?? [])).toEqual({
      by: 'ines',
      about: 'Marta L',
      action: 'users.export',
      from: new Date('2026-11-15T00:00:00').toISOString(),
      limit: '20',
    }),
  );
  const clear = await screen.findByRole('button', { name: 'Clear filters' });
  server.use({ audit: () => ({ data: [entry('2')], next: null }) });
  await user.click(clear);
  await waitFor(async () => expect(await summaries()).toHaveLength(1));
  expect(screen.getByRole('searchbox', { name: 'About' })).toHaveValue('');
});

test('a search that names too many people says so', async () => {
  const { server, user } = await openLog([entry('1')]);
  server.use({
    audit: () => {
      throw apiFailure('audit.search_too_wide');
    },
  });
  await fill(user, screen.getByRole('searchbox', { name: 'About' }), 'a');
  expect(await screen.findByText(/^Too many names match/)).toBeVisible();
});

test('owners export what the filters find', async () => {
  logInAdmin();
  const server = fakeServer({ exportAudit: () => 'Time\n' });
  const { user } = openApp('/admin/audit?by=ines');
  await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(server.requestsTo('exportAudit')).toHaveLength(1));
  expect(Object.fromEntries(server.requestsTo('exportAudit')[0]?.query ?? [])).toEqual({ by: 'ines' });
});

test('the export is not offered to a role that does not include it', async () => {
  logInAdmin();
  fakeServer({ checkAdmin: () => ({ remainingTime: 3_600, role: 'support' }) });
  openApp('/admin/audit');
  expect(await screen.findByText('Nothing has been recorded yet.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Export CSV' })).toBeNull();
});

test('an entry about an app names it, says in words what was done, and leads to the page of the apps', async () => {
  const { user } = await openLog([
    entry('1', {
      action: 'tool.disable',
      target: party({ kind: 'tool', name: 'Automation bot' }),
      before: { name: 'Automation bot', disabled: false },
      after: { name: 'Automation bot', disabled: true, disconnectedUsers: 12 },
    }),
  ]);
  expect((await summaries())[0]).toMatch(/Inês Carvalho Owner App disabled Automation bot$/);
  await user.click(await screen.findByText('App disabled', { selector: 'strong' }));
  expect(await screen.findByRole('row', { name: 'Disabled No Yes' })).toBeVisible();
  expect(screen.getByRole('row', { name: 'Disconnected users – 12' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Open the apps' })).toHaveAttribute('href', '/admin/tools');
});
