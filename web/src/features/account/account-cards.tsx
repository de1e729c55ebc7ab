import type { UserView } from '@shortlist/contracts/api/profile';
import type { PublicConfig } from '@shortlist/contracts/api/public';
import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import { FREE_CREDITS, FREE_WINDOW_DAYS, PREMIUM_CREDITS } from '@shortlist/contracts/limits';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import { type ReactNode, useId } from 'react';
import type { Plan } from '@shortlist/contracts/plan';
import { fullName } from '@shortlist/contracts/messages';
import { planPrice } from '../../lib/money.ts';
import { paths } from '../../lib/paths.ts';
import { type DisplayedState, isPaying, STATES } from '../../lib/subscription.rules.ts';
import { amountOf, textOf } from '../../lib/subscription-text.ts';
import { accountText } from '../../messages/account.ts';
import { stateText } from '../../messages/subscription.ts';
import { Avatar, Badge, ExternalLink, ICON } from '../../ui/inline.tsx';
import { ButtonLink } from '../../ui/button.tsx';
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

type PlanProps = { state: DisplayedState; plan: Plan | null; view: SubscriptionView | undefined };

const badgeOf = ({ state, plan }: PlanProps): string => {
  if (state === 'confirming') return accountText('planConfirming');
  if (plan === null) return accountText('planLoading');
  return accountText(plan === 'premium' ? 'planPremium' : 'planFree');
};

/** A text about the subscription, or a skeleton while it loads. */
const LoadedText = ({
  state,
  width,
  children,
}: {
  state: DisplayedState;
  width: string;
  children: ReactNode;
}): ReactNode => {
  if (state !== 'unknown') return children;
  return (
    <Skeleton label={accountText('loadingSubscription')}>
      <Bar width={width} height="1lh" />
    </Skeleton>
  );
};

/** The invoice that matters: the one in trouble, or the last one paid. */
const invoiceText = (state: DisplayedState, view: SubscriptionView | undefined): ReactNode => {
  if (view === undefined) return state === 'confirming' ? null : accountText('invoiceUnknown');
  const { invoice } = STATES[state];
  const key = amountOf(invoice, view) === '' ? 'lastInvoice' : invoice;
  const amount = amountOf(key, view);
  if (amount === '') return stateText('noInvoice');
  return (
    <span className="num">
      {stateText.rich<ReactNode>(key, { amount: <strong key="amount">{amount}</strong> })}
    </span>
  );
};

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
const planSummary = ({ state, plan, view }: PlanProps): string => {
  if (state === 'confirming') return accountText('thankYou');
  if (plan !== 'premium')
    return accountText('freeCredits', { credits: FREE_CREDITS, days: FREE_WINDOW_DAYS });
  return isPaying(state, view) ? planPrice(view.price, view.interval) : MONTHLY;
};

type AccountCardsProps = PlanProps & { user: UserView };

export const AccountCards = ({ user, ...planProps }: AccountCardsProps): ReactNode => {
  const { state, plan, view } = planProps;
  return (
    <div className="card-grid">
      <Card title={accountText('profile')} to={paths.profile} action={accountText('goToProfile')}>
        <Person user={user} name={fullName(user)} />
      </Card>
      <Card
        title={accountText('subscription')}
        badge={<Badge tone={plan === 'premium' ? 'premium' : undefined}>{badgeOf(planProps)}</Badge>}
        to={paths.payments}
        action={accountText('manageSubscription')}
      >
        <div className="card-title">
          <LoadedText state={state} width="6rem">
            {planSummary(planProps)}
          </LoadedText>
        </div>
        <div className="small muted">
          <LoadedText state={state} width="12rem">
            {textOf(STATES[state].home, view)}
          </LoadedText>
        </div>
      </Card>
      <Card title={accountText('portal')} to={paths.subscription} action={accountText('managePortal')}>
        <p>{accountText('portalText')}</p>
        <div className="small muted">
          <LoadedText state={state} width="10rem">
            {invoiceText(state, view)}
          </LoadedText>
        </div>
      </Card>
    </div>
  );
};

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
