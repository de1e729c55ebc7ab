import Joi from 'joi';
import { hours, inSeconds } from '../durations.ts';
import {
  CHARGE_MAX,
  CREDIT_GRANT_MAX,
  CREDIT_GRANT_REASON_MAX,
  DIRECTORY_PAGE_MAX,
  HISTORY_PAGE_MAX,
  REFERENCE_MAX,
} from '../limits.ts';
import * as rule from '../schemas/validation.ts';
import { addressesOf, forUsers, operationsOf, toAdmins, toUsers } from './operation.ts';
import { PLANS } from '../plan.ts';

export const SPEND_REASONS = ['message_composed', 'email_found'] as const;
export type SpendReason = (typeof SPEND_REASONS)[number];

/**
 * Why credits were returned to their bucket. `already_paid`: the contact was paid for in the meantime; `unused`: the commit took fewer credits.
 */
export const RETURN_REASONS = ['released', 'expired', 'already_paid', 'unused'] as const;
export type ReturnReason = (typeof RETURN_REASONS)[number];

/**
 * `pack_withdrawn`: by a refund or a dispute; `pack_restored`: the dispute was won; `credits_granted`, `credits_revoked`: by support;
 * `plan_withdrawn`: by a refund of a part of the plan; `plan_restored`: that refund failed.
 */
export const BALANCE_REASONS = [
  'pack_bought',
  'pack_withdrawn',
  'pack_restored',
  'credits_granted',
  'credits_revoked',
  'plan_withdrawn',
  'plan_restored',
] as const;
export type BalanceReason = (typeof BALANCE_REASONS)[number];

/** A JSON number only; a string is refused. */
const creditsUpTo = (max: number) =>
  Joi.number()
    .strict()
    .integer()
    .min(1)
    .max(max)
    .required()
    .messages(rule.oneMessage(`Please enter a whole number from 1 to ${max}`));

/** `reference`: what the credits are charged for, as the history shows it. `amount`: defaults to 1; it is charged in full or not at all. */
export const spendRules = {
  reason: rule
    .oneOf(SPEND_REASONS)
    .messages(rule.oneMessage(`Please enter a reason: ${SPEND_REASONS.join(' or ')}`)),
  reference: rule.mayLack(
    rule
      .textOrAddress(REFERENCE_MAX)
      .normalize('NFC')
      .trim()
      .pattern(/[\p{Cc}\p{Cs}]/u, { invert: true })
      .empty(''),
  ),
  amount: rule.mayLack(creditsUpTo(CHARGE_MAX)),
};
export type SpendInput = rule.TypeOf<typeof spendRules>;

/** `amount`: the credits that stay charged, by default all; the others return to their bucket. */
export const commitRules = { amount: rule.mayLack(creditsUpTo(CHARGE_MAX)) };
export type CommitInput = rule.TypeOf<typeof commitRules>;

/** `holdSeconds`: the time after which an unsettled reservation is released. */
export const reserveRules = {
  ...spendRules,
  holdSeconds: rule.mayLack(
    Joi.number()
      .integer()
      .min(1)
      .max(inSeconds(hours(1))),
  ),
};
export type ReserveInput = rule.TypeOf<typeof reserveRules>;

/** The client of charges that no app made. */
export const BROWSER = 'browser';

export const HISTORY_REASONS = [...SPEND_REASONS, ...RETURN_REASONS, ...BALANCE_REASONS] as const;

/** `client` is the id of an API key, or BROWSER. Entries that added or removed credits match neither. */
export const historyFilterRules = {
  reason: rule.mayLack(rule.oneOf(HISTORY_REASONS).messages(rule.oneMessage('This action is unknown'))),
  client: rule.mayLack(
    Joi.string()
      .guid({ separator: '-', wrapper: false })
      .lowercase()
      .allow(BROWSER)
      .messages(rule.oneMessage(`Please enter the ID of an API key, or ${BROWSER}`)),
  ),
  ...rule.dayRangeRules,
};
export type HistoryFilters = rule.TypeOf<typeof historyFilterRules>;

/**
 * A page of entries, newest first; `cursor` is the last id of the previous page. With `returns` joined, a charge and what came back of it
 * are one entry.
 */
export const historyRules = {
  limit: rule.mayLack(rule.wholeNumber.min(1).max(HISTORY_PAGE_MAX)),
  cursor: rule.mayLack(Joi.string().pattern(/^\d{1,19}$/)),
  returns: rule.mayLack(rule.oneOf(['joined'])),
  ...historyFilterRules,
};
export type HistoryQuery = rule.TypeOf<typeof historyRules>;

/** An operation id chosen by the client: 1 to 100 visible ASCII characters. The same id is charged once. */
export const idempotencyKeySchema = rule.textLike(/^[\x21-\x7e]{1,100}$/);

// Credits in addition to the plan's: packs, and grants by an admin. How they are charged: docs/product.md.

export const BUCKET_KINDS = ['plan', 'grant', 'pack'] as const;

const bucket = {
  id: rule.nonEmptyText,
  kind: rule.oneOf(BUCKET_KINDS),
  credits: rule.count,
  used: rule.count,
  available: rule.count,
  endsAt: rule.nullable(rule.time),
};

/** `credits`: at first; `available`: chargeable now. `endsAt`: null for a pack, and the plan's until the first charge. The plan's id is `plan`. */
const creditBucket = rule.view(bucket);
export type CreditBucket = rule.TypeOf<typeof creditBucket>;
const creditBuckets = rule.listOf(creditBucket);

/** A grant or a pack as an admin sees it, even after its end. `isOver`: it was revoked or refunded, or has ended. */
const bucketRecord = rule.view({
  ...bucket,
  isOver: rule.flag,
  createdAt: rule.time,
  /** Both null for a pack. */
  reason: rule.nullable(rule.text),
  grantedBy: rule.nullable(rule.text),
});
export type BucketRecord = rule.TypeOf<typeof bucketRecord>;

/** A user's buckets: those that can be charged, in the order of charging, and every grant and pack, newest first. */
const userBuckets = rule.view({
  available: rule.count,
  buckets: creditBuckets,
  records: rule.listOf(bucketRecord),
});
export type UserBuckets = rule.TypeOf<typeof userBuckets>;

/** A grant by an admin; `lastDay` (YYYY-MM-DD, in UTC) is the last day on which the credits can be used. */
const grantRules = {
  credits: creditsUpTo(CREDIT_GRANT_MAX),
  lastDay: rule.day,
  reason: rule.line({ required: 'Please enter a reason' }, { max: CREDIT_GRANT_REASON_MAX }),
};
export type CreditGrantInput = rule.TypeOf<typeof grantRules>;

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
  /** What each of these users can charge now, in all buckets. */
  listBalances: byAdmin('GET /balances', {
    input: { ids: rule.idList(DIRECTORY_PAGE_MAX) },
    reply: { data: rule.listOf(rule.view({ userId: rule.uuid, available: rule.count })) },
  }),
  /** The client chooses the id of a grant, so that a repeated request does not grant twice. */
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

const amounts = { used: rule.count, available: rule.count, limit: rule.count };
/** `used` and `limit` of the plan's window; `available` in all buckets. */
const creditsAmounts = rule.view(amounts);
export type CreditsAmounts = rule.TypeOf<typeof creditsAmounts>;
/** `charged`: the credits that the operation took; none for a contact that was already paid for. */
const chargeResult = rule.view({ ...amounts, charged: rule.count });
export type ChargeResult = rule.TypeOf<typeof chargeResult>;

/**
 * Charged until committed, released or expired. `amount`: the credits that it took when it was made; none for a contact that was already paid for.
 */
const reservationView = rule.view({
  ...amounts,
  id: rule.uuid,
  amount: rule.count,
  state: rule.oneOf(['held', 'committed', 'released']),
  expiresAt: rule.time,
});
export type Reservation = rule.TypeOf<typeof reservationView>;

const balance = {
  ...amounts,
  plan: rule.oneOf(PLANS),
  /** Null until the first charge of a free plan. */
  windowStart: rule.nullable(rule.time),
  windowEnd: rule.nullable(rule.time),
  /** The plan's bucket, and the others that have credits left. */
  buckets: creditBuckets,
};
/** `exhausted`: no bucket has a credit left. */
const creditsView = rule.view({
  ...balance,
  exhausted: rule.flag,
  premiumUsed: rule.count,
  freeUsed: rule.count,
  /** What the credits were used for; null while some are left, and if there are too many entries. */
  usedFor: rule.nullable(rule.view({ messages: rule.count, emails: rule.count })),
});
export type CreditsView = rule.TypeOf<typeof creditsView>;

/** `limit`, `used`, and the dates are of the plan's window; `available` is the sum over all buckets, in the order of charging. */
export type CreditsBalance = Pick<CreditsView, keyof typeof balance>;

/**
 * `amount`: negative for credits that were charged or removed. `clientId`: the API key of the app that charged; null for the browser. An
 * entry that returns credits has the client of its charge; an entry with a `BalanceReason` has none. `returned`: what came back of a charge,
 * where returns are joined.
 */
export const creditsEntry = rule.view({
  id: rule.text,
  amount: rule.amount,
  reason: rule.text,
  reference: rule.nullable(rule.text),
  clientId: rule.nullable(rule.uuid),
  createdAt: rule.time,
  returned: rule.mayLack(rule.view({ amount: rule.count, reason: rule.oneOf(RETURN_REASONS) })),
});
export type CreditsEntry = rule.TypeOf<typeof creditsEntry>;

/** What a client charged, and got back, for one reason on one day (YYYY-MM-DD in UTC). */
const creditsUsage = rule.view({
  day: rule.text,
  clientId: rule.nullable(rule.uuid),
  reason: rule.oneOf(SPEND_REASONS),
  charged: rule.count,
  returned: rule.count,
});
export type CreditsUsage = rule.TypeOf<typeof creditsUsage>;

const creditMails = rule.view({ enabled: rule.flag });
export type CreditMails = rule.TypeOf<typeof creditMails>;

const chunk = { limit: rule.mayLack(rule.wholeNumber.min(1).max(5_000)) };

export const creditsEndpoints = {
  /**
   * `planVersion`: the lowest acceptable version; without it, or if the stored plan is older, credits reads billing. The plan itself is not
   * part of the input.
   */
  getCredits: operation('GET /credits/:userId', {
    roles: ['user', 'admin', 'service'],
    self: 'userId',
    input: { planVersion: rule.mayLack(rule.wholeNumber.min(0)) },
    reply: creditsView,
  }),
  /** The balance that an app reads before its work, without past usage, in one query. */
  getBalance: byUser('GET /credits/:userId/balance', { reply: balance }),
  listHistory: byUserOrAdmin('GET /credits/:userId/history', {
    input: historyRules,
    reply: { data: rule.listOf(creditsEntry), next: rule.nextCursor },
    public: {
      creditsHistory: toUsers('/api/credits/history', { whileViewing: true }),
      userCreditsHistory: toAdmins('/api/users/:userId/credits/history', { permission: 'users.read' }),
    },
  }),
  /** Leaves out days without entries. The last USAGE_DAYS unless given; USAGE_DAYS_MAX days and USAGE_ENTRIES_MAX entries at most. */
  getUsage: byUserOrAdmin('GET /credits/:userId/usage', {
    input: rule.dayRangeRules,
    reply: { data: rule.listOf(creditsUsage) },
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
   * Makes the charge final, partly if `amount` is less than was reserved, or releases it if another operation has been charged for the same
   * contact in the meantime. A repeated commit gets the same reply; with another amount it throws `credits.reservation_ended`.
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
    input: { enabled: rule.flag },
    reply: creditMails,
    public: { setCreditMails: toUsers('/api/credits/mails') },
  }),
  /** For the link in the emails. Throws `credits.user_not_found` for a deleted user. */
  turnOffCreditMails: byService('POST /credits/:userId/mails/off', {}),
  releaseExpired: byService('POST /reservations/release-expired', {
    input: chunk,
    reply: { released: rule.count, more: rule.flag },
  }),
  resetDue: byService('POST /windows/reset-due', {
    input: chunk,
    reply: { reset: rule.count, more: rule.flag },
  }),
} as const;

/** The header with the operation id of a charge. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';

export const publicCreditsEndpoints = {
  ...addressesOf(bucketEndpoints),
  ...addressesOf(creditsEndpoints),
  credits: forUsers('GET /api/credits', { whileViewing: true, reply: creditsView }),
  /** The entries that match the filters, as CSV: the newest HISTORY_FILE_MAX, with a last line that says so if there are more. */
  exportHistory: forUsers('GET /api/credits/history.csv', { input: historyFilterRules, reply: 'text' }),
} as const;
