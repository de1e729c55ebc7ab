import type { SubscriptionView, UserView } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import type { PlanShown } from '../../lib/data/use-plan-shown.ts';
import { longDay } from '../../lib/dates.ts';
import { money } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import type { ReadingState } from '../../ui/reading.tsx';
import { Bar, Skeleton } from '../../ui/skeleton.tsx';

type CardProps = { title: string; text: ReactNode; mark: ReactNode; to: string; action: string };

const Card = ({ title, text, mark, to, action }: CardProps): ReactNode => (
  <section className="panel">
    <div className="body is-card">
      <div className="card-mark">{mark}</div>
      <h2>{title}</h2>
      <div>{text}</div>
      <div>
        <ButtonLink to={to}>{action}</ButtonLink>
      </div>
    </div>
  </section>
);

const PLAN_BADGES: Record<PlanShown, string> = {
  unknown: 'Loading',
  confirming: 'Payment received',
  premium: 'Premium',
  free: 'Free',
};

type Reading = Pick<ReadingState<SubscriptionView>, 'data' | 'error'>;

type KnownProps = {
  reading: Reading;
  width: string;
  missing: string;
  children: (view: SubscriptionView) => ReactNode;
};

/** One line that only billing can tell; until it has, its place is kept and nothing is claimed. */
const Known = ({ reading, width, missing, children }: KnownProps): ReactNode => {
  if (reading.data !== undefined) return children(reading.data);
  if (reading.error !== undefined) return <span className="muted">{missing}</span>;
  return (
    <Skeleton label="Loading your subscription">
      <Bar width={width} height="1lh" />
    </Skeleton>
  );
};

const periodWords = ({ renews, periodEnd }: SubscriptionView): string =>
  periodEnd === null ? 'Active' : `${renews ? 'Renews on' : 'Ends on'} ${longDay(periodEnd)}`;

const Period = ({ plan, reading }: { plan: PlanShown; reading: Reading }): ReactNode => {
  if (plan === 'confirming') return 'Your payment is being confirmed';
  if (plan !== 'premium') return 'Upgrade whenever you like';
  return (
    <Known reading={reading} width="12rem" missing="Renewal date not available now">
      {periodWords}
    </Known>
  );
};

const LastInvoice = ({ reading }: { reading: Reading }): ReactNode => (
  <Known reading={reading} width="10rem" missing="Last invoice not available now">
    {({ lastPayment: last }) => (
      <span className="num">
        {last !== null && <strong>{money(last.amount, last.currency)}</strong>}{' '}
        <span className="muted small">{last === null ? 'No invoice yet' : 'last invoice, paid'}</span>
      </span>
    )}
  </Known>
);

type AccountCardsProps = { user: UserView; plan: PlanShown; subscription: Reading };

export const AccountCards = ({ user, plan, subscription }: AccountCardsProps): ReactNode => {
  const name = `${user.firstName} ${user.lastName}`;
  return (
    <div className="cards">
      <Card
        title="Your Profile"
        text={
          // Each keeps its own direction: neither may turn the other's words around.
          <>
            <bdi>{name}</bdi>, <bdi>{user.organizationName}</bdi>
          </>
        }
        mark={
          <Avatar
            name={name}
            src={user.picture === null ? null : paths.picture(user.picture)}
            size="large"
            alt="Your profile picture"
          />
        }
        to={paths.profile}
        action="Go To Your Profile"
      />
      <Card
        title="Subscription"
        text={<Period plan={plan} reading={subscription} />}
        mark={<Badge isPremium={plan === 'premium'}>{PLAN_BADGES[plan]}</Badge>}
        to={paths.payments}
        action="Manage Subscription"
      />
      <Card
        title="Stripe Portal"
        text="Card, invoices and receipts"
        mark={<LastInvoice reading={subscription} />}
        to={paths.subscription}
        action="Manage Stripe Account"
      />
    </div>
  );
};
