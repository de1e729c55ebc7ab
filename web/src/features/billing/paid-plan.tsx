import type { SubscriptionView, UserView } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { longDate, oneMonthAfter } from '../../lib/dates.ts';
import { monthlyPrice } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { ProblemNotice } from './payment-problem.tsx';

const nextInstallment = (reset: string | null, { renews, periodEnd }: SubscriptionView): string => {
  if (reset === null) return 'Not set';
  if (renews) return longDate(oneMonthAfter(reset));
  return periodEnd === null ? 'None' : `None. Your plan ends on ${longDate(periodEnd)}`;
};

/** Only a user who pays sees the price: an admin may have granted the plan. */
const titleFor = (subscription: SubscriptionView | undefined): string =>
  subscription === undefined || subscription.lastPayment === null
    ? 'Your plan'
    : monthlyPrice(subscription.price);

/** Without a subscription, billing could not be reached. */
type PaidPlanProps = { user: UserView; subscription: SubscriptionView | undefined };

/** Last payment and start are both the last credit reset; the next installment is due a month later. Source: docs/product.md. */
export const PaidPlan = ({ user, subscription }: PaidPlanProps): ReactNode => {
  const reset = user.last_credit_reset ?? user.current_period_start;
  return (
    <div className="measure stack sheets">
      {subscription !== undefined && <ProblemNotice subscription={subscription} />}
      <section className="panel" aria-labelledby="your-plan">
        <div className="head">
          <h2 id="your-plan">{titleFor(subscription)}</h2>
          <Badge isPremium>Premium</Badge>
        </div>
        <div className="body">
          <Details
            rows={[
              ['Last payment date', reset === null ? 'Not set' : longDate(reset)],
              ['Start date', reset === null ? 'Not set' : longDate(reset)],
              [
                'Next installment due',
                subscription === undefined ? 'Not available now' : nextInstallment(reset, subscription),
              ],
            ]}
          />
        </div>
        <div className="panel-actions">
          <ButtonLink to={paths.subscription}>Manage Stripe Account</ButtonLink>
          <ButtonLink variant="quiet" to={paths.credits}>
            Credits &amp; Usage
          </ButtonLink>
        </div>
      </section>
    </div>
  );
};
