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
import * as rule from '../schemas/validation.ts';
import { ACCOUNT_COPIES_MAX, accountCopy } from './identity.ts';
import { addressesOf, operationsOf, toAdmins } from './operation.ts';

/**
 * `collecting`: the period is over and its renewal is not paid yet. `ends`: premium ends with the paid period. `granted`: an admin granted
 * premium until a date.
 */
export const CONTINUATIONS = ['renews', 'collecting', 'ends', 'granted'] as const;
export type Continuation = (typeof CONTINUATIONS)[number];

/** `premiumUntil`: when premium ends without a further payment. */
export const planContinuation = rule.view({
  continuation: rule.oneOf(CONTINUATIONS),
  premiumUntil: rule.time,
});
export type PlanContinuation = rule.TypeOf<typeof planContinuation>;

/** Times are ISO 8601. */
const profile = {
  ...(mapFields(profileFields, () => rule.text) as Record<ProfileFieldName, typeof rule.text>),
  id: rule.uuid,
  email: rule.text,
  picture: rule.nullable(rule.text),
  createdAt: rule.time,
  /** Grows with each edit. The next edit sends it back, so that concurrent edits do not overwrite each other. */
  version: rule.count,
};
export type Profile = rule.TypeOf<typeof profile>;

/** A user as screens show them. The names in snake_case are part of the agreed API (docs/product.md). */
export const userView = rule.view({
  ...profile,
  plan: rule.oneOf(PLANS),
  last_credit_reset: rule.nullable(rule.time),
  current_period_start: rule.nullable(rule.time),
  current_period_end: rule.nullable(rule.time),
  stripe_customer_id: rule.nullable(rule.text),
  composed: rule.count,
  subscription: rule.view({
    startDate: rule.nullable(rule.time),
    endDate: rule.nullable(rule.time),
    isPremium: rule.flag,
    /** Null for a free plan, like `premiumUntil`. */
    continuation: rule.nullable(rule.oneOf(CONTINUATIONS)),
    premiumUntil: rule.nullable(rule.time),
  }),
});
export type UserView = rule.TypeOf<typeof userView>;

const picture = Joi.string().pattern(PICTURE_NAME);
const newFields = adminSignupSchema.fork(['password', 'email'], (field) => field.forbidden());
const editedFields = adminProfileSchema.fork(['password', 'currentPassword', 'removePicture'], (field) =>
  field.forbidden(),
);

export type NewProfile = Omit<Profile, 'version' | AdminFieldName> & AdminFields;

/** Omitted fields do not change; a `picture` of null removes the picture. */
export type ProfileChange = EditedFields &
  AdminFields & { id: string; picture?: string | null; version?: number };

const operation = operationsOf('profile');
const byService = operationsOf('profile', { roles: ['service'] });

export const profileEndpoints = {
  storePicture: operation('POST /pictures', {
    roles: ['anonymous', 'user', 'admin'],
    status: 201,
    input: { picture: rule.bytes },
    reply: { name: rule.text },
  }),
  sweepPictures: byService('POST /pictures/sweep', { reply: { removed: rule.count } }),
  createProfile: operation('POST /profiles', {
    roles: ['anonymous', 'admin'],
    status: 201,
    input: rule.ofType<NewProfile>(
      newFields.append({
        id: rule.uuid,
        email: Joi.string().max(254).required(),
        picture: picture.allow(null).required(),
        createdAt: rule.time,
      }),
    ),
    reply: { data: rule.view(profile) },
  }),
  updateProfile: operation('PUT /profiles/:id', {
    roles: ['user', 'admin'],
    self: 'id',
    input: rule.ofType<ProfileChange>(
      editedFields.append({
        id: rule.uuid,
        picture: picture.allow(null),
        version: Joi.number().integer().min(0),
      }),
    ),
    reply: { data: rule.view(profile) },
  }),
  getProfile: operation('GET /profiles/:id', {
    roles: ['user', 'admin', 'service'],
    self: 'id',
    reply: { data: rule.view(profile) },
    public: { userProfile: toAdmins('/api/users/:id/profile', { permission: 'users.read' }) },
  }),
  eraseUser: operation('DELETE /profiles/:id', { roles: ['admin'] }),
  /** What profile knows of the accounts, a page of ACCOUNT_COPIES_MAX by id. `next`: null on the last page. */
  listAccountCopies: byService('GET /account-copies', {
    input: { after: rule.mayLack(rule.uuid) },
    reply: { data: rule.listOf(accountCopy), next: rule.nullable(rule.uuid) },
  }),
  /** Emits ProfileUpdated for these profiles as they are, for services that have lost their users. */
  stateProfiles: byService('POST /profiles/state', {
    input: { ids: rule.listOf(rule.uuid).max(ACCOUNT_COPIES_MAX) },
  }),
  /** Updates the directory's copy of a plan ahead of the event, so that the next list shows it. */
  storePlan: byService('PUT /profiles/:id/plan', {
    input: { planState: planStateSchema, problem: rule.mayLack(rule.nullable(rule.oneOf(PAYMENT_PROBLEMS))) },
  }),
  /** Updates profile's copy of the email ahead of the event. An older version changes nothing. */
  storeEmail: byService('PUT /profiles/:id/email', {
    input: { email: emailSchema, version: Joi.number().integer().min(1).required() },
  }),
} as const;

export const publicProfileEndpoints = addressesOf(profileEndpoints);
