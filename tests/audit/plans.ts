import { type Coverage, planAt } from '@shortlist/contracts/plan';
import { breachesOf, type Breach, type Invariant, select, type Sources } from './sources.ts';

type Subscriber = {
  userId: string;
  version: number;
  paid: string | null;
  granted: string | null;
  customerId: string | null;
  deletedAt: Date | null;
};

const parse = (text: string | null): Coverage | null =>
  text === null ? null : (JSON.parse(text) as Coverage);

const isPremium = (subscriber: Subscriber, now: Date): boolean =>
  subscriber.deletedAt === null &&
  planAt(
    { version: subscriber.version, paid: parse(subscriber.paid), granted: parse(subscriber.granted) },
    now,
  ).plan === 'premium';

const listSubscribers = ({ db }: Sources): Promise<Subscriber[]> =>
  select(
    db,
    'SELECT user_id AS userId, version, paid, granted, customer_id AS customerId, deleted_at AS deletedAt FROM billing.subscribers WHERE version > 0',
  );

/** V1 Premium stands on a paid invoice that was not returned in full, or on a grant that the audit log knows. */
export const premiumIsPaidOrGranted: Invariant = async (sources) => {
  const { db, now } = sources;
  const paidInvoices = new Set(
    (
      await select<{ id: string }>(
        db,
        "SELECT invoice_id AS id FROM billing.invoices WHERE status = 'paid' AND refunded < amount",
      )
    ).map(({ id }) => id),
  );
  const grants = new Set(
    (
      await select<{ id: string }>(
        db,
        "SELECT target_id AS id FROM billing.audit_log WHERE action = 'plan.grant'",
      )
    ).map(({ id }) => id),
  );
  const standsOn = ({ userId, paid, granted }: Subscriber): boolean =>
    paidInvoices.has(parse(paid)?.key ?? '') || (granted !== null && grants.has(userId));
  const subscribers = await listSubscribers(sources);
  return subscribers
    .filter((subscriber) => isPremium(subscriber, now) && !standsOn(subscriber))
    .map(({ userId }) => ({
      invariant: 'V1',
      what: `${userId} is premium without a paid invoice or a noted grant`,
    }));
};

/** V2 One window of credits for each paid period, and none for anything else. */
export const oneWindowForEachInvoice: Invariant = async ({ db }) => [
  ...(await breachesOf<{ source: string; count: number }>(db, {
    invariant: 'V2',
    sql: `SELECT source_key AS source, COUNT(*) AS count FROM credits.windows WHERE plan = 'premium' GROUP BY source_key HAVING COUNT(*) > 1`,
    tell: ({ source, count }) => `${source} opened ${count} windows`,
  })),
  ...(await breachesOf<{ id: number; source: string }>(db, {
    invariant: 'V2',
    sql: `SELECT w.id, w.source_key AS source FROM credits.windows w
      LEFT JOIN billing.invoices i ON i.invoice_id = w.source_key AND i.status = 'paid'
      WHERE w.plan = 'premium' AND w.source_key NOT LIKE 'grant:%' AND i.invoice_id IS NULL`,
    tell: ({ id, source }) => `window ${id} was opened by ${source}, which is no paid invoice`,
  })),
];

type ProviderList = { data: { id: string; customer: string; status: string }[]; has_more: boolean };

/** What the provider calls going on, page by page. */
const listProvidersActive = async ({ sandboxUrl, stripeKey }: Sources): Promise<ProviderList['data']> => {
  const found: ProviderList['data'] = [];
  for (let after = ''; ; after = `&starting_after=${found.at(-1)?.id ?? ''}`) {
    const response = await fetch(`${sandboxUrl}/v1/subscriptions?status=active&limit=100${after}`, {
      headers: { authorization: `Bearer ${stripeKey}` },
      signal: AbortSignal.timeout(10_000),
    });
    const page = (await response.json()) as ProviderList;
    found.push(...page.data);
    if (!page.has_more) return found;
  }
};

/** V1 Whoever the provider takes money from is premium here, and nobody who is gone is still charged. */
export const providerAgrees: Invariant = async (sources) => {
  const byCustomer = new Map(
    (await listSubscribers(sources)).map((subscriber) => [subscriber.customerId, subscriber]),
  );
  const breaches: Breach[] = [];
  for (const { id, customer } of await listProvidersActive(sources)) {
    const subscriber = byCustomer.get(customer);
    if (subscriber?.deletedAt)
      breaches.push({ invariant: 'V1', what: `${id} goes on for ${subscriber.userId}, who is deleted` });
    else if (!subscriber || !isPremium(subscriber, sources.now)) {
      breaches.push({
        invariant: 'V1',
        what: `${id} is active at the provider and ${subscriber?.userId ?? 'nobody'} is not premium`,
      });
    }
  }
  return breaches;
};

/** V6 What others hold of a plan is billing's newest. */
export const copiesAreNewest: Invariant = async ({ db }) => [
  ...(await breachesOf<{ userId: string; held: number; newest: number }>(db, {
    invariant: 'V6',
    sql: `SELECT s.user_id AS userId, p.plan_version AS held, s.version AS newest FROM billing.subscribers s
      JOIN profile.profiles p ON p.user_id = s.user_id WHERE p.plan_version <> s.version AND s.deleted_at IS NULL`,
    tell: ({ userId, held, newest }) =>
      `profile holds version ${held} of ${userId}'s plan, billing ${newest}`,
  })),
  ...(await breachesOf<{ userId: string; held: number | null; newest: number }>(db, {
    invariant: 'V6',
    sql: `SELECT s.user_id AS userId, a.plan_version AS held, s.version AS newest FROM billing.subscribers s
      LEFT JOIN credits.accounts a ON a.user_id = s.user_id WHERE s.version > COALESCE(a.plan_version, 0) AND s.deleted_at IS NULL`,
    tell: ({ userId, held, newest }) =>
      `credits holds version ${held ?? 0} of ${userId}'s plan, billing ${newest}`,
  })),
];
