import type { UserView } from '@shortlist/contracts/api/public';
import type { PaymentProblem, SubscriptionView } from '@shortlist/contracts/api/billing';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import type { ReactNode } from 'react';
import { longDate, oneMonthAfter } from '../../lib/dates.ts';
import { monthlyPrice } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import { isActionable, payLabel, problemText } from '../../lib/payment-problem.ts';
import { billingText } from '../../messages/billing.ts';
import { Alert } from '../../ui/alert.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Badge, ExternalLink, ICON } from '../../ui/inline.tsx';
import { Details } from '../../ui/panel.tsx';

/** Leads to what mends the problem: the page of the open invoice, or the billing portal. */
export const ProblemAction = ({ problem }: { problem: PaymentProblem }): ReactNode => {
  if (!isActionable(problem)) return null;
  if (problem.payUrl === null)
    return (
      <ButtonLink variant="primary" to={paths.subscription}>
        {billingText('openPortal')}
      </ButtonLink>
    );
  return (
    <ExternalLink className="button is-primary" href={problem.payUrl}>
      {payLabel(problem)}
      <ArrowUpRight {...ICON} />
    </ExternalLink>
  );
};

/** What keeps a payment from going through, in words, with the action that mends it. */
export const ProblemNotice = ({ subscription }: { subscription: SubscriptionView }): ReactNode => {
  const { problem } = subscription;
  if (problem === null) return null;
  const { title, next } = problemText(problem, subscription);
  return (
    <div className="plan-problem">
      <Alert tone={problem.kind === 'processing' ? 'plain' : 'warn'}>
        <strong>{title}</strong> {next}
      </Alert>
      <ProblemAction problem={problem} />
    </div>
  );
};

const dateOf = (iso: string | null): string => (iso === null ? billingText('notSet') : longDate(iso));

type Rows = (readonly [string, string])[];

/** The next installment, and the end of a plan that does not renew. */
const nextRows = (reset: string | null, subscription: SubscriptionView | undefined): Rows => {
  const row = (text: string) => [billingText('nextInstallment'), text] as const;
  if (subscription === undefined) return [row(billingText('notAvailable'))];
  const { renews, periodEnd } = subscription;
  if (reset === null) return [row(billingText('notSet'))];
  if (renews) return [row(longDate(oneMonthAfter(reset)))];
  const end = periodEnd === null ? [] : [[billingText('planEnds'), longDate(periodEnd)] as const];
  return [row(billingText('none')), ...end];
};

/** Only a user who pays sees the price: an admin may have granted the plan. */
const titleFor = (subscription: SubscriptionView | undefined): string =>
  subscription === undefined || subscription.lastPayment === null
    ? billingText('yourPlan')
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
        <div className="panel-head">
          <h2 id="your-plan">{titleFor(subscription)}</h2>
          <Badge isPremium>{billingText('premium')}</Badge>
        </div>
        <div className="panel-body">
          <Details
            rows={[
              [billingText('lastPayment'), dateOf(reset)],
              [billingText('start'), dateOf(reset)],
              ...nextRows(reset, subscription),
            ]}
          />
        </div>
        <div className="panel-actions">
          <ButtonLink to={paths.subscription}>{billingText('managePortal')}</ButtonLink>
          <ButtonLink variant="quiet" to={paths.credits}>
            {billingText('credits')}
          </ButtonLink>
        </div>
      </section>
    </div>
  );
};
