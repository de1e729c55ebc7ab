import type { CreditsEntry, CreditsUsage } from '@shortlist/contracts/api/credits';
import { days } from '@shortlist/contracts/durations';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { revalidate } from '../src/lib/data/use-query.ts';
import { apiFailure, fakeServer } from './fake-server.ts';
import { apiKey, creditsView } from './fixtures.ts';
import { address, closeApp, logInUser, openApp } from './render-app.tsx';

const BOT = apiKey(1, { name: 'Automation bot' });
const OLD = apiKey(2, { name: 'Old test', revokedAt: '2026-11-01T09:00:00.000Z' });

const usage = (clientId: string | null, charged: number, returned = 0): CreditsUsage => ({
  day: '2026-11-21',
  clientId,
  reason: 'email_found',
  charged,
  returned,
});
const entry = (id: number, change: Partial<CreditsEntry> = {}): CreditsEntry => ({
  id: String(id),
  amount: -1,
  reason: 'email_found',
  reference: null,
  clientId: null,
  createdAt: '2026-11-21T09:12:00.000Z',
  ...change,
});

type Handlers = Parameters<typeof fakeServer>[0];

const open = (path = '/credits', handlers: Handlers = {}) => {
  logInUser();
  const server = fakeServer({ listApiKeys: () => ({ data: [BOT, OLD] }), ...handlers });
  return { server, ...openApp(path) };
};
const queries = (server: ReturnType<typeof fakeServer>, name: 'creditsUsage' | 'creditsHistory') =>
  server.requestsTo(name).map(({ query }) => Object.fromEntries(query));
const rowsOf = async (region: string) => {
  const table = await within(await screen.findByRole('region', { name: region })).findByRole('table');
  return within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );
};
const enterDay = (label: string, day: string): void => {
  const input = screen.getByLabelText(label);
  fireEvent.change(input, { target: { value: day } });
  fireEvent.blur(input);
};
const dayBefore = (count: number): string => new Date(Date.now() - days(count)).toISOString().slice(0, 10);

describe('the usage of credits', () => {
  test('is a table by app, of the last 30 days: the browser, keys, and deleted keys by their names', async () => {
    const { server } = open('/credits', {
      creditsUsage: () => ({ data: [usage(null, 30), usage(BOT.id, 1_170, 11), usage(OLD.id, 3)] }),
    });
    expect(await rowsOf('Usage')).toEqual([
      ['Automation bot', '1,170', '11', '97%'],
      ['Browser', '30', '0', '2%'],
      ['Old test', '3', '0', '<1%'],
    ]);
    expect(queries(server, 'creditsUsage')).toEqual([{ from: dayBefore(29), to: dayBefore(0) }]);
    const region = within(screen.getByRole('region', { name: 'Usage' }));
    expect(region.getByText('Days begin at midnight UTC.', { exact: false })).toBeVisible();
  });

  test('has another period, which is in the address', async () => {
    const { server, user } = open();
    await user.selectOptions(await screen.findByLabelText('Period'), 'Last 7 days');
    await waitFor(() => expect(address()).toBe('/credits?period=7'));
    await waitFor(() =>
      expect(queries(server, 'creditsUsage').at(-1)).toEqual({ from: dayBefore(6), to: dayBefore(0) }),
    );
    await user.selectOptions(screen.getByLabelText('Period'), 'Last 30 days');
    await waitFor(() => expect(address()).toBe('/credits'));
  });

  test('has chosen days in whichever order they are entered, and no more than the server counts', async () => {
    const { server, user } = open();
    await user.selectOptions(await screen.findByLabelText('Period'), 'Choose days');
    enterDay('First day (UTC)', '2026-11-09');
    enterDay('Last day (UTC)', '2026-11-01');
    await waitFor(() => expect(address()).toBe('/credits?period=days&first=2026-11-09&last=2026-11-01'));
    await waitFor(() =>
      expect(queries(server, 'creditsUsage').at(-1)).toEqual({ from: '2026-11-01', to: '2026-11-09' }),
    );
    const before = queries(server, 'creditsUsage').length;
    enterDay('Last day (UTC)', '2024-11-01');
    expect(await screen.findByText('Please choose at most 366 days.')).toBeVisible();
    expect(queries(server, 'creditsUsage')).toHaveLength(before);
  });

  test('says when there is none, and can be read again when it could not be loaded', async () => {
    const { server, user } = open('/credits', {
      creditsUsage: () => {
        throw apiFailure('service.unavailable');
      },
    });
    const region = within(await screen.findByRole('region', { name: 'Usage' }));
    expect(await region.findByText('Your usage could not be loaded')).toBeInTheDocument();
    server.use({ creditsUsage: () => ({ data: [] }) });
    await user.click(region.getByRole('button', { name: 'Try again' }));
    expect(await region.findByText('No credits were used in this period.')).toBeVisible();
  });

  test('follows what other devices and apps charge', async () => {
    const { server } = open('/credits', { creditsUsage: () => ({ data: [usage(null, 1)] }) });
    expect(await rowsOf('Usage')).toEqual([['Browser', '1', '0', '100%']]);
    server.use({ creditsUsage: () => ({ data: [usage(null, 1), usage(BOT.id, 1)] }) });
    await act(() => revalidate(['credits']));
    await waitFor(async () => expect(await rowsOf('Usage')).toHaveLength(2));
  });
});

describe('the history of credits', () => {
  test('has the app of each entry, amounts of several credits, why credits came back, and what was added or taken away', async () => {
    open('/credits', {
      creditsHistory: () => ({
        data: [
          entry(9, { amount: 250, reason: 'pack_bought' }),
          entry(8, { amount: -38, reason: 'credits_revoked' }),
          entry(7, { amount: -5, clientId: BOT.id, returned: { amount: 5, reason: 'released' } }),
          entry(6, { amount: -3, clientId: OLD.id, returned: { amount: 3, reason: 'expired' } }),
          entry(5, { returned: { amount: 1, reason: 'already_paid' } }),
          entry(4, { amount: -1_300, clientId: 'other', returned: { amount: 1_200, reason: 'unused' } }),
          entry(3, { amount: -100, reference: 'Ingrid', clientId: BOT.id }),
          entry(2, { amount: 0 }),
        ],
        next: null,
      }),
    });
    const rows = await rowsOf('History');
    expect(rows.map(([what, , tool, , amount]) => [what, tool, amount])).toEqual([
      ['Pack bought', '—', '+250'],
      ['Extra credits taken back', '—', '−38'],
      ['Email foundReturned · Not needed', 'Automation bot', '0'],
      ['Email foundReturned · Not used in time', 'Old test', '0'],
      ['Email foundReturned · Contact already paid for', 'Browser', '0'],
      ['Email found1,200 returned · Fewer needed', 'Unknown app', '−100'],
      ['Email found', 'Automation bot', '−100'],
      ['Email foundPaid for in the last 30 days', 'Browser', '0'],
    ]);
  });

  test('has filters in the address, which begin at the newest entry again and can be cleared', async () => {
    const { server, user } = open('/credits', {
      creditsHistory: ({ query }) => ({
        data: query.has('reason') ? [] : [entry(2)],
        next: query.has('cursor') ? null : '2',
      }),
    });
    await user.click(await screen.findByRole('button', { name: 'Older' }));
    expect(await screen.findByText('Page 2')).toBeVisible();
    await user.selectOptions(screen.getByLabelText('App'), 'Old test, deleted');
    expect(await screen.findByText('Latest 1')).toBeVisible();
    enterDay('From (UTC)', '2026-11-21');
    enterDay('To (UTC)', '2026-11-01');
    await user.selectOptions(screen.getByLabelText('Action'), 'Returned: expired');
    expect(await screen.findByText('No entries match these filters.')).toBeVisible();
    expect(address()).toBe(`/credits?tool=${OLD.id}&from=2026-11-21&to=2026-11-01&reason=expired`);
    expect(queries(server, 'creditsHistory').at(-1)).toEqual({
      limit: '20',
      returns: 'joined',
      reason: 'expired',
      client: OLD.id,
      from: '2026-11-01',
      to: '2026-11-21',
    });
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(await screen.findByText('Latest 1')).toBeVisible();
    expect(address()).toBe('/credits');
    expect(screen.getByLabelText('From (UTC)')).toHaveValue('');
  });

  test('opens as its address says, without what cannot be a filter', async () => {
    const { server } = open('/credits?tool=browser&reason=stolen&from=yesterday&to=2026-11-21');
    expect(await screen.findByText('No entries match these filters.')).toBeVisible();
    expect(screen.getByLabelText('App')).toHaveDisplayValue('Browser');
    expect(queries(server, 'creditsHistory')).toContainEqual({
      limit: '20',
      returns: 'joined',
      client: 'browser',
      to: '2026-11-21',
    });
  });

  test('is downloaded as CSV with its filters', async () => {
    const { server, user } = open(`/credits?tool=${BOT.id}&from=2026-11-01`, {
      exportHistory: () => 'Time\n',
    });
    await user.click(await screen.findByRole('button', { name: 'Download CSV' }));
    await waitFor(() => expect(server.requestsTo('exportHistory')).toHaveLength(1));
    expect(Object.fromEntries(server.requestsTo('exportHistory')[0]?.query ?? [])).toEqual({
      client: BOT.id,
      from: '2026-11-01',
    });
  });

  test('says why it could not be downloaded', async () => {
    const { user } = open('/credits', {
      creditsHistory: () => ({ data: [entry(1)], next: null }),
      exportHistory: () => {
        throw apiFailure('service.unavailable');
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Download CSV' }));
    expect(await screen.findByText(/^The list could not be exported/)).toBeVisible();
  });
});

describe('the warning of low credits', () => {
  const LOW = creditsView({ plan: 'premium', limit: 500, used: 406, available: 94 });
  const WARNING = 'You have used 81% of this month’s credits.';

  test('stays dismissed after a reload, and comes back with another window', async () => {
    const { server, user } = open('/credits', { credits: () => LOW });
    const alert = (await screen.findByText(WARNING)).closest('.alert') as HTMLElement;
    await user.click(within(alert).getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText(WARNING)).toBeNull();
    closeApp();
    openApp('/credits');
    expect(await screen.findByText('94')).toBeVisible();
    expect(screen.queryByText(WARNING)).toBeNull();
    server.use({ credits: () => ({ ...LOW, used: 450, available: 50 }) });
    await act(() => revalidate(['credits']));
    expect(await screen.findByText('50')).toBeVisible();
    expect(screen.queryByText(/% of this month/)).toBeNull();
    server.use({ credits: () => ({ ...LOW, windowStart: '2026-12-12T08:00:00.000Z' }) });
    await act(() => revalidate(['credits']));
    expect(await screen.findByText(WARNING)).toBeVisible();
  });

  test('is not there before 80 percent, and not beside the notice of used up credits', async () => {
    const { server } = open('/credits', { credits: () => ({ ...LOW, used: 399, available: 101 }) });
    expect(await screen.findByText('101')).toBeVisible();
    expect(screen.queryByText(/^You have used \d+%/)).toBeNull();
    server.use({ credits: () => ({ ...LOW, used: 500, available: 0, exhausted: true }) });
    await act(() => revalidate(['credits']));
    expect(await screen.findByRole('heading', { name: 'Premium credits used up' })).toBeVisible();
    expect(screen.queryByText(/^You have used \d+%/)).toBeNull();
  });
});
