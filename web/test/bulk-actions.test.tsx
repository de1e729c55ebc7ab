import type { NamedItem, NamedJob } from '@shortlist/contracts/api/bulk';
import { days } from '@shortlist/contracts/durations';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { dayEdge, tableDate } from '../src/lib/dates.ts';
import { grantDays } from '../src/lib/grant-days.ts';
import { apiFailure, fakeServer } from './fake-server.ts';
import { directoryRow } from './fixtures.ts';
import { address, logInAdmin, openApp } from './render-app.tsx';

const job = (change: Partial<NamedJob> = {}): NamedJob => ({
  id: '0192f0c0-0000-7000-8000-0000000000b1',
  kind: 'grant',
  state: 'running',
  problem: null,
  reason: 'A week without service',
  createdBy: '0192f0c0-0000-7000-8000-00000000000a',
  author: 'Inês Carvalho',
  createdAt: '2026-11-20T09:41:00.000Z',
  finishedAt: null,
  isResolved: true,
  total: 4,
  done: 1,
  skipped: 1,
  failed: 0,
  undoOf: null,
  canUndo: false,
  ...change,
});

const item = (position: number, change: Partial<NamedItem> = {}): NamedItem => ({
  userId: directoryRow(position).id,
  position,
  state: 'done',
  why: null,
  name: `Person Number ${position}`,
  email: `person${position}@talent.test`,
  ...change,
});

type Page = { total?: number; isCapped?: boolean };

const openList = ({ total = 2, isCapped = false }: Page = {}, path = '/admin/user-list') => {
  logInAdmin();
  const data = [directoryRow(1), directoryRow(2)];
  const server = fakeServer({
    listUsers: () => ({ data, total, isCapped, next: null }),
    createBulkJob: () => ({ data: job() }),
    bulkJob: () => ({ data: job() }),
    bulkItems: () => ({ data: [item(1)], next: null }),
  });
  return { server, ...openApp(path) };
};

const bodyOf = ({ server }: ReturnType<typeof openList>) => server.requestsTo('createBulkJob')[0]?.body;
const press = (name: string) => within(screen.getByRole('dialog')).getByRole('button', { name });

describe('the selected users', () => {
  test('are granted premium with a reason, and the job is shown', async () => {
    const opened = openList();
    const { user } = opened;
    await user.click(await screen.findByLabelText('Select Person Number 2'));
    expect(screen.getByText('One user selected')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Grant Premium' }));
    expect(screen.getByText('Grant Premium to one user?')).toBeInTheDocument();
    expect(screen.getByText(/You can undo this later/)).toBeInTheDocument();
    await user.type(screen.getByLabelText('Reason'), 'A week without service');
    const day = screen.getByLabelText('Last day');
    expect(day).toHaveValue(grantDays(Date.now()).initial);
    fireEvent.change(day, { target: { value: '2099-01-01' } });
    await user.click(press('Grant Premium'));
    expect(day).toHaveAccessibleDescription(/^Choose a day from /);
    expect(bodyOf(opened)).toBeUndefined();
    const chosen = tableDate(new Date(Date.now() + days(250)));
    fireEvent.change(day, { target: { value: chosen } });
    expect(day).toHaveAccessibleDescription(/Includes 500 credits at the start of each of 9 months\.$/);
    await user.click(press('Grant Premium'));
    expect(await screen.findByText('Running: 2 of 4')).toBeInTheDocument();
    expect(address()).toMatch(/^\/admin\/jobs\?job=/);
    expect(bodyOf(opened)).toEqual({
      kind: 'grant',
      reason: 'A week without service',
      ids: directoryRow(2).id,
      until: dayEdge(chosen, 'end'),
    });
  });

  test('are all that match the filters, if the admin says so', async () => {
    const opened = openList({ total: 1_234 }, '/admin/user-list?plan=free');
    const { user } = opened;
    await user.click(await screen.findByLabelText('Select all users on this page'));
    await user.click(screen.getByRole('button', { name: 'Select all 1,234 that match' }));
    await user.click(screen.getByRole('button', { name: 'Sign out' }));
    expect(screen.getByText('Sign out 1,234 users everywhere?')).toBeInTheDocument();
    expect(screen.getByText(/This cannot be undone/)).toBeInTheDocument();
    await user.type(screen.getByLabelText('Reason'), 'Shared laptops');
    await user.click(press('Sign out'));
    await waitFor(() =>
      expect(bodyOf(opened)).toEqual({
        kind: 'end_sessions',
        reason: 'Shared laptops',
        filter: { plan: 'free' },
        withAccess: false,
      }),
    );
  });

  test('are deleted only with their number', async () => {
    const opened = openList();
    const { user } = opened;
    await user.click(await screen.findByLabelText('Select all users on this page'));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await user.type(screen.getByLabelText(/type the number of users/), '3');
    await user.click(press('Delete'));
    expect(screen.getByText('This is not the number of users.')).toBeInTheDocument();
    expect(bodyOf(opened)).toBeUndefined();
  });

  test('are not deleted when there are more than the list counts', async () => {
    const opened = openList({ total: 10_000, isCapped: true }, '/admin/user-list?plan=free');
    const { user } = opened;
    await user.click(await screen.findByLabelText('Select all users on this page'));
    await user.click(screen.getByRole('button', { name: /^Select all that match/ }));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await user.click(press('Delete'));
    expect(screen.getByText(/Narrow the filters first/)).toBeInTheDocument();
    expect(bodyOf(opened)).toBeUndefined();
  });

  test.each([
    ['message', null],
    ['message', 'About the service'],
    ['news', 'News and tips'],
  ] as const)('get an email of the kind %s when the admin chooses: %s', async (kind, choice) => {
    const opened = openList();
    const { user } = opened;
    await user.click(await screen.findByLabelText('Select Person Number 1'));
    await user.click(screen.getByRole('button', { name: 'Send email' }));
    expect(screen.getByRole('radio', { name: /^About the service/ })).toBeChecked();
    expect(screen.getByText(/Users who turned them off are skipped/)).toBeVisible();
    if (choice !== null) await user.click(screen.getByRole('radio', { name: new RegExp(`^${choice}`) }));
    await user.type(screen.getByLabelText('Subject'), 'Three tips');
    await user.type(screen.getByLabelText('Text'), 'Write less.');
    await user.type(screen.getByLabelText('Reason'), 'Monthly');
    await user.click(press('Send email'));
    await waitFor(() =>
      expect(bodyOf(opened)).toEqual({
        kind,
        reason: 'Monthly',
        ids: directoryRow(1).id,
        subject: 'Three tips',
        text: 'Write less.',
      }),
    );
  });

  test('keep what was typed when the server refuses the message', async () => {
    const { server, user } = openList();
    server.use({
      createBulkJob: () => {
        throw apiFailure('worker.message_text', { text: 'Leave out links' });
      },
    });
    await user.click(await screen.findByLabelText('Select Person Number 1'));
    await user.click(screen.getByRole('button', { name: 'Send email' }));
    await user.type(screen.getByLabelText('Text'), 'See evil.example');
    await user.click(press('Send email'));
    expect(await screen.findByText('Leave out links')).toBeInTheDocument();
    expect(screen.getByLabelText('Text')).toHaveValue('See evil.example');
  });

  test('offer nothing that the role does not include', async () => {
    logInAdmin();
    fakeServer({
      checkAdmin: () => ({ remainingTime: 3_600, role: 'read_only' }),
      listUsers: () => ({ data: [directoryRow(1)], total: 1, isCapped: false, next: null }),
    });
    openApp('/admin/user-list');
    await screen.findByRole('link', { name: 'Person Number 1' });
    await waitFor(() => expect(screen.queryByLabelText('Select Person Number 1')).not.toBeInTheDocument());
  });
});

describe('a job', () => {
  const openJob = (change: Partial<NamedJob>, items: NamedItem[] = []) => {
    logInAdmin();
    const server = fakeServer({
      bulkJob: () => ({ data: job(change) }),
      bulkItems: () => ({ data: items, next: null }),
    });
    return { server, ...openApp(`/admin/jobs?job=${job().id}`) };
  };

  test('is paused', async () => {
    const { server, user } = openJob({});
    server.use({ pauseBulkJob: () => ({ data: job({ state: 'paused' }) }) });
    const pause = await screen.findByRole('button', { name: 'Pause' });
    server.use({ bulkJob: () => ({ data: job({ state: 'paused' }) }) });
    await user.click(pause);
    expect(await screen.findByRole('button', { name: 'Continue' })).toBeInTheDocument();
    expect(server.requestsTo('pauseBulkJob')).toHaveLength(1);
  });

  test('says for each user what was done, and why not', async () => {
    openJob({ state: 'done' }, [
      item(1),
      item(2, { state: 'skipped', why: 'already_premium' }),
      item(3, { state: 'failed', why: 'billing.period_not_paid', name: '', email: '' }),
    ]);
    expect(await screen.findByText('Already has Premium')).toBeInTheDocument();
    expect(screen.getByText(/The last payment has not gone through/)).toBeInTheDocument();
    expect(screen.getByText('Deleted user')).toBeInTheDocument();
  });

  test('is undone by another one', async () => {
    const { server, user } = openJob({ state: 'done', canUndo: true });
    const undo = job({ id: '0192f0c0-0000-7000-8000-0000000000b2', kind: 'take_back' });
    server.use({ undoBulkJob: () => ({ data: undo }) });
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await user.click(press('Undo'));
    await waitFor(() => expect(address()).toBe(`/admin/jobs?job=${undo.id}`));
  });

  test('says that it ended because its admin may no longer do this', async () => {
    openJob({ state: 'canceled', problem: 'permission' });
    expect(await screen.findByText(/the role of its admin no longer includes this/)).toBeInTheDocument();
  });
});
