import type { SubscriptionView, UserView } from '@shortlist/contracts/api/public';
import { FREE_CREDITS, FREE_WINDOW_DAYS, PREMIUM_CREDITS } from '@shortlist/contracts/limits';
import type { ReactNode } from 'react';
import type { PlanShown } from '../../lib/data/use-plan-shown.ts';
import { longDay } from '../../lib/dates.ts';
import { money, PRICE_WORDS } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import type { ReadingState } from '../../ui/reading.tsx';
import { Bar, Skeleton } from '../../ui/skeleton.tsx';

type CardProps = { title: string; badge?: ReactNode; to: string; action: string; children: ReactNode };

const Card = ({ title, badge, to, action, children }: CardProps): ReactNode => (
  <section className="panel cell">
    <div className="cell-head">
      <h2>{title}</h2>
      {badge}
    </div>
    <div>{children}</div>
    <div>
      <ButtonLink to={to}>{action}</ButtonLink>
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
  if (reading.error !== undefined) return missing;
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
    {({ lastPayment: last }) =>
      last === null ? (
        'No invoice yet'
      ) : (
        <span className="num">
          Last invoice <strong>{money(last.amount, last.currency)}</strong>, paid
        </span>
      )
    }
  </Known>
);

/** Each keeps its own direction: none may turn the others' words around. */
const Person = ({ user, name }: { user: UserView; name: string }): ReactNode => (
  <div className="person">
    <Avatar
      name={name}
      src={user.picture === null ? null : paths.picture(user.picture)}
      size="large"
      alt="Your profile picture"
    />
    <p className="small muted">
      <bdi className="first-line">{name}</bdi>
      <span className="visually-hidden">, </span>
      <bdi>{user.organizationName}</bdi>, <bdi>{user.city}</bdi>
    </p>
  </div>
);

const MONTHLY = `${PREMIUM_CREDITS} credits a month`;

/** The price is named to those who pay it; an admin may have given the plan away. */
const FirstLine = ({ plan, reading }: { plan: PlanShown; reading: Reading }): ReactNode => {
  if (plan === 'confirming') return 'Thank you';
  if (plan !== 'premium') return `${FREE_CREDITS} credits every ${FREE_WINDOW_DAYS} days`;
  return (
    <Known reading={reading} width="6rem" missing={MONTHLY}>
      {({ lastPayment }) => (lastPayment === null ? MONTHLY : PRICE_WORDS)}
    </Known>
  );
};

type AccountCardsProps = { user: UserView; plan: PlanShown; subscription: Reading };

export const AccountCards = ({ user, plan, subscription }: AccountCardsProps): ReactNode => (
  <div className="cards">
    <Card title="Your Profile" to={paths.profile} action="Go To Your Profile">
      <Person user={user} name={`${user.firstName} ${user.lastName}`} />
    </Card>
    <Card
      title="Subscription"
      badge={<Badge isPremium={plan === 'premium'}>{PLAN_BADGES[plan]}</Badge>}
      to={paths.payments}
      action="Manage Subscription"
    >
      <div className="first-line">
        <FirstLine plan={plan} reading={subscription} />
      </div>
      <div className="small muted">
        <Period plan={plan} reading={subscription} />
      </div>
    </Card>
    <Card title="Stripe Portal" to={paths.subscription} action="Manage Stripe Account">
      <p>Card, invoices and receipts, on Stripe’s own page.</p>
      <div className="small muted">
        <LastInvoice reading={subscription} />
      </div>
    </Card>
  </div>
);
