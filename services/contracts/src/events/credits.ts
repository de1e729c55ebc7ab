import Joi from 'joi';
import type { Plan } from '../plan.ts';
import { time } from '../schemas/text.ts';
import { defineEvent } from './define.ts';

/** A window of credits: `limit` may be spent from `windowStart` until `windowEnd`. */
export type CreditWindowData = {
  plan: Plan;
  limit: number;
  used: number;
  windowStart: string;
  windowEnd: string;
};

const window = Joi.object<CreditWindowData, true>({
  plan: Joi.string().valid('premium', 'free').required(),
  limit: Joi.number().integer().min(0).required(),
  used: Joi.number().integer().min(0).required(),
  windowStart: time,
  windowEnd: time,
});

export const creditsReset = defineEvent<CreditWindowData>('credits.CreditsReset.v1', {
  summary:
    'A new window of credits opened: a payment, a grant, the end of a plan, or thirty free days gone by.',
  data: window,
});

export const creditsSpent = defineEvent<CreditWindowData>('credits.CreditsSpent.v1', {
  summary: 'A credit was spent, or came back.',
  data: window,
});

export const creditsExhausted = defineEvent<CreditWindowData>('credits.CreditsExhausted.v1', {
  summary: 'The last credit of a window was spent. Once per window.',
  data: window,
});
