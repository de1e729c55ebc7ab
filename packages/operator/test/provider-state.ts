// The provider's side of the consistent state to which breaches are added: one subscription, paid once. The payment reached the balance a day
// later, a dispute of it was won, and a refund of it failed in the next month.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const seconds = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000;

/** The objects of each list, by the list's path. */
export type ProviderObjects = Record<string, Record<string, unknown>[]>;

const moved = (id: string, amount: number, { day, fee = 0 }: { day: string; fee?: number }) => ({
  id,
  amount,
  fee,
  currency: 'usd',
  exchange_rate: null,
  created: seconds(day),
});
const PRICE = {
  id: 'price_1',
  unit_amount: 5_900,
  currency: 'usd',
  lookup_key: 'shortlist_premium_monthly',
  metadata: {},
};

export const consistentProvider = (): ProviderObjects => ({
  prices: [PRICE],
  subscriptions: [
    {
      id: 'sub_1',
      customer: 'cus_1',
      status: 'active',
      start_date: seconds('2026-03-01'),
      canceled_at: null,
      ended_at: null,
      cancellation_details: null,
      items: { data: [{ price: PRICE }] },
    },
  ],
  invoices: [
    {
      id: 'in_1',
      customer: 'cus_1',
      number: 'A-1',
      status: 'paid',
      billing_reason: 'subscription_create',
      currency: 'usd',
      subtotal: 5_900,
      total: 5_900,
      amount_paid: 5_900,
      amount_due: 5_900,
      attempt_count: 1,
      total_discount_amounts: [],
      total_taxes: [{ amount: 400 }],
      status_transitions: { paid_at: seconds('2026-03-01') },
      parent: { subscription_details: { subscription: 'sub_1' } },
      lines: {
        data: [
          {
            pricing: { price_details: { price: PRICE.id } },
            subtotal: 5_900,
            period: { start: seconds('2026-03-01'), end: seconds('2026-04-01') },
          },
        ],
      },
      payments: { data: [{ payment: { payment_intent: 'pi_1' } }] },
    },
  ],
  charges: [
    {
      id: 'ch_1',
      payment_intent: 'pi_1',
      paid: true,
      amount_refunded: 0,
      balance_transaction: moved('txn_1', 5_900, { day: '2026-03-02', fee: 201 }),
    },
  ],
  refunds: [
    {
      id: 're_1',
      charge: 'ch_1',
      amount: 1_000,
      status: 'failed',
      created: seconds('2026-03-10'),
      balance_transaction: 'txn_4',
      failure_balance_transaction: moved('txn_5', 1_000, { day: '2026-04-02' }),
    },
  ],
  disputes: [
    {
      id: 'du_1',
      charge: 'ch_1',
      amount: 5_900,
      currency: 'usd',
      status: 'won',
      reason: 'fraudulent',
      created: seconds('2026-03-05'),
      balance_transactions: [
        moved('txn_2', -5_900, { day: '2026-03-05', fee: 1_500 }),
        moved('txn_3', 5_900, { day: '2026-03-06' }),
      ],
    },
  ],
  payouts: [
    {
      id: 'po_1',
      amount: 5_699,
      currency: 'usd',
      status: 'paid',
      arrival_date: seconds('2026-03-08'),
      created: seconds('2026-03-06'),
    },
  ],
});

/** The rows of billing that state the same. `userId` owns the subscription. */
export const consistentRecords = (userId: string): string[] => [
  `INSERT INTO billing.invoices (invoice_id, user_id, number, subscription_id, billing_reason, status, amount, currency,
     subtotal, discount, tax, total, fee, settlement_currency, settlement_amount, attempts, period_start, period_end, paid_at, booked_at, charge_id)
   VALUES ('in_1', '${userId}', 'A-1', 'sub_1', 'subscription_create', 'paid', 5900, 'usd',
     5900, 0, 400, 5900, 201, 'usd', 5900, 1, '2026-03-01', '2026-04-01', '2026-03-01', '2026-03-02', 'ch_1')`,
  `INSERT INTO billing.refunds (refund_id, invoice_id, amount, tax, created_at, failed_at)
   VALUES ('re_1', 'in_1', 1000, 68, '2026-03-10', '2026-04-02')`,
  `INSERT INTO billing.subscriptions (subscription_id, user_id, status, started_at, canceled_at, ended_at, cancel_reason, price_amount, price_currency)
     VALUES ('sub_1', '${userId}', 'active', '2026-03-01', NULL, NULL, NULL, 5900, 'usd')`,
  `INSERT INTO billing.disputes (dispute_id, invoice_id, user_id, charge_id, amount, currency, reason, status, opened_at, evidence_due_at, closed_at)
     VALUES ('du_1', 'in_1', '${userId}', 'ch_1', 5900, 'usd', 'fraudulent', 'won',
     '2026-03-05', NULL, '2026-03-06')`,
  `INSERT INTO billing.dispute_transactions (transaction_id, dispute_id, amount, fee, currency, created_at)
     VALUES ('txn_2', 'du_1', 5900, 1500, 'usd', '2026-03-05'),
     ('txn_3', 'du_1', -5900, 0, 'usd', '2026-03-06')`,
  `INSERT INTO billing.payouts (payout_id, amount, currency, status, arrival_at, created_at)
     VALUES ('po_1', 5699, 'usd', 'paid', '2026-03-08', '2026-03-06')`,
];

type Respond = (path: string) => unknown;

/** Starts a server that responds to each path with what `respond` returns for it. */
export const startProvider = async (respond: Respond): Promise<{ url: string; close: () => void }> => {
  const server = createServer((request, response) =>
    response.end(JSON.stringify({ data: respond(request.url ?? ''), has_more: false })),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
};

/** The name of the list in the path of a request. */
export const listOf = (path: string): string => /^\/v1\/([a-z_]+)/.exec(path)?.[1] ?? '';
