import { hours, minutes } from '@shortlist/contracts/durations';
import { inTransaction } from '@shortlist/kit/data/db';
import { findDisputes, listTransactionIds } from '../records/dispute-queries.ts';
import {
  fillInFee,
  findInvoices,
  findInvoicesByCharge,
  findOldestUnknownFee,
  type InvoiceRow,
} from '../records/invoice-queries.ts';
import { findPayouts, upsertPayouts } from '../records/payout-queries.ts';
import { findRefunds } from '../records/refund-queries.ts';
import type { ListedCharge, ListedDispute, ListedInvoice, ListedRefund, Page } from '../stripe/lists.ts';
import type { PayoutSnapshot } from '../stripe/snapshot.ts';
import { findRecorded } from '../records/subscription-queries.ts';
import { adoptCustomer } from '../refresh/adopt-customer.ts';
import { recordMovements } from '../revenue/record-movements.ts';
import { listByCustomers, lockSubscriber } from '../subscriptions/queries.ts';
import {
  isChargeStored,
  isDisputeStored,
  isInvoiceStored,
  isPayoutStored,
  isRefundStored,
} from './reconcile.rules.ts';
import { repairCustomers, repairUsers, type Run, walkList } from './reconcile-subscriptions.ts';

/** Fewer pages than for subscriptions: a wrong plan must be found soon, a wrong record eventually. */
const PAGES = { invoices: 10, disputes: 2, payouts: 2, refunds: 2, charges: 10 };

const idsOf = (listed: { id: string }[]): string[] => listed.map(({ id }) => id);

/** Finds the users of paid packs whose customers are unknown here, as after the database was restored. */
const adoptPayers = async (run: Run, listed: ListedInvoice[]): Promise<void> => {
  const paid = listed.filter(({ credits, status }) => credits !== null && status === 'paid');
  const customers = paid.map(({ customerId }) => customerId);
  const rows = await listByCustomers(run.db.manager, [...new Set(customers)]);
  const known = new Set(rows.map((row) => row.customerId));
  for (const { id: objectId, customerId } of paid.filter((invoice) => !known.has(invoice.customerId)))
    await adoptCustomer(run, { customerId, objectId, kind: 'pack_without_user' });
};

/**
 * An invoice belongs to the plan if its subscription is recorded (reconciling subscriptions comes first), and to a pack if its metadata say so.
 */
const compareInvoices = async (run: Run, listed: ListedInvoice[]): Promise<void> => {
  const tx = run.db.manager;
  const subscriptions = await findRecorded(
    tx,
    listed.map(({ subscriptionId }) => subscriptionId).filter((id) => id !== null),
  );
  const ours = listed.filter(
    ({ subscriptionId, credits }) => credits !== null || subscriptions.has(subscriptionId ?? ''),
  );
  const stored = await findInvoices(tx, idsOf(ours));
  await adoptPayers(
    run,
    ours.filter(({ id }) => !stored.has(id)),
  );
  const different = ours.filter((invoice) => !isInvoiceStored(invoice, stored.get(invoice.id)));
  await repairCustomers(
    run,
    different.map(({ customerId }) => customerId),
  );
};

const compareDisputes = async (run: Run, listed: ListedDispute[]): Promise<void> => {
  const tx = run.db.manager;
  const [stored, transactions] = await Promise.all([
    findDisputes(tx, idsOf(listed)),
    listTransactionIds(tx, idsOf(listed)),
  ]);
  const different = listed.filter(
    (dispute) => !isDisputeStored(dispute, stored.get(dispute.id), transactions),
  );
  await repairCustomers(
    run,
    different.map(({ customerId }) => customerId),
  );
};

const usersOf = (rows: (InvoiceRow | undefined)[]): string[] =>
  rows.filter((row) => row !== undefined).map(({ userId }) => userId);

/** Compares refunds whose charge paid a recorded invoice. */
const compareRefunds = async (run: Run, listed: ListedRefund[]): Promise<void> => {
  const tx = run.db.manager;
  const invoices = await findInvoicesByCharge(
    tx,
    listed.map(({ chargeId }) => chargeId),
  );
  const ours = listed.filter(({ chargeId }) => invoices.has(chargeId));
  const stored = await findRefunds(tx, idsOf(ours));
  const different = ours.filter((refund) => !isRefundStored(refund, stored.get(refund.id)));
  await repairUsers(run, usersOf(different.map(({ chargeId }) => invoices.get(chargeId))));
};

/** Stores the fees among these that were unknown when the payment succeeded. */
const fillInFees = async ({ db, clock }: Run, listed: ListedCharge[]): Promise<void> => {
  const invoices = await findInvoicesByCharge(db.manager, idsOf(listed));
  for (const { id: chargeId, refunded: _, ...columns } of listed) {
    const invoice = invoices.get(chargeId);
    if (invoice?.fee !== null) continue;
    await inTransaction(db, async (tx) => {
      await lockSubscriber(tx, invoice.userId);
      await fillInFee(tx, { chargeId, ...columns });
      await recordMovements(tx, invoice.userId, clock());
    });
  }
};

/** Stripe captures a payment within an hour, most within seconds. */
const CAPTURE_MS = hours(1);
/** Stripe's times are whole seconds, and clocks differ. */
const TOLERANCE_MS = minutes(1);

/** Reads the fees of the last payments: a hundred in one call, so that a payment causes no calls of its own. */
export const readNewFees = async (run: Run): Promise<void> => {
  const { db, clock, stripe } = run;
  const oldest = await findOldestUnknownFee(db.manager, new Date(clock().getTime() - CAPTURE_MS));
  if (oldest === null) return;
  let cursor: string | null = null;
  for (let page = 0; page < PAGES.charges; page += 1) {
    const { data, next }: Page<ListedCharge> = await stripe.listCharges(cursor);
    await fillInFees(run, data);
    const last = data.at(-1)?.bookedAt ?? oldest;
    if (next === null || last.getTime() < oldest.getTime() - TOLERANCE_MS) return;
    cursor = next;
  }
};

/** Compares fees, booking dates and refunded amounts. */
const compareCharges = async (run: Run, listed: ListedCharge[]): Promise<void> => {
  await fillInFees(run, listed);
  const invoices = await findInvoicesByCharge(run.db.manager, idsOf(listed));
  const different = listed
    .map((charge) => ({ charge, invoice: invoices.get(charge.id) }))
    .filter(({ charge, invoice }) => invoice !== undefined && !isChargeStored(charge, invoice));
  await repairUsers(run, usersOf(different.map(({ invoice }) => invoice)));
};

/** Payouts belong to no customer, so the listed objects themselves are stored. */
const comparePayouts = async ({ db }: Run, listed: PayoutSnapshot[]): Promise<void> => {
  const stored = await findPayouts(db.manager, idsOf(listed));
  const different = listed.filter((payout) => !isPayoutStored(payout, stored.get(payout.id)));
  await upsertPayouts(db.manager, different);
};

/** Compares some pages of Stripe's invoices, disputes, payouts, refunds and charges with the stored records, and repairs differences. */
export const reconcileRecords = async (run: Run): Promise<void> => {
  const walk = <T>(
    list: keyof typeof PAGES,
    read: Parameters<typeof walkList<T>>[1]['read'],
    compare: (run: Run, listed: T[]) => Promise<void>,
  ): Promise<void> =>
    walkList(run, { list, pages: PAGES[list], read, compare: (listed) => compare(run, listed) });
  await walk('invoices', run.stripe.listInvoices, compareInvoices);
  await walk('disputes', run.stripe.listDisputes, compareDisputes);
  await walk('payouts', run.stripe.listPayouts, comparePayouts);
  await walk('refunds', run.stripe.listRefunds, compareRefunds);
  await walk('charges', run.stripe.listCharges, compareCharges);
};
