import { days } from '@shortlist/contracts/durations';
import { paidUntil } from './plan-model.ts';
import { currentOf } from './stripe-model.ts';
import type { Customer } from './actions.ts';

/** One user with what the model expects of them. */
export type UserHistory = Customer & {
  userId: string;
  grantedUntil: number;
  /** When everything that had been paid was ended at once. */
  revokedAt: number | null;
  /** How many payments were recorded again, because their rows had been lost. */
  recordedAgain: number;
  isPremium: boolean;
  isDeleted: boolean;
  /** When a checkout was paid after the deletion. */
  paidLateAt: number | null;
  /** How often premium has ended. */
  ended: number;
  /** The actions so far, for the message of a difference. */
  log: string[];
};

export const newHistory = (
  userId: string,
  now: number,
  { retryDays, voidsUnpaid }: Pick<Customer['model'], 'retryDays' | 'voidsUnpaid'>,
): UserHistory => ({
  userId,
  customerId: '',
  model: { now, retryDays, voidsUnpaid, cardIsGood: true, subscriptions: [], packs: [] },
  grantedUntil: 0,
  revokedAt: null,
  recordedAgain: 0,
  isPremium: false,
  isDeleted: false,
  paidLateAt: null,
  ended: 0,
  log: [],
});

const premiumUntil = ({ model, grantedUntil, revokedAt }: UserHistory): number =>
  Math.max(paidUntil(model, revokedAt), grantedUntil);

/** Compares the plan with that of the last look, and counts an end of premium. */
export const lookAtPlan = (user: UserHistory): void => {
  const isPremium = user.model.now < premiumUntil(user);
  if (user.isPremium && !isPremium && !user.isDeleted) user.ended += 1;
  user.isPremium = isPremium;
};

/** Whether Stripe renews the plan before it delivers the events of an action, a day later. */
const renewsFirst = ({ model }: UserHistory): boolean => {
  const current = currentOf(model);
  if (current === null || !model.cardIsGood) return false;
  const { status, cancelsAtEnd, pause, sellsPlan } = current;
  const isRenewed = status === 'active' && !cancelsAtEnd && pause === null && sellsPlan;
  return isRenewed && current.periodEnd <= model.now + days(1);
};

/** The same after an action. What it changes is not seen here when the next day undoes it: a plan that is over, or is renewed. */
export const lookAfterAction = (user: UserHistory): void => {
  const isSeen = user.isPremium ? !renewsFirst(user) : premiumUntil(user) > user.model.now + days(1);
  if (isSeen) lookAtPlan(user);
};
