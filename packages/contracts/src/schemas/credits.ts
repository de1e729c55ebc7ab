import Joi from 'joi';
import { hours, inSeconds } from '../durations.ts';
import { CHARGE_MAX, HISTORY_PAGE_MAX, REFERENCE_MAX } from '../limits.ts';
import { oneMessage, type DayRange, dayRangeRules, textOrAddress, wholeNumber } from './validation.ts';

export const SPEND_REASONS = ['message_composed', 'email_found'] as const;
export type SpendReason = (typeof SPEND_REASONS)[number];

/** Why credits returned to their window. `already_paid`: the contact was paid for meanwhile; `unused`: a commit took fewer credits. */
export const RETURN_REASONS = ['released', 'expired', 'already_paid', 'unused'] as const;
export type ReturnReason = (typeof RETURN_REASONS)[number];

/**
 * Why credits beside those of the plan were added or taken away. `pack_withdrawn`: a refund or a dispute; `pack_restored`: a dispute was
 * won; `credits_granted` and `credits_revoked`: by support.
 */
export const BALANCE_REASONS = [
  'pack_bought',
  'pack_withdrawn',
  'pack_restored',
  'credits_granted',
  'credits_revoked',
] as const;
export type BalanceReason = (typeof BALANCE_REASONS)[number];

/**
 * `reference` names what the credits are charged for (a contact, a profile URL); it appears in the history. `amount`: 1 unless given;
 * all of it is charged or nothing.
 */
export type SpendInput = { reason: SpendReason; reference?: string; amount?: number };

/** `holdSeconds`: the time after which an unsettled reservation is released. */
export type ReserveInput = SpendInput & { holdSeconds?: number };

/** `amount`: the credits that stay charged, all unless given; the others return to their window. */
export type CommitInput = { amount?: number };

/** A number of JSON only: text is not read as one. */
const chargeAmount = Joi.number()
  .strict()
  .integer()
  .min(1)
  .max(CHARGE_MAX)
  .messages(oneMessage(`Please give a whole number from 1 to ${CHARGE_MAX}`));

export const spendRules: Joi.StrictSchemaMap<SpendInput> = {
  reason: Joi.string()
    .valid(...SPEND_REASONS)
    .required()
    .messages(oneMessage(`Please give a reason: ${SPEND_REASONS.join(' or ')}`)),
  reference: textOrAddress(REFERENCE_MAX)
    .normalize('NFC')
    .trim()
    .pattern(/[\p{Cc}\p{Cs}]/u, { invert: true })
    .empty(''),
  amount: chargeAmount,
};

export const commitRules: Joi.StrictSchemaMap<CommitInput> = { amount: chargeAmount };

export const reserveRules: Joi.StrictSchemaMap<ReserveInput> = {
  ...spendRules,
  holdSeconds: Joi.number()
    .integer()
    .min(1)
    .max(inSeconds(hours(1))),
};

/** What the history calls charges that no tool made. */
export const BROWSER = 'browser';

export const HISTORY_REASONS = [...SPEND_REASONS, ...RETURN_REASONS, ...BALANCE_REASONS] as const;
export type HistoryReason = (typeof HISTORY_REASONS)[number];

/** `client` is the id of an API key, or BROWSER; neither has credits that were added or taken away. */
export type HistoryFilters = DayRange & { reason?: HistoryReason; client?: string };

/** A page of entries, newest first; `cursor` is the id at which the page before ended. */
export type HistoryQuery = HistoryFilters & { limit?: number; cursor?: string };

export const historyFilterRules: Joi.StrictSchemaMap<HistoryFilters> = {
  reason: Joi.string()
    .valid(...HISTORY_REASONS)
    .messages(oneMessage('There is no such action')),
  client: Joi.string()
    .guid({ separator: '-', wrapper: false })
    .lowercase()
    .allow(BROWSER)
    .messages(oneMessage(`Please give the id of an API key, or ${BROWSER}`)),
  ...dayRangeRules,
};

export const historyRules: Joi.StrictSchemaMap<HistoryQuery> = {
  limit: wholeNumber.min(1).max(HISTORY_PAGE_MAX),
  cursor: Joi.string().pattern(/^\d{1,19}$/),
  ...historyFilterRules,
};

/** An operation id chosen by the client: 1 to 100 visible ASCII characters. The same id is charged once. */
export const idempotencyKeySchema = Joi.string()
  .pattern(/^[\x21-\x7e]{1,100}$/)
  .required();
