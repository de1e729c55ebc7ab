import type { SubscriptionView, UserView } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { longDate, oneMonthAfter } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { Alert } from '../../ui/alert.tsx';
import { Details } from '../../ui/details.tsx';

type PaidPlanProps = { user: UserView; subscription: SubscriptionView | undefined };

const nextInstallment = (reset: string, subscription: SubscriptionView | undefined): string => {
  if (subscription === undefined || subscription.renews) return longDate(oneMonthAfter(reset));
  return subscription.periodEnd === null
    ? 'None'
    : `None. Your plan ends on ${longDate(subscription.periodEnd)}`;
};

/** Last payment and start are both the last credit reset; the next installment is due one month after. Source: spec.md §2. */
export const PaidPlan = ({ user, subscription }: PaidPlanProps): ReactNode => {
  const reset = user.last_credit_reset ?? user.current_period_start;
  const grace = subscription?.graceUntil ?? null;
  return (
    <div className="stack">
      {grace !== null && (
        <Alert tone="warn">
          Your renewal could not be collected. Your plan ends on {longDate(grace)} unless it is paid.{' '}
          <Link to={paths.subscription}>Check your card</Link>
        </Alert>
      )}
      <section className="panel" aria-label="Your plan">
        <div className="body">
          <Details
            rows={[
              ['Last payment', reset === null ? 'Not set' : longDate(reset)],
              ['Start date', reset === null ? 'Not set' : longDate(reset)],
              ['Next installment due', reset === null ? 'Not set' : nextInstallment(reset, subscription)],
            ]}
          />
        </div>
      </section>
    </div>
  );
};
