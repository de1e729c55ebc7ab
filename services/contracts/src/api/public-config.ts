import Joi from 'joi';
import { count, nullableText, text, view } from '../schemas/parts.ts';
import { type Price, price } from './billing.ts';

/** The configuration of this installation that the browser needs. */
export type PublicConfig = {
  brand: string;
  /** The consent that a sign-up requires, or null. `text` replaces our own; it marks links by <terms> and <privacy>. */
  consent: { version: string; text: string | null } | null;
  /** The price of the current offer, as Stripe charges it. */
  price: Price;
  /** The minimum length of a new password, in characters. */
  passwordMin: number;
  links: {
    automationBot: string;
    crm: string;
    about: string;
    support: string;
    privacy: string;
    terms: string;
    provider: string;
  };
};

export const configView = view<PublicConfig>({
  brand: text,
  consent: Joi.object({ version: text, text: nullableText }).allow(null).required(),
  price,
  passwordMin: count,
  links: view<PublicConfig['links']>({
    automationBot: text,
    crm: text,
    about: text,
    support: text,
    privacy: text,
    terms: text,
    provider: text,
  }),
});
