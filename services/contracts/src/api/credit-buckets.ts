// Credits beside those of the plan: packs, and grants by an admin. How they are charged: docs/product.md.
import Joi from 'joi';
import { CREDIT_GRANT_MAX, CREDIT_GRANT_REASON_MAX } from '../limits.ts';
import {
  oneMessage,
  amount,
  count,
  day,
  line,
  listOf,
  nullableText,
  nullableTime,
  oneOf,
  text,
  time,
  uuid,
  view,
} from '../schemas/validation.ts';
import { forAdmins, forUsers } from './public-endpoint.ts';
import { type None, serviceEndpoint } from './service-endpoint.ts';

export const BUCKET_KINDS = ['plan', 'grant', 'pack'] as const;
export type BucketKind = (typeof BUCKET_KINDS)[number];

/**
 * A bucket of credits. `credits`: what it had at first; `available`: what may be charged now, which is less than the rest of them for a
 * pack that was refunded in part. `endsAt` is null for a pack, and for the plan's until the first charge. The plan's has the id `plan`.
 */
export type CreditBucket = {
  id: string;
  kind: BucketKind;
  credits: number;
  used: number;
  available: number;
  endsAt: string | null;
};

/** A grant or a pack as an admin sees it, also once it has ended. `isOver`: it was revoked or refunded, or has ended. */
export type BucketRecord = CreditBucket & {
  isOver: boolean;
  createdAt: string;
  /** Both null for a pack. */
  reason: string | null;
  grantedBy: string | null;
};

/** What an admin gives; `lastDay` (YYYY-MM-DD, in UTC) is the last one on which the credits can be used. */
export type CreditGrantInput = { credits: number; lastDay: string; reason: string };

const bucket: Record<keyof CreditBucket, Joi.Schema> = {
  id: Joi.string().required(),
  kind: oneOf(BUCKET_KINDS),
  credits: count,
  used: count,
  available: count,
  endsAt: nullableTime,
};

export const creditBuckets = listOf(view<CreditBucket>(bucket));

const bucketRecord = view<BucketRecord>({
  ...bucket,
  isOver: Joi.boolean().required(),
  createdAt: time,
  reason: nullableText,
  grantedBy: nullableText,
});

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

/** What a user has: the buckets that can be charged, in their order, and every grant and pack, the newest first. */
export type UserBuckets = { available: number; buckets: CreditBucket[]; records: BucketRecord[] };

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
      data: view<UserBuckets>({ available: count, buckets: creditBuckets, records: listOf(bucketRecord) }),
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
  creditPacks: forUsers<None, { data: PacksView }>({
    method: 'GET',
    path: '/api/credits/packs',
    whileViewing: true,
    reply: {
      data: Joi.object({ offer: packOffer.allow(null), packs: listOf(creditPack) }).required(),
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
