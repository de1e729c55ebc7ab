import Joi from 'joi';
import { RETURN_REASONS, SPEND_REASONS } from '../api/credits.ts';
import { PLANS } from '../plan.ts';
import * as rule from '../schemas/validation.ts';
import { type DataOf, defineEvent } from './define.ts';

/** A window of credits: `limit` credits may be charged from `windowStart` until `windowEnd`. */
const window = {
  plan: rule.oneOf(PLANS),
  limit: rule.count,
  used: rule.count,
  windowStart: rule.time,
  windowEnd: rule.time,
};
export type CreditWindowData = DataOf<typeof creditsReset>;

/** `mail`: whether the user wants emails about credits. `available`: the credits left in all buckets. Older events lack both. */
const warning = {
  ...window,
  available: Joi.number()
    .integer()
    .min(0)
    .default(({ limit, used }: CreditWindowData) => limit - used),
  mail: Joi.boolean().default(true),
};
export type CreditWarningData = DataOf<typeof creditsLow>;

const kind = rule.oneOf(['pack', 'grant']);

/** A grant or a pack after the change. `usable`: how many credits it allows in all, including used ones. */
const bucket = {
  bucketId: rule.nonEmptyText,
  kind,
  credits: rule.count,
  usable: rule.count,
  used: rule.count,
  endsAt: rule.nullable(rule.time),
};
export type CreditBucketData = DataOf<typeof creditsGranted>;

export const creditsReset = defineEvent('credits.CreditsReset.v1', {
  summary: 'A window opened, by a payment, a grant, or the end of a plan or free window.',
  data: window,
});

/** Every charge emits an event, which only open pages need, and a restore of the ledger. */
const CHARGES = 'credits.charges';

/**
 * What the ledger says of a charge. `bucketId`: what opened the bucket of the plan; `parts`: how the amount is divided, with the sources of the
 * buckets; `reservation`: null for a charge for good.
 */
const charge = rule.view({
  operationId: rule.nonEmptyText,
  amount: rule.count,
  requestedAmount: rule.count,
  reason: rule.oneOf(SPEND_REASONS),
  reference: rule.nullable(rule.nonEmptyText),
  clientId: rule.nullable(rule.nonEmptyText),
  bucketId: rule.nonEmptyText,
  parts: rule.listOf(rule.view({ source: rule.nonEmptyText, position: rule.amount, amount: rule.count })),
  reservation: rule.nullable(rule.view({ id: rule.nonEmptyText, holdSeconds: rule.count })),
});
export type ChargeData = rule.TypeOf<typeof charge>;

/** `committedAmount`: the number that a commit named; null after a release or the expiry. */
const returned = rule.view({
  reservationId: rule.nonEmptyText,
  amount: rule.count,
  committedAmount: rule.nullable(rule.count),
  reason: rule.oneOf(RETURN_REASONS),
});

/** Null in events that were published before the field existed. */
const orUnknown = <Schema extends Joi.Schema>(schema: Schema) =>
  rule.ofType<rule.TypeOf<Schema> | null>(schema.optional().allow(null).default(null));

export const creditsSpent = defineEvent('credits.CreditsSpent.v1', {
  topic: CHARGES,
  summary: 'Credits were charged, for good or for a reservation.',
  data: { ...window, charge: orUnknown(charge) },
});
export type CreditsSpent = DataOf<typeof creditsSpent>;

export const creditReleased = defineEvent('credits.CreditReleased.v1', {
  topic: CHARGES,
  summary:
    'Reserved credits were returned: the reservation was released, expired, committed in part, or committed for a contact charged meanwhile.',
  data: { ...window, returned: orUnknown(returned) },
});
export type CreditReleased = DataOf<typeof creditReleased>;

export const creditsLow = defineEvent('credits.CreditsLow.v1', {
  summary:
    'A charge left, in all buckets, at most a fifth of the window. Emitted once per window, and never after `CreditsExhausted`.',
  data: warning,
});

export const creditsExhausted = defineEvent('credits.CreditsExhausted.v1', {
  summary: 'The last credit of a window and of all other buckets was charged. Emitted once per window.',
  data: warning,
});

export const creditsGranted = defineEvent('credits.CreditsGranted.v1', {
  summary: 'An admin gave a user credits.',
  data: bucket,
});

export const creditBucketChanged = defineEvent('credits.CreditBucketChanged.v1', {
  summary: 'A pack was added or changed, or an admin took back a grant.',
  data: bucket,
});

export const balanceChanged = defineEvent('credits.BalanceChanged.v1', {
  summary:
    'A pack was bought, refunded, disputed or restored, or an admin gave credits or took them back, and `added` is what that made of the balance, negative for what it took away. A change that makes no difference emits none.',
  data: {
    bucketId: rule.nonEmptyText,
    kind,
    endsAt: rule.nullable(rule.time),
    /** Negative if credits were removed. */
    added: rule.amount,
    available: rule.count,
  },
});
export type BalanceChanged = DataOf<typeof balanceChanged>;
