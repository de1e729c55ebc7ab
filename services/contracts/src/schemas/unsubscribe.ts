import Joi from 'joi';
import { UNSUBSCRIBE_REASON_MAX } from '../limits.ts';
import { line } from './text.ts';

/** `now` ends the plan at once; `period_end` lets the paid period run out and stops the renewal. */
export const UNSUBSCRIBE_TIMES = ['now', 'period_end'] as const;
export type UnsubscribeTime = (typeof UNSUBSCRIBE_TIMES)[number];

/** How an admin ends a plan. Without `when` it ends now; `reason` is for the audit log. */
export type UnsubscribeInput = { when?: UnsubscribeTime; reason?: string };

/** The rules of `UnsubscribeInput`, the same at bff and at billing. An empty body is valid. */
export const unsubscribeRules = {
  when: Joi.string()
    .valid(...UNSUBSCRIBE_TIMES)
    .messages({ '*': 'Choose now or period_end' }),
  reason: line({ required: 'Please enter a text' }, { max: UNSUBSCRIBE_REASON_MAX }).optional().empty(''),
};
