import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import type { PaymentProblem, SubscriptionView } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { isActionable, payLabel, problemText } from '../../lib/payment-problem.ts';
import { paths } from '../../lib/paths.ts';
import { billingText } from '../../messages/billing.ts';
import { Alert } from '../../ui/alert.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { ExternalLink } from '../../ui/external-link.tsx';

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
      <ArrowUpRight size={18} strokeWidth={1.75} aria-hidden="true" />
    </ExternalLink>
  );
};

/** What keeps a payment from going through, in words, with the action that mends it. */
export const ProblemNotice = ({ subscription }: { subscription: SubscriptionView }): ReactNode => {
  const { problem } = subscription;
  if (problem === null) return null;
  const { title, next } = problemText(problem, subscription);
  return (
    <div className="problem">
      <Alert tone={problem.kind === 'processing' ? 'plain' : 'warn'}>
        <strong>{title}</strong> {next}
      </Alert>
      <ProblemAction problem={problem} />
    </div>
  );
};
