import Check from 'lucide-react/icons/check';
import type { UserView } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { longDate, oneMonthAfter } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
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
      <Heading>Congratulations!</Heading>
      {children}
    </div>
  </>
);

const periodOf = (user: UserView): readonly (readonly [string, string])[] => {
  const start = user.current_period_start ?? user.last_credit_reset;
  if (start === null) return [];
  const end = user.current_period_end ?? oneMonthAfter(start);
  return [
    ['Start date', longDate(start)],
    ['End date', longDate(end)],
  ];
};

export const PaymentResult = ({ user }: { user: UserView }): ReactNode => (
  <>
    <Congratulations>
      <p>Thank you for your purchase</p>
    </Congratulations>
    <p className="title-line">Your payment has been processed successfully.</p>
    <Details rows={periodOf(user)} />
    <p>Now you can enjoy all the premium features of our Chrome Extension</p>
    <ButtonLink variant="primary" to={paths.home}>
      Go To Home
    </ButtonLink>
  </>
);
