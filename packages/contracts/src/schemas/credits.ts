import Joi from 'joi';
import { hours, inSeconds } from '../durations.ts';
import { CHARGE_MAX, HISTORY_PAGE_MAX, REFERENCE_MAX } from '../limits.ts';
import { mayLack, ofNumber, ofText, oneOf, type Shape } from './typed.ts';
import { oneMessage, dayRangeRules, textOrAddress, wholeNumber } from './validation.ts';

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

/** A number of JSON only: text is not read as one. */
const chargeAmount = ofNumber(
  Joi.number()
    .strict()
    .integer()
    .min(1)
    .max(CHARGE_MAX)
    .required()
    .messages(oneMessage(`Please give a whole number from 1 to ${CHARGE_MAX}`)),
);

/**
 * `reference` names what the credits are charged for (a contact, a profile URL); it appears in the history. `amount`: 1 unless given;
 * all of it is charged or nothing.
 */
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
export type SpendInput = Shape<typeof spendRules>;

/** `amount`: the credits that stay charged, all unless given; the others return to their window. */
export const commitRules = { amount: mayLack(chargeAmount) };
export type CommitInput = Shape<typeof commitRules>;

/** `holdSeconds`: the time after which an unsettled reservation is released. */
export const reserveRules = {
  ...spendRules,
  holdSeconds: mayLack(
    ofNumber(
      Joi.number()
        .integer()
        .min(1)
        .max(inSeconds(hours(1))),
    ),
  ),
};
export type ReserveInput = Shape<typeof reserveRules>;

/** What the history calls charges that no tool made. */
export const BROWSER = 'browser';

export const HISTORY_REASONS = [...SPEND_REASONS, ...RETURN_REASONS, ...BALANCE_REASONS] as const;

/** `client` is the id of an API key, or BROWSER; neither has credits that were added or taken away. */
export const historyFilterRules = {
  reason: mayLack(oneOf(HISTORY_REASONS).messages(oneMessage('There is no such action'))),
  client: mayLack(
    ofText(
      Joi.string()
        .guid({ separator: '-', wrapper: false })
        .lowercase()
        .allow(BROWSER)
        .messages(oneMessage(`Please give the id of an API key, or ${BROWSER}`)),
    ),
  ),
  ...dayRangeRules,
};
export type HistoryFilters = Shape<typeof historyFilterRules>;

/** A page of entries, newest first; `cursor` is the id at which the page before ended. */
export const historyRules = {
  limit: mayLack(wholeNumber.min(1).max(HISTORY_PAGE_MAX)),
  cursor: mayLack(ofText(Joi.string().pattern(/^\d{1,19}$/))),
  ...historyFilterRules,
};
export type HistoryQuery = Shape<typeof historyRules>;

/** An operation id chosen by the client: 1 to 100 visible ASCII characters. The same id is charged once. */
export const idempotencyKeySchema = Joi.string()
  .pattern(/^[\x21-\x7e]{1,100}$/)
  .required();
