import type { SubscriptionView, UserView } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import type { PlanShown } from '../../lib/data/use-plan-shown.ts';
import { longDay } from '../../lib/dates.ts';
import { money } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';

type CardProps = { title: string; text: string; mark: ReactNode; to: string; action: string };

const Card = ({ title, text, mark, to, action }: CardProps): ReactNode => (
  <section className="panel">
    <div className="body is-card">
      <div className="card-mark">{mark}</div>
      <h2>{title}</h2>
      <p>{text}</p>
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

const periodWords = (plan: PlanShown, view: SubscriptionView | undefined): string => {
  if (plan === 'confirming') return 'Your payment is being confirmed';
  if (plan !== 'premium') return 'Upgrade whenever you like';
  if (view === undefined || view.periodEnd === null) return 'Active';
  return `${view.renews ? 'Renews on' : 'Ends on'} ${longDay(view.periodEnd)}`;
};

type AccountCardsProps = { user: UserView; plan: PlanShown; subscription: SubscriptionView | undefined };

export const AccountCards = ({ user, plan, subscription }: AccountCardsProps): ReactNode => {
  const name = `${user.firstName} ${user.lastName}`;
  const last = subscription?.lastPayment ?? null;
  return (
    <div className="cards">
      <Card
        title="Your Profile"
        text={`${name}, ${user.organizationName}`}
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
        text={periodWords(plan, subscription)}
        mark={<Badge isPremium={plan === 'premium'}>{PLAN_BADGES[plan]}</Badge>}
        to={paths.payments}
        action="Manage Subscription"
      />
      <Card
        title="Stripe Portal"
        text="Card, invoices and receipts"
        mark={
          last === null ? (
            <span className="muted small">No invoice yet</span>
          ) : (
            <span className="num">
              <strong>{money(last.amount, last.currency)}</strong>{' '}
              <span className="muted small">last invoice, paid</span>
            </span>
          )
        }
        to={paths.subscription}
        action="Manage Stripe Account"
      />
    </div>
  );
};
