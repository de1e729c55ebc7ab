import Joi from 'joi';
import { now, type Context } from '../context.ts';
import { digitsOf, type CardEntry } from '../model/card.rules.ts';

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

/** A bare number stands for a card that is good in every other way. */
export const toCardEntry = (context: Context, given: CardInput): CardEntry => {
  const card = typeof given === 'string' ? { number: given } : given;
  const number = digitsOf(card.number);
  return {
    number,
    expMonth: card.exp_month ?? 12,
    expYear: card.exp_year ?? new Date(now(context) * 1000).getUTCFullYear() + 3,
    cvc: card.cvc ?? (/^3[47]/.test(number) ? '1234' : '123'),
    name: card.name ?? null,
  };
};
