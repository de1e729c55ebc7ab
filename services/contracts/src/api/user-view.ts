import type Joi from 'joi';
import { type Plan, PLANS } from '../plan.ts';
import { mapFields, type ProfileFieldName, profileFields } from '../profile-fields.ts';
import type { ProfileFields } from '../schemas/account.ts';
import { count, flag, nullableText, nullableTime, oneOf, text, view } from '../schemas/replies.ts';
import { time, uuid } from '../schemas/text.ts';

/**
 * What becomes of a premium plan. `renews`: the subscription renews at the period's end. `collecting`: the period is over and its
 * renewal is not paid yet. `ends`: the paid period runs out. `granted`: an admin granted it, and it ends by itself.
 */
export type Continuation = 'renews' | 'collecting' | 'ends' | 'granted';
/** `premiumUntil`: the end of premium if nothing is paid from now on. */
export type PlanOutlook = { continuation: Continuation; premiumUntil: string };

/** A user as screens show them. Times are ISO 8601; the names in snake_case are part of the agreed API (docs/product.md). */
export type UserView = ProfileFields & {
  id: string;
  email: string;
  picture: string | null;
  createdAt: string;
  /** Grows with each edit. The next edit sends it back, so that concurrent edits do not overwrite each other. */
  version: number;
  /** Set by admins; empty until then. */
  roleType: string;
  plan: Plan;
  last_credit_reset: string | null;
  current_period_start: string | null;
  current_period_end: string | null;
  stripe_customer_id: string | null;
  composed: number;
  subscription: {
    startDate: string | null;
    endDate: string | null;
    isPremium: boolean;
    /** Null for a free plan, like `premiumUntil`. */
    continuation: Continuation | null;
    premiumUntil: string | null;
  };
};

type FieldSchemas = Record<ProfileFieldName, Joi.Schema>;
export const userView = view<UserView>({
  ...(mapFields(profileFields, () => text) as FieldSchemas),
  id: uuid,
  email: text,
  picture: nullableText,
  createdAt: time,
  version: count,
  plan: oneOf(PLANS),
  last_credit_reset: nullableTime,
  current_period_start: nullableTime,
  current_period_end: nullableTime,
  stripe_customer_id: nullableText,
  composed: count,
  subscription: view<UserView['subscription']>({
    startDate: nullableTime,
    endDate: nullableTime,
    isPremium: flag,
    continuation: oneOf(['renews', 'collecting', 'ends', 'granted']).allow(null),
    premiumUntil: nullableTime,
  }),
});
