import Joi from 'joi';

export const SPEND_REASONS = ['message_composed', 'email_found'] as const;
export type SpendReason = (typeof SPEND_REASONS)[number];
/** `reference` names what the credit was charged for (a contact, a profile URL); it appears in the history. */
export type SpendInput = { reason: SpendReason; reference?: string };

/** `holdSeconds`: the time after which an unsettled reservation is released. */
export type ReserveInput = SpendInput & { holdSeconds?: number };

export const spendSchema = Joi.object<SpendInput, true>({
  reason: Joi.string()
    .valid(...SPEND_REASONS)
    .required()
    .messages({ '*': `Please give a reason: ${SPEND_REASONS.join(' or ')}` }),
  reference: Joi.string()
    .normalize('NFC')
    .trim()
    .max(200)
    .pattern(/[\p{Cc}\p{Cs}]/u, { invert: true })
    .empty(''),
});

export const reserveSchema = spendSchema.append<ReserveInput>({
  holdSeconds: Joi.number().integer().min(1).max(3_600),
});

/** An operation id chosen by the client: 1 to 100 visible ASCII characters. The same id is charged once. */
export const idempotencyKeySchema = Joi.string()
  .pattern(/^[\x21-\x7e]{1,100}$/)
  .required();
