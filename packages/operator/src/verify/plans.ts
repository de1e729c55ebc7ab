import { days, monthsAfter } from '@shortlist/contracts/durations';
import { type Coverage, planAt } from '@shortlist/contracts/plan';
import type { Reader } from '@shortlist/kit/data/reader';
import { readPages, selectAmong } from './pages.ts';
import { defineInvariant } from './sources.ts';

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

const SUBSCRIBERS = `SELECT user_id AS userId, version, paid, granted, customer_id AS customerId, deleted_at AS deletedAt
  FROM subscribers WHERE version > 0`;

export const listSubscribers = (billing: Reader): Promise<Subscriber[]> => billing.select(SUBSCRIBERS);

const readSubscribers = (billing: Reader): AsyncGenerator<Subscriber[]> =>
  readPages(billing, {
    sql: `${SUBSCRIBERS} AND user_id > ? ORDER BY user_id LIMIT ?`,
    keyOf: ({ userId }) => userId,
  });

/** A second trial is ended before it begins, so that its invoice sells nothing. */
const NOT_REFUSED = `AND NOT EXISTS (SELECT 1 FROM subscriptions
  WHERE subscriptions.subscription_id = invoices.subscription_id AND cancel_reason = 'shortlist:trial')`;

type PaidInvoice = { id: string; userId: string; paidAt: Date; start: Date; end: Date };

/** A month that is paid late may have up to three days more than the one that it was for, and clocks differ. */
const TOLERANCE_MS = days(4);

const isCovered = ({ userId, paid }: Subscriber, invoices: Map<string, PaidInvoice>): boolean => {
  const coverage = parse(paid);
  const invoice = invoices.get(coverage?.key ?? '');
  if (coverage === null || invoice?.userId !== userId) return false;
  // A late payment covers the time after a grant that was in force at the time.
  const from = Math.max(invoice.paidAt.getTime(), new Date(coverage.start).getTime());
  const sold = invoice.end.getTime() - invoice.start.getTime();
  return new Date(coverage.end).getTime() - from <= sold + TOLERANCE_MS;
};

type Grants = Map<string, Coverage>;

const grantOf = (grants: Grants, userId: string, key: string | undefined): Coverage | undefined =>
  grants.get(`${userId} ${key}`);

/** The recorded grants to these users, as they began. */
const listGrants = async (billing: Reader, userIds: readonly string[]): Promise<Grants> => {
  type Row = { userId: string; after: string | null };
  const rows = await selectAmong<Row>(
    billing,
    `SELECT target_id AS userId, after_state AS \`after\` FROM audit_log
     WHERE action = 'plan.grant' AND target_id IN (?)`,
    userIds,
  );
  const grants: Grants = new Map();
  for (const { userId, after } of rows) {
    const { granted } = JSON.parse(after ?? '{}') as { granted?: Coverage | null };
    if (granted) grants.set(`${userId} ${granted.key}`, granted);
  }
  return grants;
};

/** Whether a grant is one that was recorded. It may have ended earlier, and was never longer. */
const isRecorded = ({ userId, granted }: Subscriber, grants: Grants): boolean => {
  const coverage = parse(granted);
  const recorded = grantOf(grants, userId, coverage?.key);
  return (
    coverage !== null &&
    recorded !== undefined &&
    new Date(coverage.start).getTime() === new Date(recorded.start).getTime() &&
    new Date(coverage.end) <= new Date(recorded.end) &&
    (coverage.months ?? 1) <= (recorded.months ?? 1)
  );
};

const PAID = `SELECT invoice_id AS id, user_id AS userId, paid_at AS paidAt, period_start AS start, period_end AS end
  FROM invoices WHERE status = 'paid' AND credits IS NULL AND invoice_id IN (?) ${NOT_REFUSED}`;
const NOT_REFUNDED = 'AND (refunded < amount OR amount = 0)';

/** The paid invoices with these ids. `more`: a further condition. */
const paidAmong = async (billing: Reader, ids: string[], more = ''): Promise<Map<string, PaidInvoice>> => {
  const rows = await selectAmong<PaidInvoice>(billing, `${PAID} ${more}`, ids);
  return new Map(rows.map((invoice) => [invoice.id, invoice]));
};

/** The paid invoices that these plans name. */
const invoicesOf = (billing: Reader, subscribers: Subscriber[]): Promise<Map<string, PaidInvoice>> => {
  const named = subscribers.map(({ paid }) => parse(paid)?.key).filter((key) => key !== undefined);
  return paidAmong(billing, named, NOT_REFUNDED);
};

/**
 * V1 A premium user has a paid invoice of their own for the plan, not refunded in full, for the current month or year, or a grant with an entry
 * in the audit log, for no longer than that says. An amount of 0 means that a discount covered the invoice, or that it began a trial which was
 * not refused, because billing stores no other invoice without a sale.
 */
export const premiumIsPaidOrGranted = defineInvariant({
  id: 'V1',
  about: 'premium is paid or granted',
  needs: ['billing'],
  find: async ({ billing, now }) => {
    const found: string[] = [];
    for await (const page of readSubscribers(billing)) {
      // Payment and grant are checked separately: a grant must not hide a forged payment.
      const byPayment = page.filter((subscriber) => isPremium({ ...subscriber, granted: null }, now));
      const byGrant = page.filter((subscriber) => isPremium({ ...subscriber, paid: null }, now));
      const invoices = await invoicesOf(billing, byPayment);
      const grants = await listGrants(
        billing,
        byGrant.map(({ userId }) => userId),
      );
      const unfounded = new Set([
        ...byPayment.filter((subscriber) => !isCovered(subscriber, invoices)),
        ...byGrant.filter((subscriber) => !isRecorded(subscriber, grants)),
      ]);
      found.push(
        ...page
          .filter((subscriber) => unfounded.has(subscriber))
          .map(
            ({ userId }) => `${userId} is premium without a paid invoice of their own or a recorded grant`,
          ),
      );
    }
    return found;
  },
});

type PremiumBucket = { id: number; userId: string; source: string; startsAt: Date; endsAt: Date };

const DAY_MS = days(1);

/** The invoice or the grant of a bucket, and which of its months the bucket is for, from 0. The source of the first one has no number. */
const monthOf = ({ source }: PremiumBucket): { of: string; month: number } => {
  const [, of = source, month = '0'] = /^((?:in_|grant:).+):([1-9]\d*)$/.exec(source) ?? [];
  return { of, month: Number(month) };
};

/** A month begins on the day of the period's start, or the last of a shorter month, within what was sold. */
const isMisplaced = (bucket: PremiumBucket, { start, end }: Pick<PaidInvoice, 'start' | 'end'>): boolean => {
  const { month } = monthOf(bucket);
  const begins = monthsAfter(start, month).getTime();
  // A first month begins with a late payment, if there is one.
  if (month === 0) return false;
  return begins >= end.getTime() || Math.abs(bucket.startsAt.getTime() - begins) > DAY_MS;
};

/** A month of a grant begins at its very time. The last one that was opened goes on to the end of the grant at most. */
const isBeyondGrant = (bucket: PremiumBucket, { start, end }: Coverage): boolean => {
  const begins = monthsAfter(new Date(start), monthOf(bucket).month);
  return (
    begins >= new Date(end) || bucket.startsAt.getTime() !== begins.getTime() || bucket.endsAt > new Date(end)
  );
};

/** The months that go on when a later one of the same period has begun. */
const overlapping = (buckets: PremiumBucket[]): PremiumBucket[] =>
  [...Map.groupBy(buckets, (bucket) => monthOf(bucket).of).values()].flatMap((months) =>
    months.filter(({ startsAt, endsAt }) =>
      months.some((other) => other.startsAt > startsAt && other.startsAt < endsAt),
    ),
  );

const HOLDERS = `SELECT DISTINCT user_id AS userId FROM credit_buckets
  WHERE user_id > ? AND plan = 'premium' ORDER BY user_id LIMIT ?`;
const BUCKETS = `SELECT id, user_id AS userId, source_key AS source, starts_at AS startsAt, ends_at AS endsAt
  FROM credit_buckets WHERE plan = 'premium' AND user_id IN (?)`;

/** What is wrong with these buckets, which are all of their users. */
const problemsOf = async (billing: Reader, buckets: PremiumBucket[]): Promise<string[]> => {
  const [ofGrants = [], ofInvoices = []] = [true, false].map((isGrant) =>
    buckets.filter(({ source }) => source.startsWith('grant:') === isGrant),
  );
  // Those of which all was refunded too: their buckets have ended, and stay.
  const paid = await paidAmong(billing, [...new Set(ofInvoices.map((bucket) => monthOf(bucket).of))]);
  const grants = await listGrants(billing, [...new Set(ofGrants.map(({ userId }) => userId))]);
  const unpaid = ofInvoices.filter((bucket) => paid.get(monthOf(bucket).of)?.userId !== bucket.userId);
  const misplaced = ofInvoices.filter((bucket) => {
    const invoice = paid.get(monthOf(bucket).of);
    return invoice !== undefined && invoice.paidAt < invoice.end && isMisplaced(bucket, invoice);
  });
  const granted = ofGrants.map((bucket) => ({
    ...bucket,
    grant: grantOf(grants, bucket.userId, monthOf(bucket).of),
  }));
  return [
    ...unpaid.map(
      ({ id, source }) => `bucket ${id} was opened by ${source}, which is not a paid invoice of its user`,
    ),
    ...misplaced.map(
      ({ id, source }) => `bucket ${id} of ${source} does not begin with a month that was sold`,
    ),
    ...overlapping(buckets).map(
      ({ id, source }) => `bucket ${id} of ${source} ends after the next month begins`,
    ),
    ...granted
      .filter(({ grant }) => grant === undefined)
      .map(({ id, source }) => `bucket ${id} was opened by ${source}, which is not recorded`),
    ...granted
      .filter(({ grant, ...bucket }) => grant !== undefined && isBeyondGrant(bucket, grant))
      .map(({ id, source }) => `bucket ${id} of ${source} is not a month of the recorded grant`),
  ];
};

/**
 * V2 Each paid or granted period has one bucket, or one for each month of several as it begins, and there are no others. A user has no two
 * buckets of one source, by a unique key.
 */
export const oneBucketForEachInvoice = defineInvariant({
  id: 'V2',
  about: 'each paid period has one bucket',
  needs: ['billing', 'credits'],
  find: async ({ billing, credits }) => {
    const found: string[] = [];
    for await (const page of readPages<{ userId: string }>(credits, {
      sql: HOLDERS,
      keyOf: ({ userId }) => userId,
    })) {
      const holders = page.map(({ userId }) => userId);
      found.push(...(await problemsOf(billing, await selectAmong(credits, BUCKETS, holders))));
    }
    return found;
  },
});

type PlanCopy = { userId: string; version: number };

const NEWEST = `SELECT user_id AS userId, version FROM subscribers
  WHERE deleted_at IS NULL AND user_id > ? ORDER BY user_id LIMIT ?`;

const versionsAmong = async (
  db: Reader,
  table: string,
  ids: readonly string[],
): Promise<Map<string, number>> => {
  const sql = `SELECT user_id AS userId, plan_version AS version FROM ${table} WHERE user_id IN (?)`;
  const rows = await selectAmong<PlanCopy>(db, sql, ids);
  return new Map(rows.map(({ userId, version }) => [userId, version]));
};

/** V6 The copies of a plan in profile and credits have billing's newest version. */
export const planCopiesAreNewest = defineInvariant({
  id: 'V6',
  about: 'the copies of each plan are the newest',
  needs: ['billing', 'profile', 'credits'],
  find: async ({ billing, profile, credits }) => {
    const found: string[] = [];
    for await (const page of readPages<PlanCopy>(billing, { sql: NEWEST, keyOf: ({ userId }) => userId })) {
      const ids = page.map(({ userId }) => userId);
      const inProfile = await versionsAmong(profile, 'profiles', ids);
      const inCredits = await versionsAmong(credits, 'accounts', ids);
      found.push(
        ...page.flatMap((plan) =>
          [
            { owner: 'profile', copied: inProfile.get(plan.userId) ?? plan.version },
            // credits adds an account with the first plan that it receives.
            { owner: 'credits', copied: Math.min(plan.version, inCredits.get(plan.userId) ?? 0) },
          ]
            .filter(({ copied }) => copied !== plan.version)
            .map(
              ({ owner, copied }) =>
                `${owner} has version ${copied} of ${plan.userId}'s plan, billing ${plan.version}`,
            ),
        ),
      );
    }
    return found;
  },
});

/** V1 What billing says that a plan costs, and how often, is what the record of its subscription says, which is compared with the provider's. */
export const plansHavePrices = defineInvariant({
  id: 'V1',
  about: 'each plan has the price of its subscription',
  needs: ['billing'],
  find: async ({ billing }) => {
    const different = await billing.select<{ userId: string }>(
      `SELECT s.user_id AS userId FROM subscribers s JOIN subscriptions p ON p.subscription_id = s.subscription_id
       WHERE s.deleted_at IS NULL AND NOT (s.price_amount <=> p.price_amount AND s.price_currency <=> p.price_currency
         AND COALESCE(s.price_interval, 'month') = COALESCE(p.price_interval, 'month'))`,
    );
    return different.map(({ userId }) => `the plan of ${userId} has another price than its subscription`);
  },
});
