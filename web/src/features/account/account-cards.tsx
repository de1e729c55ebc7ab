import type { SubscriptionView, UserView } from '@shortlist/contracts/api/public';
import { FREE_CREDITS, FREE_WINDOW_DAYS, PREMIUM_CREDITS } from '@shortlist/contracts/limits';
import type { ReactNode } from 'react';
import type { DisplayedPlan } from '../../lib/data/use-displayed-plan.ts';
import type { SubscriptionQuery } from '../../lib/data/use-plan.ts';
import { longDay } from '../../lib/dates.ts';
import { money, monthlyPrice } from '../../lib/money.ts';
import { problemText } from '../../lib/payment-problem.ts';
import { paths } from '../../lib/paths.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
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

const PLAN_BADGES: Record<DisplayedPlan, string> = {
  unknown: 'Loading',
  confirming: 'Payment received',
  premium: 'Premium',
  free: 'Free',
};

type SubscriptionTextProps = {
  subscription: SubscriptionQuery;
  width: string;
  fallback: string;
  children: (view: SubscriptionView) => ReactNode;
};

/** A text about the subscription: a skeleton while it loads, and `fallback` when it cannot be loaded. */
const SubscriptionText = ({ subscription, width, fallback, children }: SubscriptionTextProps): ReactNode => {
  if (subscription.data !== undefined) return children(subscription.data);
  if (subscription.error !== undefined) return fallback;
  return (
    <Skeleton label="Loading your subscription">
      <Bar width={width} height="1lh" />
    </Skeleton>
  );
};

const periodLabel = ({ renews, periodEnd }: SubscriptionView): string =>
  periodEnd === null ? 'Active' : `${renews ? 'Renews on' : 'Ends on'} ${longDay(periodEnd)}`;

type PlanProps = { plan: DisplayedPlan; subscription: SubscriptionQuery };

const Period = ({ plan, subscription }: PlanProps): ReactNode => {
  if (plan === 'confirming') return 'Your payment is being confirmed';
  const problem = subscription.data?.problem ?? null;
  if (subscription.data !== undefined && problem !== null)
    return problemText(problem, subscription.data).title;
  if (plan !== 'premium') return 'Upgrade whenever you like';
  return (
    <SubscriptionText subscription={subscription} width="12rem" fallback="Renewal date not available now">
      {periodLabel}
    </SubscriptionText>
  );
};

const LastInvoice = ({ subscription }: { subscription: SubscriptionQuery }): ReactNode => (
  <SubscriptionText subscription={subscription} width="10rem" fallback="Last invoice not available now">
    {({ lastPayment: payment }) =>
      payment === null ? (
        'No invoice yet'
      ) : (
        <span className="num">
          Last invoice <strong>{money(payment.amount, payment.currency)}</strong>, paid
        </span>
      )
    }
  </SubscriptionText>
);

/** Each text has its own direction, so that a right-to-left name does not reorder its neighbours. */
const Person = ({ user, name }: { user: UserView; name: string }): ReactNode => (
  <div className="person">
    <Avatar
      name={name}
      src={user.picture === null ? null : paths.picture(user.picture)}
      size="large"
      alt="Your profile picture"
    />
    <p className="small muted">
      <bdi className="title-line">{name}</bdi>
      <span className="visually-hidden">, </span>
      <bdi>{user.organizationName}</bdi>, <bdi>{user.city}</bdi>
    </p>
  </div>
);

const MONTHLY = `${PREMIUM_CREDITS} credits a month`;

/** Only a user who pays sees the price: an admin may have granted the plan. */
const PlanSummary = ({ plan, subscription }: PlanProps): ReactNode => {
  if (plan === 'confirming') return 'Thank you';
  if (plan !== 'premium') return `${FREE_CREDITS} credits every ${FREE_WINDOW_DAYS} days`;
  return (
    <SubscriptionText subscription={subscription} width="6rem" fallback={MONTHLY}>
      {({ lastPayment, price }) => (lastPayment === null ? MONTHLY : monthlyPrice(price))}
    </SubscriptionText>
  );
};

type AccountCardsProps = PlanProps & { user: UserView };

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
      <div className="title-line">
        <PlanSummary plan={plan} subscription={subscription} />
      </div>
      <div className="small muted">
        <Period plan={plan} subscription={subscription} />
      </div>
    </Card>
    <Card title="Stripe Portal" to={paths.subscription} action="Manage Stripe Account">
      <p>Card, invoices and receipts, on Stripe’s own page.</p>
      <div className="small muted">
        <LastInvoice subscription={subscription} />
      </div>
    </Card>
  </div>
);
