import type { PaymentAct, PaymentDetail } from '@shortlist/contracts/api/payments';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { apiFailure, fakeServer } from './fake-server.ts';
import { paymentDetail } from './fixtures.ts';
import { logInAdmin, openApp } from './render-app.tsx';

type Handlers = Parameters<typeof fakeServer>[0];

const openPayment = async (
  data: PaymentDetail = paymentDetail(),
  { acts = [], ...handlers }: { acts?: PaymentAct[] } & Handlers = {},
) => {
  logInAdmin();
  const server = fakeServer({ payment: () => ({ data, acts }), ...handlers });
  const opened = openApp(`/admin/payment?id=${data.invoiceId}`);
  await screen.findByRole('heading', { level: 1, name: '$59.00' });
  return { server, ...opened };
};

const rowsOf = (name: string): string[] =>
  [...screen.getByRole('region', { name }).querySelectorAll('dl > div')].map((row) =>
    [...row.children].map(({ textContent }) => textContent).join(': '),
  );
const timeline = (): string[] =>
  within(screen.getByRole('region', { name: 'Timeline' }))
    .getAllByRole('listitem')
    .map((item) => item.querySelector('.trail-text')?.textContent ?? '');

const REFUND = {
  refundId: 're_1',
  amount: 2_950,
  createdAt: new Date('2026-11-21T09:58:00').toISOString(),
  failedAt: null,
};
const ACT: PaymentAct = {
  id: '0192f0c0-0000-7000-8000-0000000000a1',
  at: REFUND.createdAt,
  action: 'payment.refund',
  by: 'Inês Carvalho',
  text: 'Plan not used',
  refundId: 're_1',
};

test('a payment shows its amounts, its user, and where it stands at the provider', async () => {
  await openPayment();
  expect(screen.getByText('Marta Lindqvist, Premium for Nov 18, 2026 to Dec 18, 2026')).toBeVisible();
  expect(rowsOf('Amounts')).toEqual([
    'Charged: $59.00',
    'Of it tax: $0.00',
    'Provider fee: −$2.01',
    'Returned: $0.00',
    'Net: $56.99',
  ]);
  expect(screen.getByRole('link', { name: 'Marta Lindqvist' })).toHaveAttribute(
    'href',
    `/admin/edit-user?user_id=${paymentDetail().user.id}`,
  );
  await waitFor(() =>
    expect(screen.getByRole('link', { name: /^Open at the provider/ })).toHaveAttribute(
      'href',
      'https://provider.test/invoices/in_1',
    ),
  );
});

test('a payment that failed shows when it is tried again, and what the provider said of it', async () => {
  const failedAt = new Date('2026-11-18T09:32:00').toISOString();
  const open = { state: 'past_due', paidAt: null, attempts: 2, failedAt, left: 0 } as const;
  const event = {
    eventId: 'evt_1',
    type: 'invoice.payment_failed',
    state: 'done',
    receivedAt: failedAt,
  } as const;
  await openPayment(
    paymentDetail({
      ...open,
      nextAttemptAt: new Date('2026-11-25T09:02:00').toISOString(),
      events: [event, { ...event, eventId: 'evt_0', state: 'failed' }],
    }),
  );
  expect(timeline()[0]).toMatch(/^First attempt failedTried 2 times. Next attempt Nov 25, 2026/);
  const rows = within(screen.getByRole('table', { name: 'Provider events' })).getAllByRole('row');
  expect(rows.slice(1).map(({ textContent }) => textContent)).toEqual([
    'invoice.payment_failedevt_12026-11-18 09:32Handled',
    'invoice.payment_failedevt_02026-11-18 09:32Failed',
  ]);
});

test('a payment that is not tried again says so, and one that was paid after all does not', async () => {
  const failedAt = new Date('2026-11-18T09:32:00').toISOString();
  await openPayment(paymentDetail({ state: 'failed', paidAt: null, attempts: 4, failedAt, left: 0 }));
  expect(timeline()[0]).toBe('First attempt failedTried 4 times. It is not tried again by itself');
  expect(screen.queryByRole('region', { name: 'Provider events' })).toBeNull();
});

test('the timeline has what happened at the provider and what admins did, the newest first', async () => {
  const failed = { ...REFUND, refundId: 're_2', failedAt: new Date('2026-11-25T09:00:00').toISOString() };
  await openPayment(
    paymentDetail({
      state: 'disputed',
      refunded: 2_950,
      refunds: [REFUND, failed],
      disputes: [
        {
          disputeId: 'dp_1',
          amount: 2_950,
          currency: 'usd',
          reason: 'product_not_received',
          status: 'lost',
          openedAt: new Date('2026-12-01T09:00:00').toISOString(),
          evidenceDueAt: null,
          closedAt: new Date('2026-12-09T09:00:00').toISOString(),
          withdrawn: { amount: 2_950, currency: 'usd' },
          fee: { amount: 1_500, currency: 'usd' },
        },
      ],
    }),
    { acts: [ACT] },
  );
  expect(timeline()).toEqual([
    'The dispute was lost',
    'The payer disputed $29.50At the bank: product not received',
    'The refund of $29.50 failedThe bank returned the money, so the payer does not have it.',
    '$29.50 refundedMade at the provider, or automatically',
    '$29.50 refunded by Inês CarvalhoReason: Plan not used',
    '$59.00 paidOn the first attempt',
    'Invoice SL-01193 issuedFor Nov 18, 2026 to Dec 18, 2026',
  ]);
  expect(rowsOf('Amounts').slice(-3)).toEqual(['Disputed: −$29.50', 'Dispute fee: −$15.00', 'Net: −$17.01']);
});

test('a fee that is not known is not 0, and leaves the net open', async () => {
  await openPayment(paymentDetail({ fee: null }));
  expect(rowsOf('Amounts')).toContain('Provider fee: Not known yet');
  expect(rowsOf('Amounts').join()).not.toContain('Net');
});

test('an unknown payment leads back to the list', async () => {
  logInAdmin();
  fakeServer({
    payment: () => {
      throw apiFailure('billing.invoice_not_found');
    },
  });
  openApp('/admin/payment?id=in_none');
  expect(await screen.findByText('This payment was not found.')).toBeVisible();
});

describe('a refund', () => {
  const openDialog = async (data: PaymentDetail, handlers: Handlers = {}) => {
    const opened = await openPayment(data, handlers);
    await opened.user.click(screen.getByRole('button', { name: 'Refund' }));
    return { ...opened, dialog: within(await screen.findByRole('dialog')) };
  };

  test('of all says what ends, and repeats its amount on the button', async () => {
    const { user, server, dialog } = await openDialog(paymentDetail(), {
      refundPayment: () => ({ data: REFUND }),
    });
    expect(dialog.getByText(/Premium ends now unless/)).toBeVisible();
    await user.type(dialog.getByLabelText('Reason'), ' Not used ');
    await user.click(dialog.getByRole('button', { name: 'Refund $59.00' }));
    expect(await screen.findByText('$59.00 is on its way back.')).toBeVisible();
    const [request] = server.requestsTo('refundPayment');
    expect(request?.params).toEqual({ invoiceId: 'in_1' });
    expect(request?.body).toEqual({ amount: 5_900, left: 5_900, reason: 'Not used' });
    expect(request?.headers.get('idempotency-key')).toMatch(/^[\da-f-]{36}$/);
    await waitFor(() => expect(server.requestsTo('payment').length).toBeGreaterThan(1));
  });

  test('of a part is entered in whole units, and at most what is left', async () => {
    const { user, server, dialog } = await openDialog(
      paymentDetail({ state: 'partly_refunded', refunded: 2_950, left: 2_950, effect: 'nothing' }),
      { refundPayment: () => ({ data: REFUND }) },
    );
    expect(dialog.getByText(/Premium stays as it is/)).toBeVisible();
    await user.click(dialog.getByRole('radio', { name: /^A part/ }));
    const field = dialog.getByLabelText('Amount in USD');
    for (const wrong of ['30', '0', '1.005', 'ten']) {
      await user.clear(field);
      await user.type(field, wrong);
      expect(dialog.getByText('Please enter an amount of at most $29.50')).toBeVisible();
    }
    await user.clear(field);
    await user.type(field, '9.5');
    await user.click(dialog.getByRole('button', { name: 'Refund $9.50' }));
    await waitFor(() => expect(server.requestsTo('refundPayment')[0]?.body).toMatchObject({ amount: 950 }));
  });

  test('that is repeated after a lost response has the same key', async () => {
    let attempts = 0;
    const { user, server, dialog } = await openDialog(paymentDetail(), {
      refundPayment: () => {
        attempts += 1;
        if (attempts === 1) throw apiFailure('billing.provider_unavailable');
        return { data: REFUND };
      },
    });
    const button = dialog.getByRole('button', { name: 'Refund $59.00' });
    await user.click(button);
    expect(await dialog.findByText(/provider is not responding/)).toBeVisible();
    await user.click(button);
    await waitFor(() => expect(server.requestsTo('refundPayment')).toHaveLength(2));
    const keys = server.requestsTo('refundPayment').map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(1);
  });

  test('that another admin made first is refused in words, and the payment is read again', async () => {
    const { user, server, dialog } = await openDialog(paymentDetail(), {
      refundPayment: () => {
        throw apiFailure('billing.refund_too_high', { amount: 'Nothing is left of this payment' });
      },
    });
    await user.click(dialog.getByRole('button', { name: 'Refund $59.00' }));
    expect(await dialog.findByText('This is more than is left of the payment.')).toBeVisible();
    await waitFor(() => expect(server.requestsTo('payment').length).toBeGreaterThan(1));
  });

  test('is not offered where nothing is left', async () => {
    await openPayment(paymentDetail({ left: 0 }));
    expect(screen.queryByRole('button', { name: 'Refund' })).toBeNull();
  });

  test('is not offered to a role that only reads', async () => {
    await openPayment(paymentDetail(), {
      checkAdmin: () => ({ remainingTime: 3_600, role: 'read_only' }),
    });
    expect(screen.queryByRole('button', { name: 'Refund' })).toBeNull();
  });
});
