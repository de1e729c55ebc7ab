import Joi from 'joi';
import { amount, count, listOf, oneOf, text, time, uuid, view } from '../schemas/parts.ts';
import { forUsers } from './public-endpoint.ts';
import { serviceEndpoint } from './service-endpoint.ts';

/** `disputed`: the bank decides about the payment, or has decided for the payer. */
export const PACK_STATES = ['paid', 'partly_refunded', 'refunded', 'disputed'] as const;
type PackState = (typeof PACK_STATES)[number];

/**
 * A pack of credits that was paid. `amount` is what was paid, in minor units of `currency`; `paidCredits` is how many of its credits are
 * paid for now. `version` grows with every change of the pack.
 */
export type CreditPack = {
  packId: string;
  version: number;
  credits: number;
  paidCredits: number;
  paidAt: string;
  amount: number;
  currency: string;
  state: PackState;
};

/** What a pack costs once, in minor units of `currency`. */
export type PackOffer = { credits: number; amount: number; currency: string };

type ForUser = { userId: string };
/** With name and address, since billing may not have consumed the registration yet. */
type UserDetails = ForUser & { email: string; name: string };

const sessionId = Joi.string()
  .pattern(/^[A-Za-z0-9_]{1,100}$/)
  .required();

export const packEndpoints = {
  /** Null while no pack is sold. */
  getPackOffer: serviceEndpoint<Record<never, never>, { data: PackOffer | null }>({
    method: 'GET',
    path: '/pack-offer',
    roles: ['user', 'service'],
  }),
  /** Oldest first. A user without packs has an empty list. */
  listCreditPacks: serviceEndpoint<ForUser, { data: CreditPack[] }>({
    method: 'GET',
    path: '/packs/:userId',
    roles: ['user', 'service'],
    self: 'userId',
    input: { userId: uuid },
  }),
  /** Throws `billing.pack_not_offered` while no pack is sold. */
  openPackCheckout: serviceEndpoint<UserDetails, { url: string }>({
    method: 'POST',
    path: '/packs/:userId/checkout',
    roles: ['user'],
    self: 'userId',
    input: { userId: uuid, email: Joi.string().max(254).required(), name: Joi.string().max(210).required() },
  }),
  /** Throws `billing.checkout_not_found`, `billing.not_paid`, or `billing.pack_processing` while the payment is not confirmed. */
  confirmPackCheckout: serviceEndpoint<ForUser & { sessionId: string }, { data: CreditPack }>({
    method: 'POST',
    path: '/packs/:userId/confirm',
    roles: ['user'],
    self: 'userId',
    input: { userId: uuid, sessionId },
  }),
} as const;

const packOffer = view<PackOffer>({ credits: count, amount: count, currency: text });

export const creditPack = view<CreditPack>({
  packId: uuid,
  version: count,
  credits: count,
  paidCredits: count,
  paidAt: time,
  amount,
  currency: text,
  state: oneOf(PACK_STATES),
});

/** The packs of a user, and the one that is sold now. */
export type PacksView = { offer: PackOffer | null; packs: CreditPack[] };

/** What users see of packs of credits, and how they buy one. */
export const publicPackEndpoints = {
  creditPacks: forUsers<Record<never, never>, { data: PacksView }>({
    method: 'GET',
    path: '/api/credits/packs',
    whileViewing: true,
    reply: {
      data: Joi.object({ offer: packOffer.allow(null), packs: listOf(creditPack) }).required(),
    },
  }),
  buyPack: forUsers<Record<never, never>, { url: string }>({
    method: 'POST',
    path: '/api/credits/packs/checkout',
    reply: { url: text },
  }),
  confirmPack: forUsers<{ xsl: string }, { data: CreditPack }>({
    method: 'PUT',
    path: '/api/credits/packs/payment',
    input: { xsl: sessionId.messages({ '*': 'This payment link is not complete' }) },
    reply: { data: creditPack },
  }),
} as const;
