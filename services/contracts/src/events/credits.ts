import Joi from 'joi';
import { type Plan, PLANS } from '../plan.ts';
import { oneOf, time } from '../schemas/parts.ts';
import { defineEvent } from './define.ts';

/** A window of credits: `limit` credits may be charged from `windowStart` until `windowEnd`. */
export type CreditWindowData = {
  plan: Plan;
  limit: number;
  used: number;
  windowStart: string;
  windowEnd: string;
};

/** `mail`: whether the user wants emails about credits. An event from before it was added is mailed. */
export type CreditWarningData = CreditWindowData & { mail: boolean };

const windowRules: Joi.StrictSchemaMap<CreditWindowData> = {
  plan: oneOf(PLANS),
  limit: Joi.number().integer().min(0).required(),
  used: Joi.number().integer().min(0).required(),
  windowStart: time,
  windowEnd: time,
};

const window = Joi.object<CreditWindowData, true>(windowRules);
const warning = Joi.object<CreditWarningData, true>({ ...windowRules, mail: Joi.boolean().default(true) });

export const creditsReset = defineEvent<CreditWindowData>('credits.CreditsReset.v1', {
  summary: 'A new window of credits opened, by a payment, a grant, or the end of a plan or of a free window.',
  data: window,
});

export const creditsSpent = defineEvent<CreditWindowData>('credits.CreditsSpent.v1', {
  summary: 'Credits were charged, for good or for a reservation.',
  data: window,
});

export const creditReleased = defineEvent<CreditWindowData>('credits.CreditReleased.v1', {
  summary:
    'Reserved credits were returned to their window: the reservation was released, expired, committed in part, or committed for a contact that had been charged meanwhile.',
  data: window,
});

export const creditsLow = defineEvent<CreditWarningData>('credits.CreditsLow.v1', {
  summary:
    'A charge made the use of a window reach 80 % of its limit. Emitted once per window, and never for one that is or was exhausted.',
  data: warning,
});

export const creditsExhausted = defineEvent<CreditWarningData>('credits.CreditsExhausted.v1', {
  summary: 'The last credit of a window was charged. Emitted once per window.',
  data: warning,
});
