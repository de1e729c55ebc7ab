import Joi from 'joi';
import { PICTURE_NAME } from '../limits.ts';
import {
  PAYMENT_PROBLEMS,
  type PaymentProblemKind,
  PLANS,
  type PlanState,
  planStateSchema,
} from '../plan.ts';
import { mapFields, type ProfileFieldName, profileFields } from '../profile-fields.ts';
import {
  type AdminFields,
  adminProfileSchema,
  adminSignupSchema,
  type EditedFields,
  emailSchema,
  type ProfileFields,
} from '../schemas/account.ts';
import { count, flag, nullable, oneOf, text, time, type TypeOf, uuid, view } from '../schemas/typed.ts';

import { type None, serviceEndpoint } from './service-endpoint.ts';

/**
 * What becomes of a premium plan. `renews`: the subscription renews at the period's end. `collecting`: the period is over and its
 * renewal is not paid yet. `ends`: the paid period runs out. `granted`: an admin granted it, and it ends by itself.
 */
export const CONTINUATIONS = ['renews', 'collecting', 'ends', 'granted'] as const;
export type Continuation = (typeof CONTINUATIONS)[number];

/** `premiumUntil`: the end of premium if nothing is paid from now on. */
export type PlanOutlook = { continuation: Continuation; premiumUntil: string };

/** A user as screens show them. Times are ISO 8601; the names in snake_case are part of the agreed API (docs/product.md). */
export const userView = view({
  ...(mapFields(profileFields, () => text) as Record<ProfileFieldName, typeof text>),
  id: uuid,
  email: text,
  picture: nullable(text),
  createdAt: time,
  /** Grows with each edit. The next edit sends it back, so that concurrent edits do not overwrite each other. */
  version: count,
  plan: oneOf(PLANS),
  last_credit_reset: nullable(time),
  current_period_start: nullable(time),
  current_period_end: nullable(time),
  stripe_customer_id: nullable(text),
  composed: count,
  subscription: view({
    startDate: nullable(time),
    endDate: nullable(time),
    isPremium: flag,
    /** Null for a free plan, like `premiumUntil`. */
    continuation: nullable(oneOf(CONTINUATIONS)),
    premiumUntil: nullable(time),
  }),
});
export type UserView = TypeOf<typeof userView>;

const picture = Joi.string().pattern(PICTURE_NAME);
const newFields = adminSignupSchema.fork(['password', 'email'], (field) => field.forbidden());
const editedFields = adminProfileSchema.fork(['password', 'currentPassword', 'removePicture'], (field) =>
  field.forbidden(),
);

export type Profile = ProfileFields & {
  id: string;
  email: string;
  picture: string | null;
  createdAt: string;
  version: number;
  roleType: string;
};

export type NewProfile = Omit<Profile, 'version' | 'roleType'> & AdminFields;

/** What is left out is not changed; a `picture` of null is removed. */
export type ProfileChange = EditedFields &
  AdminFields & {
    id: string;
    picture?: string | null;
    version?: number;
  };

type PlanCopyInput = { id: string; planState: PlanState; problem?: PaymentProblemKind | null };

export const profileEndpoints = {
  storePicture: serviceEndpoint<{ picture: Uint8Array }, { name: string }>({
    method: 'POST',
    path: '/pictures',
    roles: ['anonymous', 'user', 'admin'],
    status: 201,
  }),
  sweepPictures: serviceEndpoint<None, { removed: number }>({
    method: 'POST',
    path: '/pictures/sweep',
    roles: ['service'],
  }),
  createProfile: serviceEndpoint<NewProfile, { data: Profile }>({
    method: 'POST',
    path: '/profiles',
    roles: ['anonymous', 'admin'],
    status: 201,
    input: newFields.append<NewProfile>({
      id: uuid,
      email: Joi.string().max(254).required(),
      picture: picture.allow(null).required(),
      createdAt: time,
    }),
  }),
  updateProfile: serviceEndpoint<ProfileChange, { data: Profile }>({
    method: 'PUT',
    path: '/profiles/:id',
    roles: ['user', 'admin'],
    self: 'id',
    input: editedFields.append<ProfileChange>({
      id: uuid,
      picture: picture.allow(null),
      version: Joi.number().integer().min(0),
    }),
  }),
  getProfile: serviceEndpoint<{ id: string }, { data: Profile }>({
    method: 'GET',
    path: '/profiles/:id',
    roles: ['user', 'admin', 'service'],
    self: 'id',
    input: { id: uuid },
  }),
  eraseUser: serviceEndpoint<{ id: string }, None>({
    method: 'DELETE',
    path: '/profiles/:id',
    roles: ['admin'],
    input: { id: uuid },
  }),
  /** Updates the directory's copy of a plan ahead of its event, so that the next list shows it. */
  storePlan: serviceEndpoint<PlanCopyInput, None>({
    method: 'PUT',
    path: '/profiles/:id/plan',
    roles: ['service'],
    input: {
      id: uuid,
      planState: planStateSchema,
      problem: Joi.string()
        .valid(...PAYMENT_PROBLEMS)
        .allow(null),
    },
  }),
  /** Updates profile's copy of the address ahead of its event. An older version changes nothing. */
  storeEmail: serviceEndpoint<{ id: string; email: string; version: number }, None>({
    method: 'PUT',
    path: '/profiles/:id/email',
    roles: ['service'],
    input: { id: uuid, email: emailSchema, version: Joi.number().integer().min(1).required() },
  }),
} as const;
