import { DAY } from './calendar.ts';
import { paidUntil } from './plan-model.ts';
import type { Customer } from './actions.ts';

/** One user with what the model expects of them. */
export type UserHistory = Customer & {
  userId: string;
  grantedUntil: number;
  isPremium: boolean;
  isDeleted: boolean;
  /** When a checkout was paid after the deletion. */
  paidLateAt: number | null;
  expected: { paid: number; ended: number };
  /** The actions so far, for the message of a difference. */
  log: string[];
};

export const newHistory = (userId: string, now: number, retryDays: readonly number[]): UserHistory => ({
  userId,
  customerId: '',
  model: { now, retryDays, cardIsGood: true, subscriptions: [] },
  grantedUntil: 0,
  isPremium: false,
  isDeleted: false,
  paidLateAt: null,
  expected: { paid: 0, ended: 0 },
  log: [],
});

const premiumUntil = ({ model, grantedUntil }: UserHistory): number =>
  Math.max(paidUntil(model), grantedUntil);

/** Compares the plan with that of the last look, and counts an end of premium. */
export const lookAtPlan = (user: UserHistory): void => {
  const isPremium = user.model.now < premiumUntil(user);
  if (user.isPremium && !isPremium && !user.isDeleted) user.expected.ended += 1;
  user.isPremium = isPremium;
};

/** The same after an action. A plan that it begins and that is over when its events are delivered, a day later, is not seen here. */
export const lookAfterAction = (user: UserHistory): void => {
  if (user.isPremium || premiumUntil(user) > user.model.now + DAY) lookAtPlan(user);
};
