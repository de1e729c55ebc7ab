import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useSubscription } from '../../lib/data/use-plan.ts';
import { isActionable, payLabel, problemText } from '../../lib/payment-problem.ts';
import { paths } from '../../lib/paths.ts';
import { billingText } from '../../messages/billing.ts';
import { ExternalLink } from '../../ui/external-link.tsx';

/** One line below the top bar while a payment needs the user. The page of the plan says it by itself. */
export const ProblemBar = (): ReactNode => {
  const { pathname } = useLocation();
  const { data: subscription } = useSubscription();
  const problem = subscription?.problem ?? null;
  if (subscription === undefined || problem === null) return null;
  if (!isActionable(problem) || pathname === paths.payments) return null;
  const { title, next } = problemText(problem, subscription);
  return (
    <div className="frame-bar" role="status">
      <TriangleAlert size={18} strokeWidth={1.75} aria-hidden="true" />
      <p>
        <strong>{title}</strong> {next}
      </p>
      {problem.payUrl === null ? (
        <Link to={paths.subscription}>{billingText('openPortal')}</Link>
      ) : (
        <ExternalLink href={problem.payUrl}>{payLabel(problem)}</ExternalLink>
      )}
    </div>
  );
};
