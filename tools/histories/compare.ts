// Compares what billing stored and emitted with the model.
import { isDeepStrictEqual } from 'node:util';
import type { Billing } from '../../services/billing/test/support.ts';
import {
  feeOf,
  INVOICE_STATUSES,
  PACK_PRICE,
  paidCreditsOf,
  paidOf,
  totalsOf,
  withdrawnOf,
} from './plan-model.ts';
import { currentOf, PRICES } from './stripe-model.ts';
import type { UserHistory } from './user-history.ts';

export type Difference = { userId: string; expected: object; actual: object; log: string[] };

/** One row of sums, as numbers; 0 for the sum of no rows. */
const readSums = async ({ db }: Billing, sql: string, userId: string): Promise<Record<string, number>> => {
  const [row] = await db.query<Record<string, string | null>[]>(sql, [userId]);
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, sum]) => [name, Number(sum ?? 0)]));
};

const readBooks = async (billing: Billing, userId: string) => {
  const counts = INVOICE_STATUSES.map((status) => `SUM(status = '${status}') AS \`${status}\``).join(', ');
  const ofUser = 'FROM invoices WHERE user_id = ?';
  return {
    invoices: await readSums(billing, `SELECT ${counts} ${ofUser}`, userId),
    ...(await readSums(billing, `SELECT SUM(fee) AS fees, SUM(refunded) AS refunded ${ofUser}`, userId)),
    ...(await readSums(
      billing,
      `SELECT SUM(t.amount) AS withdrawn, SUM(t.fee) AS disputeFees FROM dispute_transactions t
       JOIN disputes d ON d.dispute_id = t.dispute_id WHERE d.user_id = ?`,
      userId,
    )),
  };
};

const readAlerts = async ({ db }: Billing, userId: string): Promise<Record<string, number>> => {
  const rows = await db.query<{ kind: string; raised: string | number }[]>(
    'SELECT kind, COUNT(*) AS raised FROM alerts WHERE user_id = ? GROUP BY kind',
    [userId],
  );
  return Object.fromEntries(rows.map(({ kind, raised }) => [kind, Number(raised)]));
};

/** What the packs of a user count for, fewest first. */
const readPacks = async ({ db }: Billing, userId: string): Promise<number[]> => {
  const rows = await db.query<{ paid: number }[]>(
    'SELECT paid_credits AS paid FROM credit_packs WHERE user_id = ? ORDER BY paid_credits',
    [userId],
  );
  return rows.map(({ paid }) => paid);
};

/** The states in which a subscription has an interval that matters. */
const ONGOING = new Set<string | null>(['trialing', 'active', 'past_due', 'paused']);

const actualOf = async (billing: Billing, { userId, isDeleted }: UserHistory) => {
  const { plan, row } = await billing.stateOf(userId);
  const emitted = await billing.emitted(userId);
  const count = (name: string): number => emitted.filter((one) => one === name).length;
  return {
    plan: isDeleted ? 'deleted' : plan,
    status: row.subscriptionStatus,
    interval: ONGOING.has(row.subscriptionStatus) ? row.priceInterval : null,
    nextInterval: row.nextInterval,
    paid: count('PaymentSucceeded'),
    ended: count('PlanRevoked'),
    alerts: await readAlerts(billing, userId),
    packs: await readPacks(billing, userId),
    paidBy: row.paid?.key ?? null,
    takenCredits: isDeleted ? null : (row.paid?.withdrawn ?? null),
    ...(await readBooks(billing, userId)),
  };
};

const alertsOf = ({ model, paidLateAt }: UserHistory): Record<string, number> => {
  const invoices = model.subscriptions.flatMap((subscription) => subscription.invoices);
  const sold = [...invoices, ...model.packs];
  const counts = {
    dispute_opened: sold.filter(({ dispute }) => dispute !== null).length,
    dispute_lost: sold.filter(({ dispute }) => dispute?.status === 'lost').length,
    refund_failed: sold.flatMap(({ refunds }) => refunds).filter(({ failed }) => failed).length,
    payment_of_deleted_user: paidLateAt === null ? 0 : 1,
    other_subscription: model.subscriptions.filter(({ wasMoved }) => wasMoved).length,
    late_payment: invoices.filter(({ refunds }) => refunds.some(({ id }) => id === '')).length,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
};

const statusOf = ({ model: { subscriptions }, paidLateAt }: UserHistory): string | null => {
  if (paidLateAt !== null) return 'canceled';
  const newest = subscriptions.find(({ status }) => status !== 'canceled') ?? subscriptions[0];
  if (newest === undefined) return null;
  if (newest.status === 'active' && newest.pause !== null) return 'paused';
  return newest.neverPaid ? 'incomplete_expired' : newest.status;
};

const intervalsOf = (user: UserHistory) => {
  const current = currentOf(user.model);
  const isOngoing = current !== null && current.status !== 'incomplete' && user.paidLateAt === null;
  if (!isOngoing || !current.sellsPlan) return { interval: null, nextInterval: null };
  return { interval: current.interval, nextInterval: current.nextInterval };
};

type Expected = { captureMs: number; paidBy: string | null };

const expectedOf = (user: UserHistory, { captureMs, paidBy }: Expected): object => {
  const { model, isDeleted, isPremium, paidLateAt, recordedAgain, ended } = user;
  const { invoices, refunded, ...totals } = totalsOf(model);
  const paid = model.subscriptions.flatMap((one) => paidOf(one));
  const isSettled = (paidAt: number | null): boolean => paidAt !== null && paidAt + captureMs <= model.now;
  const settled = [...paid, { paidAt: paidLateAt, price: PRICES.month }].filter((one) =>
    isSettled(one.paidAt),
  );
  // A payment after the deletion is refunded in full and adds nothing else.
  const latePayments = paidLateAt === null ? 0 : 1;
  const settledPacks = model.packs.filter(({ paidAt }) => isSettled(paidAt)).length;
  const refusedTrials = model.subscriptions.filter(({ isRefused }) => isRefused).length;
  const taken = model.subscriptions.flatMap((subscription) =>
    paidOf(subscription)
      .filter(({ id }) => id === paidBy)
      .map((invoice) => withdrawnOf(subscription, invoice)),
  );
  const packs = model.packs.map(paidCreditsOf).toSorted((one, other) => one - other);
  return {
    plan: isDeleted ? 'deleted' : isPremium ? 'premium' : 'free',
    status: statusOf(user),
    ...intervalsOf(user),
    paid: paid.length + recordedAgain,
    ended,
    alerts: alertsOf(user),
    packs: isDeleted ? [] : packs,
    paidBy,
    takenCredits: isDeleted ? null : (taken[0] ?? null),
    invoices: { ...invoices, paid: paid.length + model.packs.length + latePayments + refusedTrials },
    fees: settled.reduce((sum, { price }) => sum + feeOf(price), 0) + settledPacks * feeOf(PACK_PRICE),
    refunded: refunded + latePayments * PRICES.month,
    ...totals,
  };
};

/** Returns an entry when something of this user differs. */
export const differencesOf = async (
  billing: Billing,
  user: UserHistory,
  { captureDelaySeconds }: { captureDelaySeconds: number },
): Promise<Difference[]> => {
  const actual = await actualOf(billing, user);
  const expected = expectedOf(user, { captureMs: captureDelaySeconds * 1_000, paidBy: actual.paidBy });
  if (isDeepStrictEqual(actual, expected)) return [];
  return [{ userId: user.userId, expected, actual, log: user.log }];
};
