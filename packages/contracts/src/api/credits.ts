import { PLANS } from '../plan.ts';
import {
  amount,
  count,
  flag,
  listOf,
  mayLack,
  nextCursor,
  nullable,
  oneOf,
  text,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/typed.ts';
import {
  commitRules,
  historyFilterRules,
  historyRules,
  reserveRules,
  SPEND_REASONS,
  spendRules,
} from '../schemas/credits.ts';
import { dayRangeRules, wholeNumber } from '../schemas/validation.ts';
import { creditBuckets } from './credit-buckets.ts';
import { forUsers, operationsOf, toUsers } from './operation.ts';

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

const ofUser = { userId: uuid };
const ofReservation = { ...ofUser, reservationId: uuid };
const chunk = { limit: mayLack(wholeNumber.min(1).max(5_000)) };
const operation = operationsOf('credits');

export const creditsEndpoints = {
  /**
   * `planVersion`: the lowest acceptable plan version. credits reads plan and packs from billing when its own is older, and without one.
   * The plan itself is no input: a user's request must not be able to state it.
   */
  getCredits: operation('GET /credits/:userId', {
    roles: ['user', 'admin', 'service'],
    self: 'userId',
    input: { ...ofUser, planVersion: mayLack(wholeNumber.min(0)) },
    reply: creditsView,
  }),
  /** What a tool asks for before its work: the credits without their use in past windows, in one read. */
  getBalance: operation('GET /credits/:userId/balance', {
    roles: ['user'],
    self: 'userId',
    input: ofUser,
    reply: balance,
  }),
  listHistory: operation('GET /credits/:userId/history', {
    roles: ['user', 'admin'],
    self: 'userId',
    input: { ...ofUser, ...historyRules },
    reply: { data: listOf(creditsEntry), next: nextCursor },
    public: { creditsHistory: toUsers('/api/credits/history', { whileViewing: true }) },
  }),
  /**
   * Days without a charge or a return are left out. The last USAGE_DAYS days unless given; USAGE_DAYS_MAX days and
   * USAGE_ENTRIES_MAX entries at most.
   */
  getUsage: operation('GET /credits/:userId/usage', {
    roles: ['user', 'admin'],
    self: 'userId',
    input: { ...ofUser, ...dayRangeRules },
    reply: { data: listOf(creditsUsage) },
    public: { creditsUsage: toUsers('/api/credits/usage', { whileViewing: true }) },
  }),
  spend: operation('POST /credits/:userId/spend', {
    roles: ['user'],
    self: 'userId',
    input: { ...ofUser, ...spendRules },
    reply: chargeResult,
    public: { chargeCredit: toUsers('/api/credits/spend') },
  }),
  /** Reserves credits for work that may fail: commit or release them; otherwise they expire and are released. */
  reserve: operation('POST /credits/:userId/reservations', {
    roles: ['user'],
    self: 'userId',
    input: { ...ofUser, ...reserveRules },
    reply: reservationView,
    public: { reserveCredit: toUsers('/api/credits/reservations') },
  }),
  /**
   * Makes the charge final, in part when `amount` is less than was reserved, or releases it when another operation has been charged for
   * the same contact meanwhile. A repeated commit gets the same reply; one of another amount throws `credits.reservation_ended`.
   */
  commitReservation: operation('POST /credits/:userId/reservations/:reservationId/commit', {
    roles: ['user'],
    self: 'userId',
    input: { ...ofReservation, ...commitRules },
    reply: chargeResult,
    public: { commitReservation: toUsers('/api/credits/reservations/:reservationId/commit') },
  }),
  releaseReservation: operation('POST /credits/:userId/reservations/:reservationId/release', {
    roles: ['user'],
    self: 'userId',
    input: ofReservation,
    reply: creditsAmounts,
    public: { releaseReservation: toUsers('/api/credits/reservations/:reservationId/release') },
  }),
  getCreditMails: operation('GET /credits/:userId/mails', {
    roles: ['user'],
    self: 'userId',
    input: ofUser,
    reply: creditMails,
    public: { creditMails: toUsers('/api/credits/mails', { whileViewing: true }) },
  }),
  setCreditMails: operation('PUT /credits/:userId/mails', {
    roles: ['user'],
    self: 'userId',
    input: { ...ofUser, enabled: flag },
    reply: creditMails,
    public: { setCreditMails: toUsers('/api/credits/mails') },
  }),
  releaseExpired: operation('POST /reservations/release-expired', {
    roles: ['service'],
    input: chunk,
    reply: { released: count, more: flag },
  }),
  resetDue: operation('POST /windows/reset-due', {
    roles: ['service'],
    input: chunk,
    reply: { reset: count, more: flag },
  }),
} as const;

/** The header with the operation id of a charge. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';

/** What bff composes of the credits that come with a plan. */
export const publicCreditsEndpoints = {
  credits: forUsers('GET /api/credits', { whileViewing: true, reply: creditsView }),
  /** The entries that match the filters, as CSV: the newest HISTORY_FILE_MAX, and a line that says so when there are more. */
  exportHistory: forUsers('GET /api/credits/history.csv', { input: historyFilterRules, reply: 'text' }),
} as const;
