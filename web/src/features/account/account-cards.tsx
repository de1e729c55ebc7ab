import type { PublicConfig, UserView } from '@shortlist/contracts/api/public';
import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import { FREE_CREDITS, FREE_WINDOW_DAYS, PREMIUM_CREDITS } from '@shortlist/contracts/limits';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import { type ReactNode, useId } from 'react';
import type { DisplayedPlan, SubscriptionQuery } from '../../lib/data/use-plan.ts';
import { longDay } from '../../lib/dates.ts';
import { money, monthlyPrice } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import { problemText } from '../../lib/payment-problem.ts';
import { accountText } from '../../messages/account.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Badge, ExternalLink, ICON } from '../../ui/inline.tsx';
import { Bar, Skeleton } from '../../ui/states.tsx';

type CardProps = { title: string; badge?: ReactNode; to: string; action: string; children: ReactNode };

const Card = ({ title, badge, to, action, children }: CardProps): ReactNode => (
  <section className="card">
    <div className="card-head">
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
  unknown: accountText('planLoading'),
  confirming: accountText('planConfirming'),
  premium: accountText('planPremium'),
  free: accountText('planFree'),
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
    <Skeleton label={accountText('loadingSubscription')}>
      <Bar width={width} height="1lh" />
    </Skeleton>
  );
};

const periodLabel = ({ renews, periodEnd }: SubscriptionView): string =>
  periodEnd === null
    ? accountText('active')
    : accountText(renews ? 'renews' : 'ends', { day: longDay(periodEnd) });

type PlanProps = { plan: DisplayedPlan; subscription: SubscriptionQuery };

const Period = ({ plan, subscription }: PlanProps): ReactNode => {
  if (plan === 'confirming') return accountText('confirming');
  const problem = subscription.data?.problem ?? null;
  if (subscription.data !== undefined && problem !== null)
    return problemText(problem, subscription.data).title;
  if (plan !== 'premium') return accountText('upgrade');
  return (
    <SubscriptionText subscription={subscription} width="12rem" fallback={accountText('noRenewalDate')}>
      {periodLabel}
    </SubscriptionText>
  );
};

const LastInvoice = ({ subscription }: { subscription: SubscriptionQuery }): ReactNode => (
  <SubscriptionText subscription={subscription} width="10rem" fallback={accountText('invoiceUnknown')}>
    {({ lastPayment: payment }) =>
      payment === null ? (
        accountText('noInvoice')
      ) : (
        <span className="num">
          {accountText.rich<ReactNode>('lastInvoice', {
            amount: <strong key="amount">{money(payment.amount, payment.currency)}</strong>,
          })}
        </span>
      )
    }
  </SubscriptionText>
);

/** Each text has its own direction, so that a right-to-left name does not reorder its neighbours. */
const Person = ({ user, name }: { user: UserView; name: string }): ReactNode => (
  <div className="card-person">
    <Avatar
      name={name}
      src={user.picture === null ? null : paths.picture(user.picture)}
      size="large"
      alt={accountText('picture')}
    />
    <p className="small muted">
      <bdi className="card-title">{name}</bdi>
      <span className="visually-hidden">, </span>
      <bdi>{user.organizationName}</bdi>, <bdi>{user.city}</bdi>
    </p>
  </div>
);

const MONTHLY = accountText('monthlyCredits', { credits: PREMIUM_CREDITS });

/** Only a user who pays sees the price: an admin may have granted the plan. */
const PlanSummary = ({ plan, subscription }: PlanProps): ReactNode => {
  if (plan === 'confirming') return accountText('thankYou');
  if (plan !== 'premium')
    return accountText('freeCredits', { credits: FREE_CREDITS, days: FREE_WINDOW_DAYS });
  return (
    <SubscriptionText subscription={subscription} width="6rem" fallback={MONTHLY}>
      {({ lastPayment, price }) => (lastPayment === null ? MONTHLY : monthlyPrice(price))}
    </SubscriptionText>
  );
};

type AccountCardsProps = PlanProps & { user: UserView };

export const AccountCards = ({ user, plan, subscription }: AccountCardsProps): ReactNode => (
  <div className="card-grid">
    <Card title={accountText('profile')} to={paths.profile} action={accountText('goToProfile')}>
      <Person user={user} name={`${user.firstName} ${user.lastName}`} />
    </Card>
    <Card
      title={accountText('subscription')}
      badge={<Badge isPremium={plan === 'premium'}>{PLAN_BADGES[plan]}</Badge>}
      to={paths.payments}
      action={accountText('manageSubscription')}
    >
      <div className="card-title">
        <PlanSummary plan={plan} subscription={subscription} />
      </div>
      <div className="small muted">
        <Period plan={plan} subscription={subscription} />
      </div>
    </Card>
    <Card title={accountText('portal')} to={paths.subscription} action={accountText('managePortal')}>
      <p>{accountText('portalText')}</p>
      <div className="small muted">
        <LastInvoice subscription={subscription} />
      </div>
    </Card>
  </div>
);

type ToolLinksProps = { links: Partial<PublicConfig['links']> };

const ENTRIES = [
  { name: 'automationBot', description: 'automationBotText' },
  { name: 'crm', description: 'crmText' },
  { name: 'about', description: 'aboutText' },
] as const;

export const ToolLinks = ({ links }: ToolLinksProps): ReactNode => {
  const id = useId();
  return (
    <nav className="panel tool-links" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{accountText('tools')}</h2>
      </div>
      {ENTRIES.map(({ name, description }) => (
        <ExternalLink key={name} href={links[name]}>
          {accountText(name)} <span>{accountText(description)}</span>
          <ArrowUpRight {...ICON} />
        </ExternalLink>
      ))}
    </nav>
  );
};
