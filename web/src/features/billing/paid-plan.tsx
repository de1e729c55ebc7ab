import type { SubscriptionView, UserView } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import type { SubscriptionQuery } from '../../lib/data/use-plan.ts';
import { longDate, oneMonthAfter } from '../../lib/dates.ts';
import { monthlyPrice } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { Bar, Skeleton } from '../../ui/skeleton.tsx';
import { ProblemNotice } from './payment-problem.tsx';

const nextInstallment = (reset: string | null, { renews, periodEnd }: SubscriptionView): string => {
  if (reset === null) return 'Not set';
  if (renews) return longDate(oneMonthAfter(reset));
  return periodEnd === null ? 'None' : `None. Your plan ends on ${longDate(periodEnd)}`;
};

type InstallmentProps = { reset: string | null; subscription: SubscriptionQuery };

/** The date needs the subscription, which says whether the plan renews. */
const NextInstallment = ({ reset, subscription }: InstallmentProps): ReactNode => {
  if (subscription.data !== undefined) return nextInstallment(reset, subscription.data);
  if (subscription.error !== undefined) return 'Not available now';
  return (
    <Skeleton label="Loading the next installment">
      <Bar width="14rem" height="1lh" />
    </Skeleton>
  );
};

/** Only a user who pays sees the price: an admin may have granted the plan. */
const titleFor = ({ data }: SubscriptionQuery): string =>
  data === undefined || data.lastPayment === null ? 'Your plan' : monthlyPrice(data.price);

type PaidPlanProps = { user: UserView; subscription: SubscriptionQuery };

/** Last payment and start are both the last credit reset; the next installment is due a month later. Source: docs/product.md. */
export const PaidPlan = ({ user, subscription }: PaidPlanProps): ReactNode => {
  const reset = user.last_credit_reset ?? user.current_period_start;
  return (
    <div className="measure stack sheets">
      {subscription.data !== undefined && <ProblemNotice subscription={subscription.data} />}
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
                <NextInstallment key="next" reset={reset} subscription={subscription} />,
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
