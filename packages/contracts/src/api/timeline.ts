// What happened to one user. Each service tells its part; bff merges them, newest first.
import Joi from 'joi';
import { TIMELINE_PAGE_MAX } from '../limits.ts';
import { INTERVALS } from '../plan.ts';
import * as rule from '../schemas/validation.ts';
import { auditEntry, auditView } from './audit.ts';
import { creditsEntry } from './credits.ts';
import { note, noteView } from './notes.ts';
import { forAdmins, operationsOf } from './operation.ts';
import { signInView } from './sessions.ts';

/** By which an admin filters. `support`: notes, and what admins changed. */
export const TIMELINE_KINDS = ['account', 'security', 'payments', 'credits', 'emails', 'support'] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** In minor units of `currency`. */
const payment = {
  invoiceId: rule.text,
  number: rule.nullable(rule.text),
  amount: rule.amount,
  currency: rule.text,
};

const EMAIL_STATES = [
  'waiting',
  'sent',
  'delivered',
  'delayed',
  'not_delivered',
  'complained',
  'not_sent',
] as const;
export type EmailState = (typeof EMAIL_STATES)[number];

/** Why an email was not sent, as far as its state does not say it. */
const UNSENT_REASONS = ['turned_off'] as const;
export type UnsentReason = (typeof UNSENT_REASONS)[number];

const ITEMS = {
  account: rule.view({ what: rule.oneOf(['registered', 'email_confirmed']) }),
  signIn: signInView,
  /** `credits`: of the pack; null for the plan. */
  payment: rule.view({
    ...payment,
    what: rule.oneOf(['paid', 'failed']),
    credits: rule.nullable(rule.count),
  }),
  refund: rule.view({ ...payment, what: rule.oneOf(['refunded', 'failed']) }),
  dispute: rule.view({ ...payment, what: rule.oneOf(['opened', 'won', 'lost', 'closed']) }),
  /** `canceled`: it no longer renews. The price is null where it is unknown. */
  subscription: rule.view({
    what: rule.oneOf(['started', 'canceled', 'ended']),
    amount: rule.nullable(rule.amount),
    currency: rule.nullable(rule.text),
    /** How often the price is charged; a month if it is missing. */
    interval: rule.mayLack(rule.oneOf(INTERVALS)),
  }),
  credits: creditsEntry,
  /** `subject`: the name of its template once its content was removed. */
  email: rule.view({
    subject: rule.text,
    state: rule.oneOf(EMAIL_STATES),
    why: rule.mayLack(rule.oneOf(UNSENT_REASONS)),
  }),
};

export const TIMELINE_ITEMS = [...(Object.keys(ITEMS) as (keyof typeof ITEMS)[]), 'change', 'note'] as const;
export type TimelineItem = (typeof TIMELINE_ITEMS)[number];

/** The kinds of the entries with each item. */
const KINDS: Record<TimelineItem, readonly TimelineKind[]> = {
  account: ['account'],
  signIn: ['security', 'support'],
  payment: ['payments'],
  refund: ['payments'],
  dispute: ['payments'],
  subscription: ['payments'],
  credits: ['credits'],
  email: ['emails'],
  change: ['account', 'security', 'payments', 'credits', 'support'],
  note: ['support'],
};

/** The items of which there may be entries of this kind. */
export const itemsOfKind = (items: readonly TimelineItem[], kind: TimelineKind | undefined): TimelineItem[] =>
  items.filter((item) => kind === undefined || KINDS[item].includes(kind));

/** `id` is unique among all services. Entries are ordered by time, then by id. */
const always = { id: rule.text, at: rule.time };
/** As a service tells it: the audit log and notes name admins by their ids. */
const timelineEntry = rule.oneMemberOf({ ...ITEMS, change: auditEntry, note }, always);
export type TimelineEntry = rule.TypeOf<typeof timelineEntry>;

/** With the persons whom it names. */
const timelineView = rule.oneMemberOf({ ...ITEMS, change: auditView, note: noteView }, always);
export type TimelineView = rule.TypeOf<typeof timelineView>;

/** `before`: `next` of the page before. `kind`: only entries of this kind. */
const page = {
  before: rule.timeCursor(/[\w:.-]{1,80}/),
  kind: rule.mayLack(rule.oneOf(TIMELINE_KINDS).empty('')),
};

/** `items`: which of TIMELINE_ITEMS to return, separated by commas. `limit`: one more than a page has shows whether another one follows. */
const timelineQuery = {
  ...page,
  limit: rule.wholeNumber.min(1).max(TIMELINE_PAGE_MAX + 1),
  items: Joi.string().max(200).required(),
};
export type TimelineQuery = rule.TypeOf<typeof timelineQuery> & { userId: string };

/** The items that a service is to return, unknown ones left out. */
export const itemsOf = ({ items, kind }: Pick<TimelineQuery, 'items' | 'kind'>): TimelineItem[] => {
  const names = new Set<string>(items.split(','));
  return itemsOfKind(
    TIMELINE_ITEMS.filter((item) => names.has(item)),
    kind,
  );
};

/** The same operation at each service; the newest first, of one millisecond by id. */
export const timelineEndpoint = operationsOf('each')('GET /users/:userId/timeline', {
  roles: ['admin'],
  input: timelineQuery,
  reply: { data: rule.listOf(timelineEntry) },
});

/** The items that each service has. */
export const TIMELINE_SOURCES = {
  identity: ['account', 'signIn', 'change'],
  profile: ['change', 'note'],
  billing: ['payment', 'refund', 'dispute', 'subscription', 'change'],
  credits: ['credits', 'change'],
  worker: ['email'],
} as const satisfies Record<string, readonly TimelineItem[]>;
export type TimelineSource = keyof typeof TIMELINE_SOURCES;
const SOURCES = Object.keys(TIMELINE_SOURCES) as TimelineSource[];

export const publicTimelineEndpoints = {
  /**
   * Without what the admin's role may not read: payments need `revenue.read`, changes `audit.read`. `missing`: services that did not respond in
   * time, whose entries this page lacks. The pages after `next` do not make up for it: they begin after the last entry here, for every service. Such
   * a page is to be read again, with the same `before`, and the pages after it from its new `next`. Throws `service.unavailable` if no service
   * responded.
   */
  timeline: forAdmins('GET /api/users/:userId/timeline', {
    permission: 'users.read',
    input: { ...page, limit: rule.mayLack(rule.wholeNumber.min(1).max(TIMELINE_PAGE_MAX)) },
    reply: {
      data: rule.listOf(timelineView),
      next: rule.nextCursor,
      missing: rule.listOf(rule.oneOf(SOURCES)),
    },
  }),
} as const;
