import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { recordAdminChange } from '@shortlist/audit/audit-log';
import type { PaymentFilters } from '@shortlist/contracts/api/payments';
import { inWholeUnits } from '@shortlist/contracts/messages';
import { BYTE_ORDER_MARK, csvLine } from '@shortlist/kit/data/csv.rules';
import { type Db, inTransaction } from '@shortlist/kit/data/db';
import type { Caller } from '@shortlist/kit/http/service-token';
import type { Clock } from '@shortlist/kit/process/clock';
import { type ListedPayment, listPayments } from './payment-queries.ts';

/** Amounts are in whole units of the currency in their line, so that a spreadsheet can add those of one currency. */
const COLUMNS: Record<string, (payment: ListedPayment) => string | number> = {
  'Time (UTC)': ({ date }) => date,
  Name: ({ user }) => user.name,
  Email: ({ user }) => user.email,
  'User (id)': ({ user }) => user.id,
  Invoice: ({ number }) => number ?? '',
  'Invoice (id)': ({ invoiceId }) => invoiceId,
  'Charge (id)': ({ chargeId }) => chargeId ?? '',
  For: ({ credits }) => (credits === null ? 'Premium' : 'Credit pack'),
  Credits: ({ credits }) => credits ?? '',
  Status: ({ state }) => state,
  Currency: ({ currency }) => currency.toUpperCase(),
  Amount: inWholeUnits,
  Tax: ({ tax: amount, currency }) => inWholeUnits({ amount, currency }),
  Discount: ({ discount: amount, currency }) => inWholeUnits({ amount, currency }),
  Refunded: ({ refunded: amount, currency }) => inWholeUnits({ amount, currency }),
  Fee: ({ fee }) => (fee === null ? '' : inWholeUnits(fee)),
  'Fee currency': ({ fee }) => fee?.currency.toUpperCase() ?? '',
  'Dispute (status)': ({ dispute }) => dispute?.status ?? '',
};

const lineOf = (payment: ListedPayment): string =>
  csvLine(Object.values(COLUMNS).map((cellOf) => cellOf(payment)));

type Parts = { db: Db; clock: Clock };

/** What was searched is not recorded: it may name a person, and nothing would redact it when that person is deleted. */
export const recordExport = async (
  { db, clock }: Parts,
  caller: Caller,
  { search, users, ...filters }: PaymentFilters,
): Promise<void> => {
  const isSearch = search !== undefined || users !== undefined;
  const after = { ...filters, ...(isSearch && { isSearch }) };
  const change = { action: 'payments.export', targetId: caller.userId ?? '', after } as const;
  await inTransaction(db, (tx) => recordAdminChange(tx, { ...change, caller, clock }));
};

const PAGE = 1_000;

/** Writes all payments page by page and waits while `to` is full, so that only one page is in memory at a time. */
export const exportPayments = async ({ db }: Parts, filters: PaymentFilters, to: Writable): Promise<void> => {
  let cursor: string | null | undefined;
  to.write(BYTE_ORDER_MARK + csvLine(Object.keys(COLUMNS)));
  do {
    const page = await listPayments(db.manager, { ...filters, cursor: cursor ?? undefined }, PAGE);
    if (!to.write(page.data.map(lineOf).join(''))) await Promise.race([once(to, 'drain'), once(to, 'close')]);
    cursor = page.next;
  } while (cursor !== null && !to.destroyed);
  to.end();
};
