// What the business earns, for admins: figures of any period, their course, the users behind each, and how long subscribers stay. Sums of
// currencies are never added, so each reply is about one of them.
import Joi from 'joi';
import * as rule from '../schemas/validation.ts';
import { addressesOf, operationsOf, toAdmins } from './operation.ts';

/** How monthly recurring revenue changed. */
export const MRR_KINDS = ['new', 'expansion', 'contraction', 'reactivated', 'churned'] as const;

/** What moved money, and the renewals that failed at first. */
const OTHER_KINDS = [
  'payment',
  'pack',
  'tax',
  'refund',
  'dispute',
  'fee',
  'failed_renewal',
  'recovered_renewal',
] as const;

export const REVENUE_KINDS = [...MRR_KINDS, ...OTHER_KINDS] as const;
export type RevenueKind = (typeof REVENUE_KINDS)[number];

export const COMPARISONS = ['previous', 'year', 'none'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export const REVENUE_STEPS = ['day', 'week', 'month'] as const;
export type RevenueStep = (typeof REVENUE_STEPS)[number];

/** Days of the calendar in `timeZone` (UTC by default), both inclusive. `currency`: that of the price by default. */
const range = {
  from: rule.day,
  to: rule.day,
  timeZone: rule.mayLack(rule.timeZoneSchema),
  currency: rule.mayLack(rule.textLike(/^[a-z]{3}$/)),
};
export type RevenueRange = rule.TypeOf<typeof range>;

/** `amount` in minor units, negative where revenue fell or money left; `count` of payments, refunds, or subscribers. */
const sum = rule.view({ amount: rule.amount, count: rule.amount });
export type RevenueSum = rule.TypeOf<typeof sum>;

const sums = Object.fromEntries(REVENUE_KINDS.map((kind) => [kind, sum])) as Record<RevenueKind, typeof sum>;

/**
 * The figures of a period, from the instant `from` (inclusive) to `to` (exclusive). MRR and subscribers are those at its start and its end, or
 * now if it is not over. `docs/revenue.md` defines each.
 */
const figures = rule.view({
  from: rule.time,
  to: rule.time,
  mrrAtStart: rule.amount,
  mrr: rule.amount,
  subscribersAtStart: rule.amount,
  subscribers: rule.amount,
  sums: rule.view(sums),
});
export type RevenueFigures = rule.TypeOf<typeof figures>;

/** `currencies`: all in which there is revenue. `days`: the length of each period; they differ where a month is shorter. */
const revenueView = rule.view({
  currency: rule.text,
  currencies: rule.listOf(rule.text),
  current: figures,
  days: rule.count,
  before: rule.nullable(figures),
  daysBefore: rule.nullable(rule.count),
});
export type RevenueView = rule.TypeOf<typeof revenueView>;

const seriesView = rule.view({ currency: rule.text, periods: rule.listOf(figures) });
export type RevenueSeries = rule.TypeOf<typeof seriesView>;

/**
 * Of those who first paid in a month (YYYY-MM, UTC): `people`, and how many of them paid at the end of the first, second, … month after it. The
 * last number is of a month that is not over.
 */
const cohort = rule.view({ month: rule.text, people: rule.count, active: rule.listOf(rule.count) });
export type RetentionCohort = rule.TypeOf<typeof cohort>;

/** `invoiceId`: the payment behind it; null for a change of MRR. Name and email are empty for a deleted user. */
const revenueEntry = rule.view({
  id: rule.text,
  user: rule.view({ id: rule.uuid, name: rule.text, email: rule.text }),
  at: rule.time,
  kind: rule.oneOf(REVENUE_KINDS),
  amount: rule.amount,
  currency: rule.text,
  invoiceId: rule.nullable(rule.text),
});
export type RevenueEntry = rule.TypeOf<typeof revenueEntry>;

const subscriberEntry = rule.view({
  user: rule.view({ id: rule.uuid, name: rule.text, email: rule.text }),
  mrr: rule.amount,
});
export type SubscriberEntry = rule.TypeOf<typeof subscriberEntry>;

const step = rule.oneOf(REVENUE_STEPS);
const entryCursor = rule.timeCursor(/\d{1,19}/);

const byAdmin = operationsOf('billing', { roles: ['admin'] });
const READS = { permission: 'revenue.read' } as const;

export const revenueEndpoints = {
  /**
   * `compare`: the period before (the same days of the month before, or as many months or days before), or the same days a year before. Each
   * range throws `billing.range_reversed` if it ends before it begins.
   */
  getRevenue: byAdmin('GET /revenue', {
    input: { ...range, compare: rule.oneOf(COMPARISONS) },
    reply: { data: revenueView },
    public: { revenue: toAdmins('/api/admin/revenue', READS) },
  }),
  /** At most REVENUE_PERIODS_MAX periods, or `billing.range_too_long`. */
  listRevenue: byAdmin('GET /revenue/periods', {
    input: { ...range, step },
    reply: { data: seriesView },
    public: { revenuePeriods: toAdmins('/api/admin/revenue/periods', READS) },
  }),
  exportRevenue: byAdmin('GET /revenue.csv', {
    input: { ...range, step },
    reply: 'text',
    public: { exportRevenue: toAdmins('/api/admin/revenue.csv', READS) },
  }),
  /** The cohorts of the last REVENUE_COHORTS months, the oldest first. */
  listRetention: byAdmin('GET /revenue/retention', {
    input: { currency: range.currency },
    reply: { data: rule.listOf(cohort) },
    public: { retention: toAdmins('/api/admin/revenue/retention', READS) },
  }),
  /** REVENUE_PAGE movements of one kind in the period, newest first; `cursor` is `next` of the page before. */
  listRevenueEntries: byAdmin('GET /revenue/entries', {
    input: { ...range, kind: rule.oneOf(REVENUE_KINDS), cursor: entryCursor },
    reply: { data: rule.listOf(revenueEntry), next: rule.nextCursor },
    public: { revenueEntries: toAdmins('/api/admin/revenue/entries', READS) },
  }),
  /** REVENUE_PAGE of those who pay now, by id. */
  listSubscribers: byAdmin('GET /revenue/subscribers', {
    input: { currency: range.currency, cursor: rule.optionalText(Joi.string().guid({ separator: '-' })) },
    reply: { data: rule.listOf(subscriberEntry), next: rule.nextCursor },
    public: { revenueSubscribers: toAdmins('/api/admin/revenue/subscribers', READS) },
  }),
} as const;

export const publicRevenueEndpoints = addressesOf(revenueEndpoints);
