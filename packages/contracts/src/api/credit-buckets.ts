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
  oneOf,
  text,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/typed.ts';
import { oneMessage, day, line } from '../schemas/validation.ts';
import { forAdmins, forUsers } from './public-endpoint.ts';
import { type None, serviceEndpoint } from './service-endpoint.ts';

export const BUCKET_KINDS = ['plan', 'grant', 'pack'] as const;

/** What an admin gives; `lastDay` (YYYY-MM-DD, in UTC) is the last one on which the credits can be used. */
export type CreditGrantInput = { credits: number; lastDay: string; reason: string };

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

const grantRules: Joi.StrictSchemaMap<CreditGrantInput> = {
  credits: Joi.number()
    .strict()
    .integer()
    .min(1)
    .max(CREDIT_GRANT_MAX)
    .required()
    .messages(oneMessage(`Please give a whole number from 1 to ${CREDIT_GRANT_MAX}`)),
  lastDay: day.required(),
  reason: line({ required: 'Please give a reason' }, { max: CREDIT_GRANT_REASON_MAX }),
};

type ForUser = { userId: string };
/** The id of a grant is chosen by the client, so that a repeated request grants nothing twice. */
type ForGrant = ForUser & { grantId: string };
const grant = { userId: uuid, grantId: uuid };

export const bucketEndpoints = {
  listBuckets: serviceEndpoint<ForUser, { data: UserBuckets }>({
    method: 'GET',
    path: '/credits/:userId/buckets',
    roles: ['admin'],
    input: { userId: uuid },
  }),
  grantCredits: serviceEndpoint<ForGrant & CreditGrantInput, { data: BucketRecord }>({
    method: 'PUT',
    path: '/credits/:userId/grants/:grantId',
    roles: ['admin'],
    input: { ...grant, ...grantRules },
  }),
  revokeCredits: serviceEndpoint<ForGrant, { data: BucketRecord }>({
    method: 'DELETE',
    path: '/credits/:userId/grants/:grantId',
    roles: ['admin'],
    input: grant,
  }),
} as const;

/** The endpoints of credits that an admin gives. */
export const publicBucketEndpoints = {
  userBuckets: forAdmins<ForUser, { data: UserBuckets }>({
    method: 'GET',
    path: '/api/users/:userId/buckets',
    permission: 'users.read',
    input: { userId: uuid },
    reply: {
      data: userBuckets,
    },
  }),
  grantCredits: forAdmins<ForGrant & CreditGrantInput, { data: BucketRecord }>({
    method: 'PUT',
    path: '/api/users/:userId/credit-grants/:grantId',
    permission: 'credits.adjust',
    recent: true,
    input: { ...grant, ...grantRules },
    reply: { data: bucketRecord },
  }),
  revokeCredits: forAdmins<ForGrant, { data: BucketRecord }>({
    method: 'DELETE',
    path: '/api/users/:userId/credit-grants/:grantId',
    permission: 'credits.adjust',
    recent: true,
    input: grant,
    reply: { data: bucketRecord },
  }),
} as const;

/** `disputed`: the bank decides about the payment, or has decided for the payer. */
export const PACK_STATES = ['paid', 'partly_refunded', 'refunded', 'disputed'] as const;

/** With name and address, since billing may not have consumed the registration yet. */
export type UserDetails = ForUser & { email: string; name: string };
export const userDetails: Joi.StrictSchemaMap<UserDetails> = {
  userId: uuid,
  email: Joi.string().max(254).required(),
  name: Joi.string().max(210).required(),
};

/** The id of an object at Stripe. */
export const stripeId = Joi.string()
  .pattern(/^[A-Za-z0-9_]{1,100}$/)
  .required();

export const packEndpoints = {
  /** Null while no pack is sold. */
  getPackOffer: serviceEndpoint<None, { data: PackOffer | null }>({
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
    input: userDetails,
  }),
  /** Throws `billing.checkout_not_found`, `billing.not_paid`, or `billing.pack_processing` while the payment is not confirmed. */
  confirmPackCheckout: serviceEndpoint<ForUser & { sessionId: string }, { data: CreditPack }>({
    method: 'POST',
    path: '/packs/:userId/confirm',
    roles: ['user'],
    self: 'userId',
    input: { userId: uuid, sessionId: stripeId },
  }),
} as const;

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
export type PacksView = { offer: PackOffer | null; packs: CreditPack[] };

/** What users see of packs of credits, and how they buy one. */
export const publicPackEndpoints = {
  creditPacks: forUsers<None, { data: PacksView }>({
    method: 'GET',
    path: '/api/credits/packs',
    whileViewing: true,
    reply: {
      data: view({ offer: nullable(packOffer), packs: listOf(creditPack) }),
    },
  }),
  buyPack: forUsers<None, { url: string }>({
    method: 'POST',
    path: '/api/credits/packs/checkout',
    reply: { url: text },
  }),
  confirmPack: forUsers<{ xsl: string }, { data: CreditPack }>({
    method: 'PUT',
    path: '/api/credits/packs/payment',
    input: { xsl: stripeId.messages(oneMessage('This payment link is not complete')) },
    reply: { data: creditPack },
  }),
} as const;
