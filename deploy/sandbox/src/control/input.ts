import Joi from 'joi';
import { type Context, now } from '../context.ts';
import { type CardEntry, digitsOf } from '../model/card.rules.ts';
import { invalidRequest } from '../model/errors.ts';

export const readBody = <T>(schema: Joi.ObjectSchema<T>, body: unknown): T => {
  const result = schema.validate(body ?? {}, { abortEarly: false });
  if (result.error) throw invalidRequest({ message: result.error.message });
  return result.value;
};

type CardObject = {
  number: string;
  exp_month?: number;
  exp_year?: number;
  cvc?: string;
  name?: string;
};

export type CardInput = string | CardObject;

export const cardSchema = Joi.alternatives<CardInput>(
  Joi.string(),
  Joi.object({
    number: Joi.string().required(),
    exp_month: Joi.number().integer(),
    exp_year: Joi.number().integer(),
    cvc: Joi.string().allow(''),
    name: Joi.string(),
  }),
);

/** Fills missing fields with valid values, so that a test can pass a card number alone. */
export const toCardEntry = (context: Context, input: CardInput): CardEntry => {
  const card = typeof input === 'string' ? { number: input } : input;
  const number = digitsOf(card.number);
  return {
    number,
    expMonth: card.exp_month ?? 12,
    expYear: card.exp_year ?? new Date(now(context) * 1000).getUTCFullYear() + 3,
    cvc: card.cvc ?? (/^3[47]/.test(number) ? '1234' : '123'),
    name: card.name ?? null,
  };
};
