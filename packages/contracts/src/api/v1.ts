// The API for apps: what a bot, a browser extension or a script may do for a user with that user's key. Within a version, fields and
// endpoints are only added, never changed or removed. The OpenAPI description and the reference are generated from these declarations.
import Joi from 'joi';
import { CHARGE_MAX, HISTORY_PAGE_MAX, REFERENCE_MAX } from '../limits.ts';
import { FEATURES, PLANS } from '../plan.ts';
import { BALANCE_REASONS, BUCKET_KINDS, reserveRules, RETURN_REASONS, SPEND_REASONS } from './credits.ts';
import * as rule from '../schemas/validation.ts';
import { type Scope, SCOPES } from './connected-apps.ts';
import type { None } from './endpoint.ts';
import { forClients, type InputOf, type PublicEndpoint, type Route } from './operation.ts';

/** What the reference documents about an endpoint for apps. */
type Reference = {
  /** The scope that the key needs. */
  scope: Scope;
  /** A phrase, followed by anything else a reader must know. */
  summary: string;
  description: string;
  /** Requires an Idempotency-Key. */
  isRepeatable?: boolean;
};
export type ClientEndpoint<Input, Reply> = PublicEndpoint<Input, Reply, 'clients'> & Required<Reference>;

/** Declares an endpoint for apps. */
const forTools = <const P extends Route, const R extends rule.Rules, const I extends rule.Rules = None>(
  route: P,
  { isRepeatable = false, ...declaration }: Reference & { status?: number; input?: I; reply: R },
) =>
  ({ ...forClients(route, declaration), isRepeatable, crossSiteCheck: false }) as ClientEndpoint<
    InputOf<P, rule.TypeOf<I>>,
    rule.TypeOf<R>
  >;

/** The prefix of every path of the API for apps. */
export const V1_PATH = '/api/v1/';

// JSON numbers only: "5" is refused.
const credits = rule.mayLack(Joi.number().strict().integer().min(1).max(CHARGE_MAX));
const reason = rule.oneOf(SPEND_REASONS);
/** Spaces, then a visible character, then no control characters; the description repeats it with ranges. */
const reference = rule.mayLack(
  rule
    .textOrAddress(REFERENCE_MAX)
    .pattern(/^[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff]*[^\s\p{Cc}\p{Cs}][^\p{Cc}\p{Cs}]*$/u),
);
const chargeRules = { amount: credits, reason, reference };
const codes = (reasons: readonly string[]): string => reasons.map((code) => `\`${code}\``).join(', ');
const ENTRY_REASONS = `For a charge: ${codes(SPEND_REASONS)}; for returned credits: ${codes(RETURN_REASONS)}; for credits that were added or taken away: ${codes(BALANCE_REASONS)}. More may be added.`;
/** credits refuses days that do not exist. */
const day = rule.mayLack(Joi.string().pattern(/^2\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/));

const balance = { used: rule.count, available: rule.count, limit: rule.count };

const me = rule.view({
  id: rule.uuid,
  email: rule.text,
  firstName: rule.text,
  lastName: rule.text,
  key: rule.view({
    id: rule.uuid,
    scopes: rule.listOf(rule.oneOf(SCOPES)),
    expiresAt: rule.nullable(rule.time),
  }),
});

const entitlements = rule.view({
  plan: rule.oneOf(PLANS),
  features: rule.listOf(rule.oneOf(FEATURES)),
  /** `limit` and `used` apply to the plan's period; `available` is the sum over `buckets`, which are charged in this order. */
  credits: rule.view({
    ...balance,
    /** Null until the first charge starts a period of the free plan. */
    windowStart: rule.nullable(rule.time),
    windowEnd: rule.nullable(rule.time),
    /** `plan`: credits of the period; `grant`: given by support; `pack`: bought, never expire. */
    buckets: rule.listOf(
      rule.view({ kind: rule.oneOf(BUCKET_KINDS), available: rule.count, endsAt: rule.nullable(rule.time) }),
    ),
  }),
});

const entry = rule.view({
  id: rule.text,
  amount: rule.amount.description('Negative for credits that were charged or taken away.'),
  reason: rule.text.description(ENTRY_REASONS),
  reference: rule.nullable(rule.text),
  clientId: rule
    .nullable(rule.text)
    .description(
      'The API key or the connection of the app. Null for the browser, and for credits that were added or taken away.',
    ),
  createdAt: rule.time,
});

const usageOfDay = rule.view({
  day: rule.text,
  clientId: rule.nullable(rule.text),
  reason,
  charged: rule.count,
  returned: rule.count,
});

export const v1Endpoints = {
  me: forTools('GET /api/v1/me', {
    scope: 'profile:read',
    summary: 'Get the user and the key',
    description: 'The user for whom the app acts, and the scopes of its key.',
    reply: me,
  }),
  entitlements: forTools('GET /api/v1/entitlements', {
    scope: 'credits:read',
    summary: 'Get what the plan includes',
    description:
      'The plan, its features and its credits. `available` is the sum of `buckets`, which are charged in the order listed: the first to end first, packs last. `limit` and `used` apply to the period of the plan. Send `If-None-Match` with later requests: if nothing has changed, the response is 304 without a body. While this server cannot be reached, a response can be used for as long as its `Cache-Control: stale-if-error` says.',
    reply: entitlements,
  }),
  charge: forTools('POST /api/v1/charges', {
    scope: 'credits:charge',
    summary: 'Charge credits',
    description:
      'Charges all of the credits or none. `reference` identifies the contact and appears in the history; the length of a URL is measured after percent-decoding. Within thirty days, the same contact and reason cost only the highest amount charged: a higher charge costs the difference, any other nothing.',
    isRepeatable: true,
    status: 201,
    input: chargeRules,
    reply: { ...balance, charged: rule.count },
  }),
  listCharges: forTools('GET /api/v1/charges', {
    scope: 'credits:read',
    summary: 'List charges',
    description:
      'Charges, returned credits, and credits that were added or taken away (packs, and extra credits from support), newest first. `next` is the `cursor` of the next page.',
    input: {
      limit: rule.mayLack(rule.wholeNumber.min(1).max(HISTORY_PAGE_MAX)),
      cursor: rule.mayLack(Joi.string().pattern(/^\d{1,19}$/)),
      reason: rule.mayLack(reason),
      client: rule.mayLack(Joi.string().pattern(/^(browser|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/)),
      from: day,
      to: day,
    },
    reply: { data: rule.listOf(entry), next: rule.nextCursor },
  }),
  reserve: forTools('POST /api/v1/reservations', {
    scope: 'credits:charge',
    summary: 'Reserve credits',
    description:
      'Holds credits for work that may fail. Commit what was used, or release all. After `holdSeconds` (5 minutes by default), the credits are returned automatically.',
    isRepeatable: true,
    status: 201,
    input: { ...chargeRules, holdSeconds: rule.mayLack(reserveRules.holdSeconds.strict()) },
    reply: {
      ...balance,
      id: rule.uuid,
      state: rule.oneOf(['held', 'committed', 'released']),
      amount: rule.count,
      expiresAt: rule.time,
    },
  }),
  commit: forTools('POST /api/v1/reservations/:reservationId/commit', {
    scope: 'credits:charge',
    summary: 'Commit a reservation',
    description:
      'Charges `amount` of the reserved credits (all by default) and returns the rest. Safe to repeat.',
    input: { amount: credits },
    reply: { ...balance, charged: rule.count },
  }),
  release: forTools('POST /api/v1/reservations/:reservationId/release', {
    scope: 'credits:charge',
    summary: 'Release a reservation',
    description: 'Returns all reserved credits. Safe to repeat.',
    reply: balance,
  }),
  usage: forTools('GET /api/v1/usage', {
    scope: 'credits:read',
    summary: 'Get usage by day and app',
    description:
      'Covers the last thirty days by default. `from` and `to` are inclusive and can span up to 366 days. Days are in UTC.',
    input: { from: day, to: day },
    reply: { data: rule.listOf(usageOfDay) },
  }),
} as const;
