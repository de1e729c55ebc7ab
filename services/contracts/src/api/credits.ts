import Joi from 'joi';
import { type Plan, PLANS } from '../plan.ts';
import {
  amount,
  count,
  type DayRange,
  dayRangeRules,
  flag,
  listOf,
  nextCursor,
  nullableText,
  nullableTime,
  oneOf,
  text,
  time,
  uuid,
  view,
  wholeNumber,
} from '../schemas/validation.ts';
import {
  type CommitInput,
  commitRules,
  historyFilterRules,
  type HistoryFilters,
  type HistoryQuery,
  historyRules,
  type ReserveInput,
  reserveRules,
  SPEND_REASONS,
  type SpendInput,
  type SpendReason,
  spendRules,
} from '../schemas/credits.ts';
import { type CreditBucket, creditBuckets } from './credit-buckets.ts';
import { forUsers } from './public-endpoint.ts';
import { type None, serviceEndpoint } from './service-endpoint.ts';

/**
 * `limit`, `used`, and the dates are those of the plan's window; `available` is the sum over all buckets, which are in the order of
 * charging.
 */
export type CreditsBalance = {
  plan: Plan;
  limit: number;
  used: number;
  available: number;
  /** Null until the first charge starts a free window. */
  windowStart: string | null;
  windowEnd: string | null;
  /** The plan's, and the others that have a credit left. */
  buckets: CreditBucket[];
};

/** `exhausted`: no bucket has a credit left. */
export type CreditsView = CreditsBalance & {
  exhausted: boolean;
  premiumUsed: number;
  freeUsed: number;
  /** What was charged in a window after which no credit is left; null while there are some, and for a window of too many entries. */
  usedFor: { messages: number; emails: number } | null;
};

/**
 * Reserved credits: charged until they are committed, released, or expire at `expiresAt`. `amount`: how many it took when it was made,
 * beyond what was paid for its contact.
 */
export type Reservation = CreditsAmounts & {
  id: string;
  amount: number;
  state: 'held' | 'committed' | 'released';
  expiresAt: string;
};

/**
 * `amount`: negative for credits that were charged or taken away. `clientId`: the API key of the tool that charged; null for the browser. An
 * entry that returns credits has that of its charge; one of a `BalanceReason`, by which credits were added or taken away, has none.
 */
export type CreditsEntry = {
  id: string;
  amount: number;
  reason: string;
  reference: string | null;
  clientId: string | null;
  createdAt: string;
};

/** What a client charged, and got back, for one reason on one day (YYYY-MM-DD in UTC). */
export type CreditsUsage = {
  day: string;
  clientId: string | null;
  reason: SpendReason;
  charged: number;
  returned: number;
};

/** Whether the user gets emails about running out of credits. */
export type CreditMails = { enabled: boolean };

/** `used` and `limit` of the plan's window; `available` in all buckets. */
export type CreditsAmounts = { used: number; available: number; limit: number };
/** `charged`: the credits that the operation took, beyond what was paid for its contact. */
export type ChargeResult = CreditsAmounts & { charged: number };
const amounts: Record<keyof CreditsAmounts, Joi.Schema> = { used: count, available: count, limit: count };
const creditsAmounts = view<CreditsAmounts>(amounts);
const chargeResult = view<ChargeResult>({ ...amounts, charged: count });

const reservationView = view<Reservation>({
  ...amounts,
  id: uuid,
  amount: count,
  state: oneOf(['held', 'committed', 'released']),
  expiresAt: time,
});

const creditsView = view<CreditsView>({
  ...amounts,
  plan: oneOf(PLANS),
  exhausted: flag,
  premiumUsed: count,
  freeUsed: count,
  usedFor: Joi.object({ messages: count, emails: count }).allow(null).required(),
  windowStart: nullableTime,
  windowEnd: nullableTime,
  buckets: creditBuckets,
});

const creditsEntry = view<CreditsEntry>({
  id: text,
  amount,
  reason: text,
  reference: nullableText,
  clientId: uuid.allow(null),
  createdAt: time,
});

const creditsUsage = view<CreditsUsage>({
  day: text,
  clientId: uuid.allow(null),
  reason: oneOf(SPEND_REASONS),
  charged: count,
  returned: count,
});

const creditMails = view<CreditMails>({ enabled: flag });

type ForUser = { userId: string };
type ForReservation = ForUser & { reservationId: string };
type Chunk = { limit?: number };
const reservation = { userId: uuid, reservationId: uuid };
const chunk = { limit: wholeNumber.min(1).max(5_000) };

export const creditsEndpoints = {
  /** `planVersion`: the lowest acceptable plan version; credits reads the plan from billing when its own is older. */
  getCredits: serviceEndpoint<ForUser & { planVersion?: number }, CreditsView>({
    method: 'GET',
    path: '/credits/:userId',
    roles: ['user', 'admin', 'service'],
    self: 'userId',
    input: { userId: uuid, planVersion: wholeNumber.min(0) },
  }),
  /** What a tool asks for before its work: the credits without their use in past windows, in one read. */
  getBalance: serviceEndpoint<ForUser, CreditsBalance>({
    method: 'GET',
    path: '/credits/:userId/balance',
    roles: ['user'],
    self: 'userId',
    input: { userId: uuid },
  }),
  listHistory: serviceEndpoint<ForUser & HistoryQuery, { data: CreditsEntry[]; next: string | null }>({
    method: 'GET',
    path: '/credits/:userId/history',
    roles: ['user', 'admin'],
    self: 'userId',
    input: { userId: uuid, ...historyRules },
  }),
  /**
   * Days without a charge or a return are left out. The last USAGE_DAYS days unless given; USAGE_DAYS_MAX days and
   * USAGE_ENTRIES_MAX entries at most.
   */
  getUsage: serviceEndpoint<ForUser & DayRange, { data: CreditsUsage[] }>({
    method: 'GET',
    path: '/credits/:userId/usage',
    roles: ['user', 'admin'],
    self: 'userId',
    input: { userId: uuid, ...dayRangeRules },
  }),
  spend: serviceEndpoint<ForUser & SpendInput, ChargeResult>({
    method: 'POST',
    path: '/credits/:userId/spend',
    roles: ['user'],
    self: 'userId',
    input: { userId: uuid, ...spendRules },
  }),
  reserve: serviceEndpoint<ForUser & ReserveInput, Reservation>({
    method: 'POST',
    path: '/credits/:userId/reservations',
    roles: ['user'],
    self: 'userId',
    input: { userId: uuid, ...reserveRules },
  }),
  /**
   * Makes the charge final, in part when `amount` is less than was reserved, or releases it when another operation has been charged for
   * the same contact meanwhile. A repeated commit gets the same reply; one of another amount throws `credits.reservation_ended`.
   */
  commitReservation: serviceEndpoint<ForReservation & CommitInput, ChargeResult>({
    method: 'POST',
    path: '/credits/:userId/reservations/:reservationId/commit',
    roles: ['user'],
    self: 'userId',
    input: { ...reservation, ...commitRules },
  }),
  releaseReservation: serviceEndpoint<ForReservation, CreditsAmounts>({
    method: 'POST',
    path: '/credits/:userId/reservations/:reservationId/release',
    roles: ['user'],
    self: 'userId',
    input: reservation,
  }),
  getCreditMails: serviceEndpoint<ForUser, CreditMails>({
    method: 'GET',
    path: '/credits/:userId/mails',
    roles: ['user'],
    self: 'userId',
    input: { userId: uuid },
  }),
  setCreditMails: serviceEndpoint<ForUser & CreditMails, CreditMails>({
    method: 'PUT',
    path: '/credits/:userId/mails',
    roles: ['user'],
    self: 'userId',
    input: { userId: uuid, enabled: flag },
  }),
  releaseExpired: serviceEndpoint<Chunk, { released: number; more: boolean }>({
    method: 'POST',
    path: '/reservations/release-expired',
    roles: ['service'],
    input: chunk,
  }),
  resetDue: serviceEndpoint<Chunk, { reset: number; more: boolean }>({
    method: 'POST',
    path: '/windows/reset-due',
    roles: ['service'],
    input: chunk,
  }),
} as const;

/** The header with the operation id of a charge. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';

/** The endpoints of the credits that come with a plan. */
export const publicCreditsEndpoints = {
  credits: forUsers<None, CreditsView>({
    method: 'GET',
    path: '/api/credits',
    whileViewing: true,
    reply: creditsView,
  }),
  creditsHistory: forUsers<HistoryQuery, { data: CreditsEntry[]; next: string | null }>({
    method: 'GET',
    path: '/api/credits/history',
    whileViewing: true,
    input: historyRules,
    reply: { data: listOf(creditsEntry), next: nextCursor },
  }),
  /** The entries that match the filters, as CSV: the newest HISTORY_FILE_MAX, and a line that says so when there are more. */
  exportHistory: forUsers<HistoryFilters, string>({
    method: 'GET',
    path: '/api/credits/history.csv',
    input: historyFilterRules,
    reply: null,
  }),
  creditsUsage: forUsers<DayRange, { data: CreditsUsage[] }>({
    method: 'GET',
    path: '/api/credits/usage',
    whileViewing: true,
    input: dayRangeRules,
    reply: { data: listOf(creditsUsage) },
  }),
  chargeCredit: forUsers<SpendInput, ChargeResult>({
    method: 'POST',
    path: '/api/credits/spend',
    input: spendRules,
    reply: chargeResult,
  }),
  /** Reserves credits for work that may fail: commit or release them; otherwise they expire and are released. */
  reserveCredit: forUsers<ReserveInput, Reservation>({
    method: 'POST',
    path: '/api/credits/reservations',
    input: reserveRules,
    reply: reservationView,
  }),
  commitReservation: forUsers<{ reservationId: string } & CommitInput, ChargeResult>({
    method: 'POST',
    path: '/api/credits/reservations/:reservationId/commit',
    input: { reservationId: uuid, ...commitRules },
    reply: chargeResult,
  }),
  releaseReservation: forUsers<{ reservationId: string }, CreditsAmounts>({
    method: 'POST',
    path: '/api/credits/reservations/:reservationId/release',
    input: { reservationId: uuid },
    reply: creditsAmounts,
  }),
  creditMails: forUsers<None, CreditMails>({
    method: 'GET',
    path: '/api/credits/mails',
    whileViewing: true,
    reply: creditMails,
  }),
  setCreditMails: forUsers<CreditMails, CreditMails>({
    method: 'PUT',
    path: '/api/credits/mails',
    input: { enabled: flag },
    reply: creditMails,
  }),
} as const;
