import { PLANS } from '../plan.ts';
import {
  amount,
  count,
  flag,
  listOf,
  nextCursor,
  nullable,
  oneOf,
  text,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/typed.ts';
import { type DayRange, dayRangeRules, wholeNumber } from '../schemas/validation.ts';
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
  spendRules,
} from '../schemas/credits.ts';
import { creditBuckets } from './credit-buckets.ts';
import { forUsers } from './public-endpoint.ts';
import { type None, serviceEndpoint } from './service-endpoint.ts';

const amounts = { used: count, available: count, limit: count };
/** `used` and `limit` of the plan's window; `available` in all buckets. */
const creditsAmounts = view(amounts);
export type CreditsAmounts = TypeOf<typeof creditsAmounts>;
/** `charged`: the credits that the operation took, beyond what was paid for its contact. */
const chargeResult = view({ ...amounts, charged: count });
export type ChargeResult = TypeOf<typeof chargeResult>;

/**
 * Reserved credits: charged until they are committed, released, or expire at `expiresAt`. `amount`: how many it took when it was made,
 * beyond what was paid for its contact.
 */
const reservationView = view({
  ...amounts,
  id: uuid,
  amount: count,
  state: oneOf(['held', 'committed', 'released']),
  expiresAt: time,
});
export type Reservation = TypeOf<typeof reservationView>;

const balance = {
  ...amounts,
  plan: oneOf(PLANS),
  /** Null until the first charge starts a free window. */
  windowStart: nullable(time),
  windowEnd: nullable(time),
  /** The plan's, and the others that have a credit left. */
  buckets: creditBuckets,
};
/** `exhausted`: no bucket has a credit left. */
const creditsView = view({
  ...balance,
  exhausted: flag,
  premiumUsed: count,
  freeUsed: count,
  /** What was charged in a window after which no credit is left; null while there are some, and for a window of too many entries. */
  usedFor: nullable(view({ messages: count, emails: count })),
});
export type CreditsView = TypeOf<typeof creditsView>;

/**
 * `limit`, `used`, and the dates are those of the plan's window; `available` is the sum over all buckets, which are in the order of
 * charging.
 */
export type CreditsBalance = Pick<CreditsView, keyof typeof balance>;

/**
 * `amount`: negative for credits that were charged or taken away. `clientId`: the API key of the tool that charged; null for the browser. An
 * entry that returns credits has that of its charge; one of a `BalanceReason`, by which credits were added or taken away, has none.
 */
const creditsEntry = view({
  id: text,
  amount,
  reason: text,
  reference: nullable(text),
  clientId: nullable(uuid),
  createdAt: time,
});
export type CreditsEntry = TypeOf<typeof creditsEntry>;

/** What a client charged, and got back, for one reason on one day (YYYY-MM-DD in UTC). */
const creditsUsage = view({
  day: text,
  clientId: nullable(uuid),
  reason: oneOf(SPEND_REASONS),
  charged: count,
  returned: count,
});
export type CreditsUsage = TypeOf<typeof creditsUsage>;

/** Whether the user gets emails about running out of credits. */
const creditMails = view({ enabled: flag });
export type CreditMails = TypeOf<typeof creditMails>;

type ForUser = { userId: string };
type ForReservation = ForUser & { reservationId: string };
type Chunk = { limit?: number };
const reservation = { userId: uuid, reservationId: uuid };
const chunk = { limit: wholeNumber.min(1).max(5_000) };

export const creditsEndpoints = {
  /**
   * `planVersion`: the lowest acceptable plan version. credits reads plan and packs from billing when its own is older, and without one.
   * The plan itself is no input: a user's request must not be able to state it.
   */
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
