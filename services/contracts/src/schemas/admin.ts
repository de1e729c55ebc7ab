import Joi from 'joi';
import { ADMIN_ROLES, type AdminRole } from '../admin-permissions.ts';
import type { EarningsPeriod } from '../earnings.ts';
import { AUDIT_PAGE_MAX, UNSUBSCRIBE_REASON_MAX } from '../limits.ts';
import { emailSchema } from './account.ts';
import { line, timeZoneSchema, wholeNumber } from './text.ts';

/** `from` (inclusive) and `to` (exclusive) are ISO 8601; `before` is an entry's id and selects older ones. */
export type AuditQuery = {
  targetId?: string;
  actorId?: string;
  action?: string;
  address?: string;
  from?: string;
  to?: string;
  before?: string;
  limit?: number;
};

const id = Joi.string().guid().empty('').messages({ 'string.guid': 'Must be an id' });
// MariaDB refuses to compare an ASCII column with a string that is not ASCII.
const asciiText = Joi.string()
  .pattern(/^[\x21-\x7e]+$/)
  .empty('')
  .messages({ 'string.pattern.base': 'Must be written in plain letters' });
const instant = Joi.string().isoDate().empty('');

/** The filters of the audit log, the same at each service and at bff. */
export const auditQuerySchema = Joi.object<AuditQuery, true>({
  targetId: id,
  actorId: id,
  action: asciiText.max(60),
  address: asciiText.max(45),
  from: instant,
  to: instant,
  before: id,
  limit: wholeNumber.min(1).max(AUDIT_PAGE_MAX),
});

export type EarningsQuery = { period: EarningsPeriod; timeZone?: string };
export const earningsRules: Joi.StrictSchemaMap<EarningsQuery> = {
  period: Joi.string<EarningsPeriod>().valid('week', 'month', 'year').required(),
  timeZone: timeZoneSchema,
};

/** A kind and an id of the provider's. */
export const alertId = Joi.string()
  .max(100)
  .pattern(/^[\x21-\x7e]+$/)
  .required();

export const adminRole = Joi.string()
  .valid(...ADMIN_ROLES)
  .required()
  .messages({ '*': 'Please choose a role' }) as Joi.StringSchema<AdminRole>;

export type NewInvitation = { email: string; role: AdminRole };
export const newInvitation = Joi.object<NewInvitation, true>({ email: emailSchema, role: adminRole });

/** `now` ends the plan at once; `period_end` lets the paid period run out and stops the renewal. */
const UNSUBSCRIBE_TIMES = ['now', 'period_end'] as const;
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
