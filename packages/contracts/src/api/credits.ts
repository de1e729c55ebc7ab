import Joi from 'joi';
import { hours, inSeconds } from '../durations.ts';
import {
  CHARGE_MAX,
  CREDIT_GRANT_MAX,
  CREDIT_GRANT_REASON_MAX,
  HISTORY_PAGE_MAX,
  REFERENCE_MAX,
} from '../limits.ts';
import {
  amount,
  count,
  day,
  dayRangeRules,
  flag,
  line,
  listOf,
  mayLack,
  nextCursor,
  nonEmptyText,
  nullable,
  oneMessage,
  oneOf,
  text,
  textLike,
  textOrAddress,
  time,
  type TypeOf,
  uuid,
  view,
  wholeNumber,
} from '../schemas/validation.ts';
import { addressesOf, forUsers, operationsOf, toAdmins, toUsers } from './operation.ts';
import { PLANS } from '../plan.ts';

export const SPEND_REASONS = ['message_composed', 'email_found'] as const;
export type SpendReason = (typeof SPEND_REASONS)[number];

/** Why credits returned to their window. `already_paid`: the contact was paid for meanwhile; `unused`: a commit took fewer credits. */
export const RETURN_REASONS = ['released', 'expired', 'already_paid', 'unused'] as const;
export type ReturnReason = (typeof RETURN_REASONS)[number];

/** `pack_withdrawn`: by a refund or a dispute; `pack_restored`: the dispute was won; `credits_granted`, `credits_revoked`: by support. */
export const BALANCE_REASONS = [
  'pack_bought',
  'pack_withdrawn',
  'pack_restored',
  'credits_granted',
  'credits_revoked',
] as const;
export type BalanceReason = (typeof BALANCE_REASONS)[number];

/** A number of JSON only: text is not read as one. */
const chargeAmount = Joi.number()
  .strict()
  .integer()
  .min(1)
  .max(CHARGE_MAX)
  .required()
  .messages(oneMessage(`Please give a whole number from 1 to ${CHARGE_MAX}`));

/** `reference`: what they are charged for, as the history shows it. `amount`: 1 unless given; all of it is charged or nothing. */
export const spendRules = {
  reason: oneOf(SPEND_REASONS).messages(oneMessage(`Please give a reason: ${SPEND_REASONS.join(' or ')}`)),
  reference: mayLack(
    textOrAddress(REFERENCE_MAX)
      .normalize('NFC')
      .trim()
      .pattern(/[\p{Cc}\p{Cs}]/u, { invert: true })
      .empty(''),
  ),
  amount: mayLack(chargeAmount),
};
export type SpendInput = TypeOf<typeof spendRules>;

/** `amount`: the credits that stay charged, all unless given; the others return to their window. */
export const commitRules = { amount: mayLack(chargeAmount) };
export type CommitInput = TypeOf<typeof commitRules>;

/** `holdSeconds`: the time after which an unsettled reservation is released. */
export const reserveRules = {
  ...spendRules,
  holdSeconds: mayLack(
    Joi.number()
      .integer()
      .min(1)
      .max(inSeconds(hours(1))),
  ),
};
export type ReserveInput = TypeOf<typeof reserveRules>;

/** What the history calls charges that no tool made. */
export const BROWSER = 'browser';

export const HISTORY_REASONS = [...SPEND_REASONS, ...RETURN_REASONS, ...BALANCE_REASONS] as const;

/** `client` is the id of an API key, or BROWSER; neither has credits that were added or taken away. */
export const historyFilterRules = {
  reason: mayLack(oneOf(HISTORY_REASONS).messages(oneMessage('There is no such action'))),
  client: mayLack(
    Joi.string()
      .guid({ separator: '-', wrapper: false })
      .lowercase()
      .allow(BROWSER)
      .messages(oneMessage(`Please give the id of an API key, or ${BROWSER}`)),
  ),
  ...dayRangeRules,
};
export type HistoryFilters = TypeOf<typeof historyFilterRules>;

/** A page of entries, newest first; `cursor` is the id at which the page before ended. */
export const historyRules = {
  limit: mayLack(wholeNumber.min(1).max(HISTORY_PAGE_MAX)),
  cursor: mayLack(Joi.string().pattern(/^\d{1,19}$/)),
  ...historyFilterRules,
};
export type HistoryQuery = TypeOf<typeof historyRules>;

/** An operation id chosen by the client: 1 to 100 visible ASCII characters. The same id is charged once. */
export const idempotencyKeySchema = textLike(/^[\x21-\x7e]{1,100}$/);

// Credits beside those of the plan: packs, and grants by an admin. How they are charged: docs/product.md.

export const BUCKET_KINDS = ['plan', 'grant', 'pack'] as const;

const bucket = {
  id: nonEmptyText,
  kind: oneOf(BUCKET_KINDS),
  credits: count,
  used: count,
  available: count,
  endsAt: nullable(time),
};

/** `credits`: at first; `available`: chargeable now. `endsAt`: null for a pack, and the plan's until the first charge. The plan's id is `plan`. */
const creditBucket = view(bucket);
export type CreditBucket = TypeOf<typeof creditBucket>;
const creditBuckets = listOf(creditBucket);

/** A grant or a pack as an admin sees it, also once it has ended. `isOver`: it was revoked or refunded, or has ended. */
const bucketRecord = view({
  ...bucket,
  isOver: flag,
  createdAt: time,
  /** Both null for a pack. */
  reason: nullable(text),
  grantedBy: nullable(text),
});
export type BucketRecord = TypeOf<typeof bucketRecord>;

/** What a user has: the buckets that can be charged, in their order, and every grant and pack, the newest first. */
const userBuckets = view({ available: count, buckets: creditBuckets, records: listOf(bucketRecord) });
export type UserBuckets = TypeOf<typeof userBuckets>;

/** What an admin gives; `lastDay` (YYYY-MM-DD, in UTC) is the last one on which the credits can be used. */
const grantRules = {
  credits: Joi.number()
    .strict()
    .integer()
    .min(1)
    .max(CREDIT_GRANT_MAX)
    .required()
    .messages(oneMessage(`Please give a whole number from 1 to ${CREDIT_GRANT_MAX}`)),
  lastDay: day,
  reason: line({ required: 'Please give a reason' }, { max: CREDIT_GRANT_REASON_MAX }),
};
export type CreditGrantInput = TypeOf<typeof grantRules>;

const GRANT_PATH = '/api/users/:userId/credit-grants/:grantId';
const operation = operationsOf('credits');
const byService = operationsOf('credits', { roles: ['service'] });
const byUser = operationsOf('credits', { roles: ['user'], self: 'userId' });
const byUserOrAdmin = operationsOf('credits', { roles: ['user', 'admin'], self: 'userId' });
const byAdmin = operationsOf('credits', { roles: ['admin'] });

export const bucketEndpoints = {
  listBuckets: byAdmin('GET /credits/:userId/buckets', {
    reply: { data: userBuckets },
    public: { userBuckets: toAdmins('/api/users/:userId/buckets', { permission: 'users.read' }) },
  }),
  /** The id of a grant is chosen by the client, so that a repeated request grants nothing twice. */
  grantCredits: byAdmin('PUT /credits/:userId/grants/:grantId', {
    input: grantRules,
    reply: { data: bucketRecord },
    public: { grantCredits: toAdmins(GRANT_PATH, { permission: 'credits.adjust', recent: true }) },
  }),
  revokeCredits: byAdmin('DELETE /credits/:userId/grants/:grantId', {
    reply: { data: bucketRecord },
    public: { revokeCredits: toAdmins(GRANT_PATH, { permission: 'credits.adjust', recent: true }) },
  }),
} as const;

const amounts = { used: count, available: count, limit: count };
/** `used` and `limit` of the plan's window; `available` in all buckets. */
const creditsAmounts = view(amounts);
export type CreditsAmounts = TypeOf<typeof creditsAmounts>;
/** `charged`: the credits that the operation took, beyond what was paid for its contact. */
const chargeResult = view({ ...amounts, charged: count });
export type ChargeResult = TypeOf<typeof chargeResult>;

/** Charged until committed, released, or expired. `amount`: what it took when it was made, beyond what was paid for its contact. */
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

/** `limit`, `used`, and the dates are of the plan's window; `available` is the sum over all buckets, in the order of charging. */
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

const creditMails = view({ enabled: flag });
export type CreditMails = TypeOf<typeof creditMails>;

const chunk = { limit: mayLack(wholeNumber.min(1).max(5_000)) };

export const creditsEndpoints = {
  /** `planVersion`: the lowest acceptable one; without it, or with an older plan, credits reads billing. The plan itself is no input. */
  getCredits: operation('GET /credits/:userId', {
    roles: ['user', 'admin', 'service'],
    self: 'userId',
    input: { planVersion: mayLack(wholeNumber.min(0)) },
    reply: creditsView,
  }),
  /** What a tool asks for before its work: the credits without their use in past windows, in one read. */
  getBalance: byUser('GET /credits/:userId/balance', { reply: balance }),
  listHistory: byUserOrAdmin('GET /credits/:userId/history', {
    input: historyRules,
    reply: { data: listOf(creditsEntry), next: nextCursor },
    public: { creditsHistory: toUsers('/api/credits/history', { whileViewing: true }) },
  }),
  /** Leaves out days without entries. The last USAGE_DAYS unless given; USAGE_DAYS_MAX days and USAGE_ENTRIES_MAX entries at most. */
  getUsage: byUserOrAdmin('GET /credits/:userId/usage', {
    input: dayRangeRules,
    reply: { data: listOf(creditsUsage) },
    public: { creditsUsage: toUsers('/api/credits/usage', { whileViewing: true }) },
  }),
  spend: byUser('POST /credits/:userId/spend', {
    input: spendRules,
    reply: chargeResult,
    public: { chargeCredit: toUsers('/api/credits/spend') },
  }),
  /** Reserves credits for work that may fail: commit or release them; otherwise they expire and are released. */
  reserve: byUser('POST /credits/:userId/reservations', {
    input: reserveRules,
    reply: reservationView,
    public: { reserveCredit: toUsers('/api/credits/reservations') },
  }),
  /**
   * Makes the charge final, in part when `amount` is less than was reserved, or releases it when another operation has been charged for
   * the same contact meanwhile. A repeated commit gets the same reply; one of another amount throws `credits.reservation_ended`.
   */
  commitReservation: byUser('POST /credits/:userId/reservations/:reservationId/commit', {
    input: commitRules,
    reply: chargeResult,
    public: { commitReservation: toUsers('/api/credits/reservations/:reservationId/commit') },
  }),
  releaseReservation: byUser('POST /credits/:userId/reservations/:reservationId/release', {
    reply: creditsAmounts,
    public: { releaseReservation: toUsers('/api/credits/reservations/:reservationId/release') },
  }),
  getCreditMails: byUser('GET /credits/:userId/mails', {
    reply: creditMails,
    public: { creditMails: toUsers('/api/credits/mails', { whileViewing: true }) },
  }),
  setCreditMails: byUser('PUT /credits/:userId/mails', {
    input: { enabled: flag },
    reply: creditMails,
    public: { setCreditMails: toUsers('/api/credits/mails') },
  }),
  releaseExpired: byService('POST /reservations/release-expired', {
    input: chunk,
    reply: { released: count, more: flag },
  }),
  resetDue: byService('POST /windows/reset-due', { input: chunk, reply: { reset: count, more: flag } }),
} as const;

/** The header with the operation id of a charge. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';

export const publicCreditsEndpoints = {
  ...addressesOf(bucketEndpoints),
  ...addressesOf(creditsEndpoints),
  credits: forUsers('GET /api/credits', { whileViewing: true, reply: creditsView }),
  /** The entries that match the filters, as CSV: the newest HISTORY_FILE_MAX, and a line that says so when there are more. */
  exportHistory: forUsers('GET /api/credits/history.csv', { input: historyFilterRules, reply: 'text' }),
} as const;
