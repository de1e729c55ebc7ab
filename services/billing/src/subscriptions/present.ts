import type { SubscriptionReply } from '@shortlist/contracts/api/billing';
import { NO_PLAN, planAt } from '@shortlist/contracts/plan';
import type { LastPayment } from './invoices.ts';
import type { SubscriberRow } from './subscriber.entity.ts';
import { stateOf } from './write-plan.ts';

/** A plan as its owner sees it. Somebody of whom we have not heard yet has none. */
export const presentSubscription = (
  subscriber: SubscriberRow | null,
  { lastPayment, now }: { lastPayment: LastPayment | null; now: Date },
): SubscriptionReply => {
  const planState = subscriber ? stateOf(subscriber) : NO_PLAN;
  const { plan, coverage, endsAt } = planAt(planState, now);
  const collecting = subscriber?.subscriptionStatus === 'past_due';
  return {
    planState,
    data: {
      plan,
      periodStart: coverage?.start ?? null,
      periodEnd: endsAt,
      renews: subscriber?.renews ?? false,
      graceUntil: collecting ? (coverage?.graceUntil ?? null) : null,
      customerId: subscriber?.customerId ?? null,
      lastPayment: lastPayment && { ...lastPayment, paidAt: lastPayment.paidAt.toISOString() },
    },
  };
};
