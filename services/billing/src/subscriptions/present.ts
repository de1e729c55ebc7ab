import type { SubscriptionReply } from '@shortlist/contracts/api/billing';
import { NO_PLAN, planAt } from '@shortlist/contracts/plan';
import type { LastPayment } from './invoices.ts';
import type { SubscriberRow } from './subscriber.entity.ts';
import { stateOf } from './write-plan.ts';

const presentPayment = (payment: LastPayment | null) =>
  payment && { ...payment, paidAt: payment.paidAt.toISOString() };

const NOBODY = { renews: false, customerId: null, subscriptionStatus: null };

/** A plan as its owner sees it. Somebody of whom we have not heard yet has none. */
export const presentSubscription = (
  subscriber: SubscriberRow | null,
  { lastPayment, now }: { lastPayment: LastPayment | null; now: Date },
): SubscriptionReply => {
  const planState = subscriber ? stateOf(subscriber) : NO_PLAN;
  const { plan, coverage, endsAt } = planAt(planState, now);
  const { renews, customerId, subscriptionStatus } = subscriber ?? NOBODY;
  const graceUntil = subscriptionStatus === 'past_due' ? coverage?.graceUntil : null;
  return {
    planState,
    data: {
      plan,
      periodStart: coverage?.start ?? null,
      periodEnd: endsAt,
      renews,
      graceUntil: graceUntil ?? null,
      customerId,
      lastPayment: presentPayment(lastPayment),
    },
  };
};
