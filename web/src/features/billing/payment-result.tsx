import Check from 'lucide-react/icons/check';
import type { UserView } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { longDate, oneMonthAfter } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { billingText } from '../../messages/billing.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { Heading } from '../../ui/page-header.tsx';

export const ResultPanel = ({ children }: { children: ReactNode }): ReactNode => (
  <section className="result stack">{children}</section>
);

export const Congratulations = ({ children }: { children?: ReactNode }): ReactNode => (
  <>
    <span className="success-icon" aria-hidden="true">
      <Check size={18} strokeWidth={1.75} />
    </span>
    <div>
      <Heading>{billingText('congratulations')}</Heading>
      {children}
    </div>
  </>
);

const periodOf = (user: UserView): readonly (readonly [string, string])[] => {
  const start = user.current_period_start ?? user.last_credit_reset;
  if (start === null) return [];
  const end = user.current_period_end ?? oneMonthAfter(start);
  return [
    [billingText('start'), longDate(start)],
    [billingText('end'), longDate(end)],
  ];
};

export const PaymentResult = ({ user }: { user: UserView }): ReactNode => (
  <>
    <Congratulations>
      <p>{billingText('thankYou')}</p>
    </Congratulations>
    <p className="title-line">{billingText('processed')}</p>
    <Details rows={periodOf(user)} />
    <p>{billingText('enjoy')}</p>
    <ButtonLink variant="primary" to={paths.home}>
      {billingText('goHome')}
    </ButtonLink>
  </>
);
