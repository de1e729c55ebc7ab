// Credits beside those of the plan: packs, and grants by an admin. How they are charged: docs/product.md.
import Joi from 'joi';
import { CREDIT_GRANT_MAX, CREDIT_GRANT_REASON_MAX } from '../limits.ts';
import {
  amount,
  count,
  flag,
  listOf,
  nullable,
  nonEmptyText,
  ofNumber,
  ofText,
  oneOf,
  type Shape,
  text,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/typed.ts';
import { oneMessage, day, line } from '../schemas/validation.ts';
import { forUsers, operationsOf, toAdmins } from './operation.ts';

export const BUCKET_KINDS = ['plan', 'grant', 'pack'] as const;

const bucket = {
  id: nonEmptyText,
  kind: oneOf(BUCKET_KINDS),
  credits: count,
  used: count,
  available: count,
  endsAt: nullable(time),
};

/**
 * A bucket of credits. `credits`: what it had at first; `available`: what may be charged now, which is less than the rest of them for a
 * pack that was refunded in part. `endsAt` is null for a pack, and for the plan's until the first charge. The plan's has the id `plan`.
 */
const creditBucket = view(bucket);
export type CreditBucket = TypeOf<typeof creditBucket>;
export const creditBuckets = listOf(creditBucket);

/** A grant or a pack as an admin sees it, also once it has ended. `isOver`: it was revoked or refunded, or has ended. */
const bucketRecord = view({
  ...bucket,
  isOver: flag,
  createdAt: time,
  /** Both null for a pack. */
  reason: nullable(text),
  grantedBy: nullable(text),
});
export type BucketRecord = TypeOf<typeof bucketRecord>;

/** What a user has: the buckets that can be charged, in their order, and every grant and pack, the newest first. */
const userBuckets = view({ available: count, buckets: creditBuckets, records: listOf(bucketRecord) });
export type UserBuckets = TypeOf<typeof userBuckets>;

/** What an admin gives; `lastDay` (YYYY-MM-DD, in UTC) is the last one on which the credits can be used. */
const grantRules = {
  credits: ofNumber(
    Joi.number()
      .strict()
      .integer()
      .min(1)
      .max(CREDIT_GRANT_MAX)
      .required()
      .messages(oneMessage(`Please give a whole number from 1 to ${CREDIT_GRANT_MAX}`)),
  ),
  lastDay: day,
  reason: line({ required: 'Please give a reason' }, { max: CREDIT_GRANT_REASON_MAX }),
};
export type CreditGrantInput = Shape<typeof grantRules>;

const ofUser = { userId: uuid };
/** The id of a grant is chosen by the client, so that a repeated request grants nothing twice. */
const ofGrant = { ...ofUser, grantId: uuid };
const GRANT_PATH = '/api/users/:userId/credit-grants/:grantId';
const ofCredits = operationsOf('credits');

export const bucketEndpoints = {
  listBuckets: ofCredits('GET /credits/:userId/buckets', {
    roles: ['admin'],
    input: ofUser,
    reply: { data: userBuckets },
    public: { userBuckets: toAdmins('/api/users/:userId/buckets', { permission: 'users.read' }) },
  }),
  grantCredits: ofCredits('PUT /credits/:userId/grants/:grantId', {
    roles: ['admin'],
    input: { ...ofGrant, ...grantRules },
    reply: { data: bucketRecord },
    public: { grantCredits: toAdmins(GRANT_PATH, { permission: 'credits.adjust', recent: true }) },
  }),
  revokeCredits: ofCredits('DELETE /credits/:userId/grants/:grantId', {
    roles: ['admin'],
    input: ofGrant,
    reply: { data: bucketRecord },
    public: { revokeCredits: toAdmins(GRANT_PATH, { permission: 'credits.adjust', recent: true }) },
  }),
} as const;

/** `disputed`: the bank decides about the payment, or has decided for the payer. */
export const PACK_STATES = ['paid', 'partly_refunded', 'refunded', 'disputed'] as const;

/** What a pack costs once, in minor units of `currency`. */
const packOffer = view({ credits: count, amount: count, currency: text });
export type PackOffer = TypeOf<typeof packOffer>;

/**
 * A pack of credits that was paid. `amount` is what was paid, in minor units of `currency`; `paidCredits` is how many of its credits are
 * paid for now. `version` grows with every change of the pack.
 */
export const creditPack = view({
  packId: uuid,
  version: count,
  credits: count,
  paidCredits: count,
  paidAt: time,
  amount,
  currency: text,
  state: oneOf(PACK_STATES),
});
export type CreditPack = TypeOf<typeof creditPack>;

/** The packs of a user, and the one that is sold now. */
const packsView = view({ offer: nullable(packOffer), packs: listOf(creditPack) });
export type PacksView = TypeOf<typeof packsView>;

/** With name and address, since billing may not have consumed the registration yet. */
export const userDetails = {
  ...ofUser,
  email: ofText(Joi.string().max(254).required()),
  name: ofText(Joi.string().max(210).required()),
};

/** The id of an object at Stripe. */
export const stripeId = ofText(
  Joi.string()
    .pattern(/^[A-Za-z0-9_]{1,100}$/)
    .required(),
);

const ofBilling = operationsOf('billing');

export const packEndpoints = {
  /** Null while no pack is sold. */
  getPackOffer: ofBilling('GET /pack-offer', {
    roles: ['user', 'service'],
    reply: { data: nullable(packOffer) },
  }),
  /** Oldest first. A user without packs has an empty list. */
  listCreditPacks: ofBilling('GET /packs/:userId', {
    roles: ['user', 'service'],
    self: 'userId',
    input: ofUser,
    reply: { data: listOf(creditPack) },
  }),
  /** Throws `billing.pack_not_offered` while no pack is sold. */
  openPackCheckout: ofBilling('POST /packs/:userId/checkout', {
    roles: ['user'],
    self: 'userId',
    input: userDetails,
    reply: { url: text },
  }),
  /** Throws `billing.checkout_not_found`, `billing.not_paid`, or `billing.pack_processing` while the payment is not confirmed. */
  confirmPackCheckout: ofBilling('POST /packs/:userId/confirm', {
    roles: ['user'],
    self: 'userId',
    input: { ...ofUser, sessionId: stripeId },
    reply: { data: creditPack },
  }),
} as const;

/** What users see of packs of credits, and how they buy one. */
export const publicPackEndpoints = {
  creditPacks: forUsers('GET /api/credits/packs', { whileViewing: true, reply: { data: packsView } }),
  buyPack: forUsers('POST /api/credits/packs/checkout', { reply: { url: text } }),
  confirmPack: forUsers('PUT /api/credits/packs/payment', {
    input: { xsl: stripeId.messages(oneMessage('This payment link is not complete')) },
    reply: { data: creditPack },
  }),
} as const;
