import Joi from 'joi';
import type { EarningsView } from '../earnings.ts';
import { PLANS } from '../plan.ts';
import { listedFields, type ListedFieldName, mapFields } from '../profile-fields.ts';
import {
  amount,
  count,
  flag,
  listOf,
  nullableText,
  nullableTime,
  oneOf,
  text,
  view,
} from '../schemas/replies.ts';
import { time, uuid } from '../schemas/text.ts';
import { ALERT_KINDS, type AlertView, STRIPE_CHECKS, type StripeCheck, type StripeSetup } from '../system.ts';
import type { UserView } from './user-view.ts';

/** A row of the admin's user list. `plan` is a copy for display and filters; entitlements never depend on it. */
export type DirectoryRow = Pick<
  UserView,
  'id' | 'email' | 'picture' | 'createdAt' | 'plan' | ListedFieldName
>;

/** `total` is exact, unless `isCapped`: counting stops at DIRECTORY_COUNT_MAX. */
export type DirectoryPage = { data: DirectoryRow[]; total: number; isCapped: boolean; next: string | null };

/** The numbers of all users and of the premium ones. `countedAt`: a large directory is not counted for every request. */
export type DirectoryTotals = { registered: number; premium: number; countedAt: string };

export const directoryRow = view<DirectoryRow>({
  ...(mapFields(listedFields, () => text) as Record<ListedFieldName, Joi.Schema>),
  id: uuid,
  email: text,
  picture: nullableText,
  createdAt: time,
  plan: oneOf(PLANS),
});
export const directoryTotals = view<DirectoryTotals>({ registered: count, premium: count, countedAt: time });

const sums = { earnings: amount, expenses: amount };
export const earningsView = view<EarningsView>({
  ...sums,
  currency: text,
  from: time,
  to: time,
  buckets: listOf(Joi.object({ ...sums, start: text })),
  others: listOf(Joi.object({ ...sums, currency: text })),
  unknownFees: count,
});

export const alertView = view<AlertView>({
  id: text,
  kind: oneOf(ALERT_KINDS),
  userId: nullableText,
  objectId: text,
  amount: amount.allow(null),
  currency: nullableText,
  detail: nullableText,
  raisedAt: time,
  resolvedAt: nullableTime,
});
export const systemView = Joi.object({
  stripe: view<StripeSetup>({
    checkedAt: nullableTime,
    checks: listOf(view<StripeCheck>({ name: oneOf(STRIPE_CHECKS), ok: flag.allow(null), detail: text })),
  }),
  alerts: listOf(alertView),
}).required();
