import { type Coverage, planAt } from '@shortlist/contracts/plan';
import { breachesOf, type Invariant, select, type Sources } from './sources.ts';

export type Subscriber = {
  userId: string;
  version: number;
  paid: string | null;
  granted: string | null;
  customerId: string | null;
  deletedAt: Date | null;
};

export const parse = (text: string | null): Coverage | null =>
  text === null ? null : (JSON.parse(text) as Coverage);

export const isPremium = (subscriber: Subscriber, now: Date): boolean =>
  subscriber.deletedAt === null &&
  planAt(
    { version: subscriber.version, paid: parse(subscriber.paid), granted: parse(subscriber.granted) },
    now,
  ).plan === 'premium';

export const listSubscribers = ({ db }: Sources): Promise<Subscriber[]> =>
  select(
    db,
    'SELECT user_id AS userId, version, paid, granted, customer_id AS customerId, deleted_at AS deletedAt FROM billing.subscribers WHERE version > 0',
  );

type PaidInvoice = { id: string; userId: string; paidAt: Date };

/** No paid invoice covers more than a month, with a day of tolerance for clock differences. */
const LONGEST_COVER_MS = 32 * 86_400_000;

const isCovered = ({ userId, paid }: Subscriber, invoices: Map<string, PaidInvoice>): boolean => {
  const coverage = parse(paid);
  const invoice = invoices.get(coverage?.key ?? '');
  if (coverage === null || invoice?.userId !== userId) return false;
  return new Date(coverage.end).getTime() - invoice.paidAt.getTime() <= LONGEST_COVER_MS;
};

const listGrants = async ({ db }: Sources): Promise<Set<string>> => {
  const rows = await select<{ userId: string; after: string | null }>(
    db,
    "SELECT target_id AS userId, after_state AS `after` FROM billing.audit_log WHERE action = 'plan.grant'",
  );
  const keyOf = (after: string | null): string =>
    (JSON.parse(after ?? '{}') as { granted?: Coverage | null }).granted?.key ?? '';
  return new Set(rows.map(({ userId, after }) => `${userId} ${keyOf(after)}`));
};

/**
 * V1 A premium user has a paid invoice of their own, not refunded in full, for the current month, or a grant with an entry in the
 * audit log. An amount of 0 means that a discount covered the invoice: billing stores no invoice without a sale.
 */
export const premiumIsPaidOrGranted: Invariant = async (sources) => {
  const { db, now } = sources;
  const paid = await select<PaidInvoice>(
    db,
    "SELECT invoice_id AS id, user_id AS userId, paid_at AS paidAt FROM billing.invoices WHERE status = 'paid' AND (refunded < amount OR amount = 0)",
  );
  const invoices = new Map(paid.map((invoice) => [invoice.id, invoice]));
  const grants = await listGrants(sources);
  const isGranted = ({ userId, granted }: Subscriber): boolean =>
    grants.has(`${userId} ${parse(granted)?.key}`);
  // Payment and grant are checked separately: a grant must not hide a forged payment.
  return (await listSubscribers(sources))
    .filter((subscriber) => {
      const byPayment = isPremium({ ...subscriber, granted: null }, now);
      const byGrant = isPremium({ ...subscriber, paid: null }, now);
      return (byPayment && !isCovered(subscriber, invoices)) || (byGrant && !isGranted(subscriber));
    })
    .map(({ userId }) => ({
      invariant: 'V1',
      detail: `${userId} is premium without a paid invoice of their own or a recorded grant`,
    }));
};

const windowsWithoutGrant: Invariant = async (sources) => {
  const grants = await listGrants(sources);
  const windows = await select<{ id: number; userId: string; source: string }>(
    sources.db,
    "SELECT id, user_id AS userId, source_key AS source FROM credits.windows WHERE plan = 'premium' AND source_key LIKE 'grant:%'",
  );
  return windows
    .filter(({ userId, source }) => !grants.has(`${userId} ${source}`))
    .map(({ id, source }) => ({
      invariant: 'V2',
      detail: `window ${id} was opened by ${source}, which is not recorded`,
    }));
};

/** V2 Each paid period has one credit window, and there are no others. */
export const oneWindowForEachInvoice: Invariant = async (sources) => [
  ...(await breachesOf<{ source: string; count: number }>(sources.db, {
    invariant: 'V2',
    sql: `SELECT source_key AS source, COUNT(*) AS count FROM credits.windows WHERE plan = 'premium' GROUP BY source_key HAVING COUNT(*) > 1`,
    describe: ({ source, count }) => `${source} opened ${count} windows`,
  })),
  ...(await breachesOf<{ id: number; source: string }>(sources.db, {
    invariant: 'V2',
    sql: `SELECT w.id, w.source_key AS source FROM credits.windows w
      LEFT JOIN billing.invoices i ON i.invoice_id = w.source_key AND i.status = 'paid'
      WHERE w.plan = 'premium' AND w.source_key NOT LIKE 'grant:%' AND i.invoice_id IS NULL`,
    describe: ({ id, source }) => `window ${id} was opened by ${source}, which is not a paid invoice`,
  })),
  ...(await windowsWithoutGrant(sources)),
];

/** V6 The copies of a plan in profile and credits have billing's newest version. */
export const planCopiesAreNewest: Invariant = async ({ db }) => [
  ...(await breachesOf<{ userId: string; copied: number; newest: number }>(db, {
    invariant: 'V6',
    sql: `SELECT s.user_id AS userId, p.plan_version AS copied, s.version AS newest FROM billing.subscribers s
      JOIN profile.profiles p ON p.user_id = s.user_id WHERE p.plan_version <> s.version AND s.deleted_at IS NULL`,
    describe: ({ userId, copied, newest }) =>
      `profile has version ${copied} of ${userId}'s plan, billing ${newest}`,
  })),
  ...(await breachesOf<{ userId: string; copied: number | null; newest: number }>(db, {
    invariant: 'V6',
    sql: `SELECT s.user_id AS userId, a.plan_version AS copied, s.version AS newest FROM billing.subscribers s
      LEFT JOIN credits.accounts a ON a.user_id = s.user_id WHERE s.version > COALESCE(a.plan_version, 0) AND s.deleted_at IS NULL`,
    describe: ({ userId, copied, newest }) =>
      `credits has version ${copied ?? 0} of ${userId}'s plan, billing ${newest}`,
  })),
];
