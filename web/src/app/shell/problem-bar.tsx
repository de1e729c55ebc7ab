import type { PaymentProblem, SubscriptionView } from '@shortlist/contracts/api/billing';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths.ts';
import { needsUser, STATES, subscriptionState } from '../../lib/subscription.rules.ts';
import { payLabel, textOf } from '../../lib/subscription-text.ts';
import { stateText } from '../../messages/subscription.ts';
import { ExternalLink, ICON } from '../../ui/inline.tsx';

type ProblemBarProps = { view: SubscriptionView; problem: PaymentProblem };

/** The payment in trouble, what happens next, and what mends it; nothing where the user can do nothing. */
export const ProblemBar = ({ view, problem }: ProblemBarProps): ReactNode => {
  const state = subscriptionState(view);
  if (!needsUser(state)) return null;
  const { trouble, next, action } = STATES[state];
  return (
    <div className="frame-bar" role="status">
      <TriangleAlert {...ICON} />
      <p>
        <strong>{textOf(trouble, view)}</strong> {textOf(next, view)}
      </p>
      {action === 'portal' || problem.payUrl === null ? (
        <Link to={paths.subscription}>{stateText('openPortal')}</Link>
      ) : (
        <ExternalLink href={problem.payUrl}>{payLabel(problem)}</ExternalLink>
      )}
    </div>
  );
};
