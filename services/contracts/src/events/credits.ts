import Joi from 'joi';
import { type Plan, PLANS } from '../plan.ts';
import { oneOf, time } from '../schemas/typed.ts';

import { defineEvent } from './define.ts';

/** A window of credits: `limit` credits may be charged from `windowStart` until `windowEnd`. */
export type CreditWindowData = {
  plan: Plan;
  limit: number;
  used: number;
  windowStart: string;
  windowEnd: string;
};

/**
 * `mail`: whether the user wants emails about credits. An event from before it was added is mailed. `available`: what is left in all
 * buckets; an event from before it was added is of a user with the window alone.
 */
export type CreditWarningData = CreditWindowData & { available: number; mail: boolean };

/** Credits beside those of the plan, after the change. `usable`: how many may be charged, including those that were. */
export type CreditBucketData = {
  bucketId: string;
  kind: 'pack' | 'grant';
  credits: number;
  usable: number;
  used: number;
  endsAt: string | null;
};

/**
 * What a pack or a grant has added to the balance; negative for what it took away. `available`: what is left in all buckets after it.
 */
export type BalanceChanged = Pick<CreditBucketData, 'bucketId' | 'kind' | 'endsAt'> & {
  added: number;
  available: number;
};

const windowRules: Joi.StrictSchemaMap<CreditWindowData> = {
  plan: oneOf(PLANS),
  limit: Joi.number().integer().min(0).required(),
  used: Joi.number().integer().min(0).required(),
  windowStart: time,
  windowEnd: time,
};

const window = Joi.object<CreditWindowData, true>(windowRules);
const warning = Joi.object<CreditWarningData, true>({
  ...windowRules,
  available: Joi.number()
    .integer()
    .min(0)
    .default(({ limit, used }: CreditWindowData) => limit - used),
  mail: Joi.boolean().default(true),
});

const whole = Joi.number().integer().min(0).required();
const bucket = Joi.object<CreditBucketData, true>({
  bucketId: Joi.string().required(),
  kind: oneOf(['pack', 'grant']),
  credits: whole,
  usable: whole,
  used: whole,
  endsAt: time.allow(null),
});

export const creditsReset = defineEvent<CreditWindowData>('credits.CreditsReset.v1', {
  summary: 'A window opened, by a payment, a grant, or the end of a plan or free window.',
  data: window,
});

export const creditsSpent = defineEvent<CreditWindowData>('credits.CreditsSpent.v1', {
  summary: 'Credits were charged, for good or for a reservation.',
  data: window,
});

export const creditReleased = defineEvent<CreditWindowData>('credits.CreditReleased.v1', {
  summary:
    'Reserved credits were returned: the reservation was released, expired, committed in part, or committed for a contact charged meanwhile.',
  data: window,
});

export const creditsLow = defineEvent<CreditWarningData>('credits.CreditsLow.v1', {
  summary:
    'A charge left, in all buckets, at most a fifth of the window. Emitted once per window, and never after `CreditsExhausted`.',
  data: warning,
});

export const creditsExhausted = defineEvent<CreditWarningData>('credits.CreditsExhausted.v1', {
  summary: 'The last credit of a window and of all other buckets was charged. Emitted once per window.',
  data: warning,
});

export const creditsGranted = defineEvent<CreditBucketData>('credits.CreditsGranted.v1', {
  summary: 'An admin gave a user credits.',
  data: bucket,
});

export const creditBucketChanged = defineEvent<CreditBucketData>('credits.CreditBucketChanged.v1', {
  summary: 'A pack was added or changed, or an admin took back a grant.',
  data: bucket,
});

export const balanceChanged = defineEvent<BalanceChanged>('credits.BalanceChanged.v1', {
  summary:
    'A pack was bought, refunded, disputed or restored, or an admin gave credits or took them back, and `added` is what that made of the balance, negative for what it took away. A change that makes no difference emits none.',
  data: Joi.object<BalanceChanged, true>({
    bucketId: Joi.string().required(),
    kind: oneOf(['pack', 'grant']),
    endsAt: time.allow(null),
    added: Joi.number().integer().required(),
    available: whole,
  }),
});
