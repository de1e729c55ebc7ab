import type { RetentionCohort, RevenueSeries, RevenueView } from '@shortlist/contracts/api/revenue';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { busyFigures, revenueEntry, revenueFigures, revenueView, userView } from './fixtures.ts';
import { address, logInAdmin, openApp } from './render-app.tsx';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');

const SERIES: RevenueSeries = {
  currency: 'usd',
  periods: [
    revenueFigures({
      from: '2026-10-01T00:00:00.000Z',
      to: '2026-11-01T00:00:00.000Z',
      sums: { new: { amount: 5_900, count: 1 }, churned: { amount: -11_800, count: 2 } },
    }),
    busyFigures(),
  ],
};

const COHORTS: RetentionCohort[] = [
  { month: '2026-08', people: 10, active: [9, 8, 6] },
  { month: '2026-09', people: 30, active: [15, 15] },
  { month: '2026-10', people: 400, active: [399] },
  { month: '2026-11', people: 12, active: [] },
];

type Replies = { view?: RevenueView; series?: RevenueSeries; cohorts?: RetentionCohort[] };

const openReports = async (
  search = '',
  { view = revenueView(), series = SERIES, cohorts = COHORTS }: Replies = {},
) => {
  logInAdmin();
  const server = fakeServer({
    revenue: () => ({ data: view }),
    revenuePeriods: () => ({ data: series }),
    retention: () => ({ data: cohorts }),
    revenueEntries: () => ({ data: [revenueEntry()], next: null }),
    exportRevenue: () => 'from,mrr\n',
  });
  const opened = openApp(`/admin/reports${search}`);
  await screen.findByRole('heading', { name: 'Reports' });
  return { server, ...opened };
};

/** The value of a figure and what stands below it. */
const figure = async (name: string): Promise<(string | null | undefined)[]> => {
  const term = await screen.findByRole('button', { name });
  const cell = term.closest('div');
  return [...(cell?.querySelectorAll('dd') ?? [])].map(({ textContent }) => textContent);
};

const lastQuery = (server: ReturnType<typeof fakeServer>, name: Parameters<typeof server.requestsTo>[0]) =>
  Object.fromEntries(server.requestsTo(name).at(-1)?.query ?? []);

// The dates of other modules stay real: only the product's own clock is read from here.
beforeEach(() => void vi.spyOn(Date, 'now').mockImplementation(() => NOW));

describe('the figures', () => {
  test('stand with what they are made of and how they differ from the period before', async () => {
    await openReports();
    expect(await figure('MRR')).toEqual(['$6,077.00', '$531.00 more than before']);
    expect(await figure('Net new MRR')).toEqual(['$531.00', '$59.00 more than before']);
    expect(await figure('Active subscribers')).toEqual(['103', '9 more than before']);
    expect(await figure('Subscriber churn')).toEqual(['5.3%', '5 of 94, was 5.8%']);
    expect(await figure('ARPU')).toEqual(['$59.00', 'same as before']);
    expect(await figure('Failed renewals')).toEqual(['7', '$413.00, 1 more than before']);
  });

  test('below zero have their sign, and are compared by what they were', async () => {
    await openReports('?figures=all');
    expect(await figure('Churned MRR')).toEqual(['−$295.00', '5 subscribers, same as before']);
    expect(await figure('Contraction MRR')).toEqual(['−$10.00', '1 subscriber, was $0.00']);
    expect(await figure('Refunds')).toEqual(['−$59.00', '1 refund, was $0.00']);
    expect(await figure('Fees')).toEqual(['−$201.11', 'was $0.00']);
    expect(await figure('Revenue churn')).toEqual(['5.5%', '$305.00 of $5,546.00, was 5.8%']);
    expect(await figure('LTV')).toEqual(['$1,109.20', '$94.40 more than before']);
    expect(await figure('Recovered renewals')).toEqual(['5', '$295.00, 5 more than before']);
    expect(await figure('Cash')).toEqual(['$5,699.89', '$153.89 more than before']);
    expect(await figure('Tax')).toEqual(['$480.00', '$480.00 more than before']);
  });

  test('that are shares of nothing are a dash with the reason, not 0', async () => {
    const current = revenueFigures();
    await openReports('?figures=all', { view: revenueView({ current, before: revenueFigures() }) });
    expect(await figure('Subscriber churn')).toEqual(['–', 'No subscribers at the start']);
    expect(await figure('Revenue churn')).toEqual(['–', 'No MRR at the start']);
    expect(await figure('ARPU')).toEqual(['–', 'No subscribers']);
    expect(await figure('LTV')).toEqual(['–', 'Not known without subscriber churn']);
    expect(document.body).not.toHaveTextContent(/NaN|Infinity/);
  });

  test('say what was known before, and that nothing was', async () => {
    const { server, user } = await openReports('', { view: revenueView({ current: revenueFigures() }) });
    expect(await figure('ARPU')).toEqual(['–', 'No subscribers, was $59.00']);
    server.use({ revenue: () => ({ data: revenueView({ before: revenueFigures() }) }) });
    await user.selectOptions(screen.getByLabelText('Compare with'), 'Same period last year');
    await waitFor(async () => expect(await figure('ARPU')).toEqual(['$59.00', 'not known before']));
  });

  test('are not compared where no comparison is chosen', async () => {
    const view = revenueView({ before: null, daysBefore: null });
    const { server } = await openReports('?compare=none', { view });
    expect(await figure('MRR')).toEqual(['$6,077.00', '']);
    expect(await figure('Subscriber churn')).toEqual(['5.3%', '5 of 94']);
    expect(lastQuery(server, 'revenue')).toMatchObject({ compare: 'none' });
    expect(screen.getByText('November 1 – 21, 2026')).toBeVisible();
  });

  test('have a definition that opens by keyboard and closes with Escape', async () => {
    const { user } = await openReports();
    const term = await screen.findByRole('button', { name: 'Subscriber churn' });
    const tip = screen.getByText('Subscribers lost in the period, divided by those at its start.');
    expect(term).toHaveAccessibleDescription(tip.textContent ?? '');
    expect(tip).not.toBeVisible();
    await user.hover(term);
    expect(tip).toBeVisible();
    await user.unhover(term);
    expect(tip).not.toBeVisible();
    act(() => term.focus());
    expect(tip).toBeVisible();
    await user.keyboard('{Escape}');
    expect(tip).not.toBeVisible();
  });

  test('that could not be loaded leave the other panels, and can be loaded again', async () => {
    logInAdmin();
    const server = fakeServer({
      revenue: () => {
        throw apiFailure('service.unavailable');
      },
      revenuePeriods: () => ({ data: SERIES }),
      retention: () => ({ data: COHORTS }),
    });
    const { user } = openApp('/admin/reports');
    expect(await screen.findByText('The figures could not be loaded')).toBeVisible();
    expect(await screen.findByText('Oct 2026')).toBeVisible();
    server.use({ revenue: () => ({ data: revenueView() }) });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await figure('MRR')).toEqual(['$6,077.00', '$531.00 more than before']);
  });
});

describe('the period', () => {
  test('is in the URL, reaches each read, and Back leads to the one before', async () => {
    const { server, user } = await openReports();
    expect(
      await screen.findByText('November 1 – 21, 2026, compared with October 1 – 21, 2026'),
    ).toBeVisible();
    await user.selectOptions(screen.getByLabelText('Period'), 'Last month');
    await waitFor(() => expect(address()).toBe('/admin/reports?period=last_month'));
    const october = { from: '2026-10-01', to: '2026-10-31', timeZone: 'UTC' };
    await waitFor(() => expect(lastQuery(server, 'revenue')).toEqual({ ...october, compare: 'previous' }));
    expect(lastQuery(server, 'revenuePeriods')).toEqual({ ...october, from: '2025-11-01', step: 'month' });
    window.history.back();
    await waitFor(() => expect(address()).toBe('/admin/reports'));
    await waitFor(() => expect(screen.getByLabelText('Period')).toHaveValue('this_month'));
  });

  test('of custom dates begins with those shown, and is drawn by its days', async () => {
    const { server, user } = await openReports();
    await user.selectOptions(screen.getByLabelText('Period'), 'Custom dates');
    await waitFor(() => expect(address()).toBe('/admin/reports?period=custom&from=2026-11-01&to=2026-11-21'));
    expect(await screen.findByLabelText('From')).toHaveValue('2026-11-01');
    await waitFor(() =>
      expect(lastQuery(server, 'revenuePeriods')).toMatchObject({ from: '2026-11-01', step: 'day' }),
    );
    await user.selectOptions(screen.getByLabelText('Period'), 'This month');
    await waitFor(() => expect(address()).toBe('/admin/reports'));
  });

  test('that is not as long as the one before says so', async () => {
    await openReports('', {
      view: revenueView({
        days: 31,
        daysBefore: 28,
        before: revenueFigures({ from: '2026-02-01T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' }),
      }),
    });
    expect(
      await screen.findByText(/, compared with February 1 – 28, 2026, which has 28 days, not 31$/),
    ).toBeVisible();
  });

  test('falls back where the URL means nothing', async () => {
    const { server } = await openReports('?period=ever&from=x&compare=moon&currency=%3Cb%3E');
    await figure('MRR');
    expect(lastQuery(server, 'revenue')).toEqual({
      from: '2026-11-01',
      to: '2026-11-21',
      timeZone: 'UTC',
      compare: 'previous',
    });
  });

  test('is exported in the steps of the chart', async () => {
    const { server, user } = await openReports('?period=custom&from=2026-10-01&to=2026-11-09&currency=usd');
    await user.click(screen.getByRole('button', { name: 'Export CSV' }));
    await waitFor(() => expect(server.requestsTo('exportRevenue')).toHaveLength(1));
    expect(lastQuery(server, 'exportRevenue')).toEqual({
      from: '2026-10-01',
      to: '2026-11-09',
      timeZone: 'UTC',
      currency: 'usd',
      step: 'week',
    });
  });
});

describe('the currency', () => {
  test('is chosen where there are several, and reaches each read', async () => {
    const currencies = ['eur', 'usd'];
    const { server, user } = await openReports('', { view: revenueView({ currencies }) });
    const select = await screen.findByLabelText('Currency');
    server.use({ revenue: () => ({ data: revenueView({ currency: 'eur', currencies }) }) });
    await user.selectOptions(select, 'EUR');
    await waitFor(() => expect(address()).toBe('/admin/reports?currency=eur'));
    await waitFor(async () => expect((await figure('MRR'))[0]).toBe('€6,077.00'));
    for (const read of ['revenue', 'revenuePeriods', 'retention'] as const)
      expect(lastQuery(server, read), read).toMatchObject({ currency: 'eur' });
  });

  test('gives way where there is no revenue in it, and is no choice where there is one', async () => {
    const { server } = await openReports('?currency=sek&period=last_month');
    await waitFor(() => expect(address()).toBe('/admin/reports?period=last_month'));
    await waitFor(() => expect(lastQuery(server, 'retention')).toEqual({}));
    expect(screen.queryByLabelText('Currency')).toBeNull();
  });
});

describe('the movements', () => {
  test('stand with their totals, and as a table of the same figures', async () => {
    const { user } = await openReports();
    const panel = await screen.findByRole('region', { name: 'MRR movements' });
    await waitFor(() =>
      expect(panel).toHaveTextContent(
        'New and expansion$777.00Reactivated$118.00Churned and contraction−$423.00Net$472.00',
      ),
    );
    await user.click(within(panel).getByRole('button', { name: 'Show as a table' }));
    const rows = within(panel).getAllByRole('row');
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'MonthNewExpansionReactivatedContractionChurnedNet',
      '2026-11$708.00$10.00$118.00−$10.00−$295.00$531.00',
      '2026-10$59.00$0.00$0.00$0.00−$118.00−$59.00',
    ]);
  });

  test('that did not happen are a sentence', async () => {
    await openReports('', { series: { currency: 'usd', periods: [revenueFigures()] } });
    expect(await screen.findByText('MRR did not change in this time.')).toBeVisible();
  });
});

describe('retention', () => {
  test('has the share that stayed in each later month, and of all who came to it', async () => {
    await openReports();
    const table = await screen.findByRole('table', { name: 'Retention by start month' });
    const rows = within(table)
      .getAllByRole('row')
      .map(({ textContent }) => textContent);
    expect(rows).toEqual([
      'Started inUsersMonth 1Month 2Month 3',
      'Aug 20261090%80%60%',
      'Sep 20263050%50%',
      'Oct 2026400>99%',
      'Nov 202612',
      'All45296%58%60%',
    ]);
    expect(within(table).getByTitle('399 of 400')).toBeVisible();
    expect(screen.getByText(/Months are in UTC\. The last number of each row/)).toBeVisible();
  });
});

test('without any subscriber the panels say so', async () => {
  const view = revenueView({ currencies: [], current: revenueFigures(), before: revenueFigures() });
  await openReports('', { view, series: { currency: 'usd', periods: [] }, cohorts: [] });
  expect(await screen.findByText('There are no subscribers yet.')).toBeVisible();
  expect(await screen.findByText('MRR did not change in this time.')).toBeVisible();
  expect(await figure('MRR')).toEqual(['$0.00', 'same as before']);
  expect(screen.queryByLabelText('Currency')).toBeNull();
});

describe('what is behind a figure', () => {
  test('is listed with its users and payments, and leads back to the same reports', async () => {
    const { server, user } = await openReports('?period=last_month&compare=year&figures=all');
    server.use({
      revenueEntries: () => ({
        data: [
          revenueEntry({ id: '2', amount: -5_900, invoiceId: 'in_1' }),
          revenueEntry({ user: { id: userView().id, name: '', email: '' } }),
        ],
        next: '1.1',
      }),
    });
    await user.click(await screen.findByRole('link', { name: '−$59.00: list what is behind Refunds' }));
    expect(await screen.findByRole('heading', { name: 'Refunds' })).toBeVisible();
    expect(screen.getByText('October 1 – 31, 2026')).toBeVisible();
    const october = { from: '2026-10-01', to: '2026-10-31', timeZone: 'UTC', kind: 'refund' };
    expect(lastQuery(server, 'revenueEntries')).toEqual(october);
    const [, row, deleted] = await screen.findAllByRole('row');
    expect(row).toHaveTextContent('Marta Lindqvist2026-11-18 09:12Open the payment−$59.00');
    expect(within(row as HTMLElement).getByRole('link', { name: 'Marta Lindqvist' })).toHaveAttribute(
      'href',
      `/admin/edit-user?user_id=${userView().id}`,
    );
    expect(within(row as HTMLElement).getByRole('link', { name: 'Open the payment' })).toHaveAttribute(
      'href',
      '/admin/payment?id=in_1',
    );
    expect(deleted).toHaveTextContent('Deleted user');
    expect(within(deleted as HTMLElement).queryByRole('link')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await waitFor(() => expect(lastQuery(server, 'revenueEntries')).toEqual({ ...october, cursor: '1.1' }));
    await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Reports' }));
    await waitFor(() => expect(address()).toBe('/admin/reports?period=last_month&compare=year&figures=all'));
  });

  test('MRR are those who pay now, and nobody who pays now where the period is over', async () => {
    const { server, user } = await openReports();
    server.use({
      revenueSubscribers: () => ({ data: [{ user: revenueEntry().user, mrr: 5_900 }], next: null }),
    });
    await user.click(await screen.findByRole('link', { name: '$6,077.00: list what is behind MRR' }));
    expect(await screen.findByRole('heading', { name: 'Active subscribers' })).toBeVisible();
    await waitFor(() => expect(screen.getAllByRole('row')[1]).toHaveTextContent('Marta Lindqvist$59.00'));
    expect(lastQuery(server, 'revenueSubscribers')).toEqual({ currency: 'usd' });
    await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Reports' }));
    await waitFor(() => expect(address()).toBe('/admin/reports'));
    await user.selectOptions(screen.getByLabelText('Period'), 'Last month');
    await waitFor(() => expect(lastQuery(server, 'revenue')).toMatchObject({ from: '2026-10-01' }));
    await screen.findByRole('link', { name: /behind New MRR|behind Failed renewals/ });
    expect(screen.queryByRole('link', { name: /behind MRR/ })).toBeNull();
  });

  test('is the reports where the address names nothing', async () => {
    logInAdmin();
    fakeServer();
    openApp('/admin/reports/entries?kind=everything&from=2026-10-01&to=2026-10-09');
    expect(await screen.findByRole('heading', { name: 'Reports' })).toBeVisible();
    expect(address()).toBe('/admin/reports?from=2026-10-01&to=2026-10-09&period=custom');
  });

  test('and is not there any more is a sentence that leads back', async () => {
    logInAdmin();
    fakeServer({ revenueEntries: () => ({ data: [], next: null }) });
    openApp('/admin/reports/entries?kind=new');
    expect(await screen.findByText('There is nothing in this period.')).toBeVisible();
  });
});

describe('the role', () => {
  test.each(['/admin/reports', '/admin/reports/entries?kind=new'])('of support has no %s', async (path) => {
    logInAdmin();
    const { requestsTo } = fakeServer({ checkAdmin: () => ({ remainingTime: 3_600, role: 'support' }) });
    openApp(path);
    expect(
      await screen.findByRole('heading', { name: 'Your role does not include this page' }),
    ).toBeVisible();
    expect(requestsTo('revenue')).toEqual([]);
    expect(screen.queryByRole('link', { name: 'Reports' })).toBeNull();
  });

  test.each([
    ['finance', ['Overview', 'Business']],
    ['support', []],
  ] as const)('of %s has the tabs %s on the dashboard', async (role, tabs) => {
    logInAdmin();
    fakeServer({ checkAdmin: () => ({ remainingTime: 3_600, role }) });
    openApp('/admin/');
    await screen.findByRole('heading', { name: 'New Users' });
    const nav = screen.queryByRole('navigation', { name: 'Dashboard' });
    const links = nav === null ? [] : within(nav).getAllByRole('link');
    expect(links.map(({ textContent }) => textContent)).toEqual(tabs);
    for (const link of links)
      expect(link.getAttribute('aria-current')).toBe(link.textContent === 'Overview' ? 'page' : null);
  });
});
