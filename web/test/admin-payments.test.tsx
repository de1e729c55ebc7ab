import type { PaymentRow, PaymentTotal } from '@shortlist/contracts/api/payments';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { paymentRow } from './fixtures.ts';
import { address, logInAdmin, openApp } from './render-app.tsx';

const TOTAL: PaymentTotal = {
  currency: 'usd',
  count: 112,
  collected: 617_200,
  returned: 8_850,
  fees: 21_128,
  net: 587_222,
  unknownFees: 0,
};

type Replies = { rows?: PaymentRow[]; next?: string | null; totals?: PaymentTotal[] };

const openList = async (
  search = '',
  { rows = [paymentRow()], next = null, totals = [TOTAL] }: Replies = {},
) => {
  logInAdmin();
  const server = fakeServer({
    payments: () => ({ data: rows, next }),
    paymentTotals: () => ({ data: totals }),
  });
  const opened = openApp(`/admin/payments${search}`);
  await screen.findByRole('heading', { name: 'Payments' });
  return { server, ...opened };
};

const cells = async (): Promise<(string | undefined)[][]> => {
  await screen.findByRole('table');
  return screen
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent?.trim()),
    );
};

test('while the sums are not there, the list keeps their place', async () => {
  logInAdmin();
  const summed = Promise.withResolvers<void>();
  fakeServer({
    payments: () => ({ data: [paymentRow()], next: null }),
    paymentTotals: async () => {
      await summed.promise;
      return { data: [TOTAL] };
    },
  });
  openApp('/admin/payments');
  await cells();
  expect(screen.getByText('Loading the totals')).toBeInTheDocument();
  summed.resolve();
  await waitFor(() => expect(screen.queryByText('Loading the totals')).not.toBeInTheDocument());
  expect(screen.getByText('Collected').nextElementSibling).toHaveTextContent('$');
});

test('a payment stands with its user, invoice, subject, state, date, amount and fee', async () => {
  const dispute = { status: 'needs_response', evidenceDueAt: '2026-11-26T12:00:00.000Z' };
  await openList('', {
    rows: [
      paymentRow(),
      paymentRow({ invoiceId: 'in_2', credits: 250, state: 'partly_refunded', refunded: 2_950 }),
      paymentRow({ invoiceId: 'in_3', state: 'disputed', dispute }),
      paymentRow({ invoiceId: 'in_4', state: 'past_due', attempts: 2, fee: null }),
      paymentRow({ invoiceId: 'in_5', user: { id: paymentRow().user.id, name: '', email: '' } }),
    ],
  });
  const rows = await cells();
  expect(rows[0]?.map((text) => text?.replace(/^ML/, ''))).toEqual([
    'Marta Lindqvist',
    'SL-01193',
    'Premium',
    'Paid',
    '2026-11-18 09:12',
    '$59.00',
    '−$2.01',
  ]);
  expect(rows.map((row) => [row[2], row[3], row[6]])).toEqual([
    ['Premium', 'Paid', '−$2.01'],
    ['Credit pack', 'Partly refunded$29.50 returned', '−$2.01'],
    ['Premium', 'DisputedAnswer by Nov 26, 2026', '−$2.01'],
    ['Premium', 'Past due2 attempts', '–'],
    ['Premium', 'Paid', '−$2.01'],
  ]);
  expect(rows[4]?.[0]).toContain('Deleted user');
});

test('the sums are of all that the filters find, for each currency', async () => {
  await openList('', { totals: [TOTAL, { ...TOTAL, currency: 'eur', count: 1, unknownFees: 1 }] });
  const [usd, eur] = await screen.findAllByText(/payments? in [A-Z]/);
  expect(usd?.parentElement).toHaveTextContent(
    'All 112 payments in USD:Collected$6,172.00Returned−$88.50Fees−$211.28Net$5,872.22',
  );
  expect(eur?.parentElement).toHaveTextContent('1 payment in EUR:Collected€6,172.00');
  expect(eur?.parentElement).toHaveTextContent('The fee of 1 payment is not known yet.');
  expect(screen.getByText('1–1 of 113')).toBeVisible();
});

test('filters are in the URL, start at the first page, and reach list, sums and export', async () => {
  const { user, server } = await openList('?cursor=1.in_9&page=2&from=2026-11-01', { next: '2.in_8' });
  await user.selectOptions(await screen.findByLabelText('Status'), 'Disputed');
  await user.selectOptions(screen.getByLabelText('For'), 'Credit pack');
  await waitFor(() => expect(address()).toBe('/admin/payments?from=2026-11-01&state=disputed&for=pack'));
  const query = Object.fromEntries(server.requestsTo('payments').at(-1)?.query ?? []);
  expect(query).toEqual({
    state: 'disputed',
    for: 'pack',
    from: new Date('2026-11-01T00:00:00').toISOString(),
  });
  await waitFor(() =>
    expect(Object.fromEntries(server.requestsTo('paymentTotals').at(-1)?.query ?? [])).toEqual(query),
  );
});

test('pages lead on and back by their cursors', async () => {
  const { user, server } = await openList('', { next: '1.in_1' });
  await user.click(await screen.findByRole('button', { name: 'Next' }));
  await waitFor(() => expect(address()).toBe('/admin/payments?cursor=1.in_1&page=2'));
  await waitFor(() => expect(server.requestsTo('payments').at(-1)?.query.get('cursor')).toBe('1.in_1'));
  await waitFor(() => expect(screen.getByText(/^26–26 of/)).toBeVisible());
  await user.click(screen.getByRole('button', { name: 'Previous' }));
  await waitFor(() => expect(address()).toBe('/admin/payments'));
});

test('filters that find nothing can be cleared', async () => {
  const { user } = await openList('?state=void&search=x', { rows: [], totals: [] });
  expect(await screen.findByText('No payments match these filters.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(address()).toBe('/admin/payments'));
});

test('a list that could not be loaded says so and keeps the filters', async () => {
  logInAdmin();
  fakeServer({
    payments: () => {
      throw apiFailure('billing.provider_unavailable');
    },
  });
  openApp('/admin/payments?state=paid');
  expect(await screen.findByText('The payments could not be loaded')).toBeVisible();
  expect(screen.getByText(/Your filters are kept/)).toBeVisible();
});

test('support is told that the role does not include the page', async () => {
  logInAdmin();
  const { requestsTo } = fakeServer({ checkAdmin: () => ({ remainingTime: 3_600, role: 'support' }) });
  openApp('/admin/payments');
  expect(await screen.findByRole('heading', { name: 'Your role does not include this page' })).toBeVisible();
  expect(requestsTo('payments')).toEqual([]);
});
