import Joi from 'joi';
import { PICTURE_NAME } from '../limits.ts';
import { PAYMENT_PROBLEMS, PLANS, planStateSchema } from '../plan.ts';
import { type AdminFieldName, mapFields, type ProfileFieldName, profileFields } from '../profile-fields.ts';
import {
  type AdminFields,
  adminProfileSchema,
  adminSignupSchema,
  type EditedFields,
  emailSchema,
} from '../schemas/account.ts';
import {
  bytes,
  count,
  flag,
  mayLack,
  nullable,
  ofType,
  oneOf,
  text,
  time,
  type TypeOf,
  uuid,
  view,
} from '../schemas/validation.ts';
import { operationsOf } from './operation.ts';

/** `collecting`: the period is over and its renewal not paid yet. `ends`: the paid period runs out. `granted`: by an admin, with an end. */
export const CONTINUATIONS = ['renews', 'collecting', 'ends', 'granted'] as const;
export type Continuation = (typeof CONTINUATIONS)[number];

/** `premiumUntil`: the end of premium if nothing is paid from now on. */
export const planOutlook = view({ continuation: oneOf(CONTINUATIONS), premiumUntil: time });
export type PlanOutlook = TypeOf<typeof planOutlook>;

/** Times are ISO 8601. */
const profile = {
  ...(mapFields(profileFields, () => text) as Record<ProfileFieldName, typeof text>),
  id: uuid,
  email: text,
  picture: nullable(text),
  createdAt: time,
  /** Grows with each edit. The next edit sends it back, so that concurrent edits do not overwrite each other. */
  version: count,
};
export type Profile = TypeOf<typeof profile>;

/** A user as screens show them. The names in snake_case are part of the agreed API (docs/product.md). */
export const userView = view({
  ...profile,
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

export type NewProfile = Omit<Profile, 'version' | AdminFieldName> & AdminFields;

/** What is left out is not changed; a `picture` of null is removed. */
export type ProfileChange = EditedFields &
  AdminFields & { id: string; picture?: string | null; version?: number };

const operation = operationsOf('profile');
const byService = operationsOf('profile', { roles: ['service'] });

export const profileEndpoints = {
  storePicture: operation('POST /pictures', {
    roles: ['anonymous', 'user', 'admin'],
    status: 201,
    input: { picture: bytes },
    reply: { name: text },
  }),
  sweepPictures: byService('POST /pictures/sweep', { reply: { removed: count } }),
  createProfile: operation('POST /profiles', {
    roles: ['anonymous', 'admin'],
    status: 201,
    input: ofType<NewProfile>(
      newFields.append({
        id: uuid,
        email: Joi.string().max(254).required(),
        picture: picture.allow(null).required(),
        createdAt: time,
      }),
    ),
    reply: { data: view(profile) },
  }),
  updateProfile: operation('PUT /profiles/:id', {
    roles: ['user', 'admin'],
    self: 'id',
    input: ofType<ProfileChange>(
      editedFields.append({ id: uuid, picture: picture.allow(null), version: Joi.number().integer().min(0) }),
    ),
    reply: { data: view(profile) },
  }),
  getProfile: operation('GET /profiles/:id', {
    roles: ['user', 'admin', 'service'],
    self: 'id',
    reply: { data: view(profile) },
  }),
  eraseUser: operation('DELETE /profiles/:id', { roles: ['admin'] }),
  /** Updates the directory's copy of a plan ahead of its event, so that the next list shows it. */
  storePlan: byService('PUT /profiles/:id/plan', {
    input: { planState: planStateSchema, problem: mayLack(nullable(oneOf(PAYMENT_PROBLEMS))) },
  }),
  /** Updates profile's copy of the address ahead of its event. An older version changes nothing. */
  storeEmail: byService('PUT /profiles/:id/email', {
    input: { email: emailSchema, version: Joi.number().integer().min(1).required() },
  }),
} as const;
