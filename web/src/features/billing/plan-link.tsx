import type { ReactNode } from 'react';
import { useSubscription } from '../../lib/data/use-plan.ts';
import { isActionable } from '../../lib/payment-problem.ts';
import { paths } from '../../lib/paths.ts';
import { billingText } from '../../messages/billing.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ProblemAction } from './payment-problem.tsx';

/** Leads to the plan's credits: to the offer, or to what keeps a payment for the plan from going through. */
export const PlanLink = (): ReactNode => {
  const problem = useSubscription().data?.problem ?? null;
  if (problem !== null && isActionable(problem)) return <ProblemAction problem={problem} />;
  return (
    <ButtonLink variant="primary" to={paths.payments}>
      {billingText('getStarted')}
    </ButtonLink>
  );
};
