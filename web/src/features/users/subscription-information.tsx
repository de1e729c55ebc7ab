import type { CreditPack, SubscriptionView } from '@shortlist/contracts/api/billing';
import type { Profile } from '@shortlist/contracts/api/profile';
import { FREE_WINDOW_DAYS } from '@shortlist/contracts/limits';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import type { ReactNode } from 'react';
import { useConfig } from '../../lib/data/use-config.ts';
import { daysAfter, shortDay, shortTime, tableDate } from '../../lib/dates.ts';
import { money, planPrice, reduction } from '../../lib/money.ts';
import { providerPage } from '../../lib/paths.ts';
import { isPaying, STATES, subscriptionState } from '../../lib/subscription.rules.ts';
import { textOf } from '../../lib/subscription-text.ts';
import { packText, supportText, usersText } from '../../messages/users.ts';
import { ExternalLink, ICON } from '../../ui/inline.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SkeletonPanel } from '../../ui/states.tsx';
import { useAccountStatus, UnknownPart } from './account-status.tsx';
import { PlanActions } from './plan-actions.tsx';
import { PlanBadge } from './plan-badge.tsx';
import { SUPPORT, supportLine } from './support.rules.ts';

const dayOf = (iso: string | null): string => (iso === null ? '' : shortDay(iso));

/** What the user reads on Subscription Status and in the bar. */
const userText = (view: SubscriptionView): string => {
  const { headline, trouble, next } = STATES[subscriptionState(view)];
  const texts = [headline, trouble === headline ? null : trouble, next].map((key) => textOf(key, view));
  const sentences = texts.filter((text) => text !== '').map((text) => text.replace(/\.$/, ''));
  return `${sentences.join('. ')}.`;
};

const Point = ({ title, children }: { title: string; children: ReactNode }): ReactNode => (
  <div>
    <dt>
      <strong>{title}</strong>
    </dt>
    <dd>{children}</dd>
  </div>
);

const lineOf = ({ credits, paidCredits, paidAt, amount, currency, state }: CreditPack): string =>
  packText(state, {
    day: shortDay(paidAt),
    credits,
    amount: money(amount, currency),
    paid: paidCredits,
  });

const PlanStatus = ({ view, packs }: { view: SubscriptionView; packs: CreditPack[] }): ReactNode => {
  const { next, advice } = SUPPORT[subscriptionState(view)];
  const since = view.problem?.since ?? null;
  return (
    <>
      <p>{supportText('userSees', { text: userText(view) })}</p>
      {since !== null && <p className="small muted">{supportText('since', { day: shortTime(since) })}</p>}
      <dl className="stack">
        {next !== null && (
          <Point title={supportText('next')}>
            {supportLine(
              next,
              dayOf(view.renewsUntil ?? view.premiumUntil),
              dayOf(view.problem?.resumesAt ?? null),
            )}
          </Point>
        )}
        {advice !== null && <Point title={supportText('advice')}>{supportLine(advice, '')}</Point>}
        {packs.length > 0 && (
          <Point title={packText('packs')}>
            <ul>
              {packs.map((pack) => (
                <li key={pack.packId}>{lineOf(pack)}</li>
              ))}
            </ul>
          </Point>
        )}
      </dl>
    </>
  );
};

const CustomerLink = ({ customerId }: { customerId: string }): ReactNode => {
  const { links } = useConfig();
  return (
    <ExternalLink className="button is-wide" href={providerPage(links.provider, 'customers', customerId)}>
      {usersText('openCustomer')}
      <ArrowUpRight {...ICON} />
    </ExternalLink>
  );
};

/** Without dates of the subscription, the start is the last credit reset and the end 30 days later. Source: docs/product.md. */
const datesOf = ({ periodStart, periodEnd }: SubscriptionView): { start: string; end: string } => {
  const end = periodEnd ?? (periodStart === null ? null : daysAfter(periodStart, FREE_WINDOW_DAYS));
  const format = (date: string | Date | null): string =>
    date === null ? usersText('notSet') : tableDate(date);
  return { start: format(periodStart), end: format(end) };
};

const Row = ({ title, children }: { title: string; children: ReactNode }): ReactNode => (
  <tr>
    <th scope="row">{title}</th>
    <td>{children}</td>
  </tr>
);

const discountOf = (discount: NonNullable<SubscriptionView['discount']>): string => {
  const off = reduction(discount);
  const { name, endsAt } = discount;
  const text =
    endsAt === null ? usersText('off', { off }) : usersText('offUntil', { off, day: tableDate(endsAt) });
  return name === null ? text : `${name}: ${text}`;
};

/** What a paying user is charged, and what will change by itself. */
const TermRows = ({ view }: { view: SubscriptionView }): ReactNode => {
  const { price, interval, nextInterval, periodEnd, discount, trialEndsAt } = view;
  return (
    <>
      {isPaying(subscriptionState(view), view) && (
        <Row title={usersText('planPrice')}>{planPrice(price, interval)}</Row>
      )}
      {trialEndsAt && <Row title={usersText('trialUntil')}>{tableDate(trialEndsAt)}</Row>}
      {nextInterval && periodEnd !== null && (
        <Row title={usersText('nextInterval')}>
          {usersText(nextInterval === 'year' ? 'yearlyFrom' : 'monthlyFrom', { day: tableDate(periodEnd) })}
        </Row>
      )}
      {discount && <Row title={usersText('discount')}>{discountOf(discount)}</Row>}
    </>
  );
};

type ContentProps = { user: Profile; view: SubscriptionView; packs: CreditPack[] };

const Content = ({ user, view, packs }: ContentProps): ReactNode => {
  const { start, end } = datesOf(view);
  return (
    <Panel title={usersText('subscription')} isBare>
      <table className="pair-table num">
        <tbody>
          <Row title={usersText('startDate')}>{start}</Row>
          <Row title={usersText('endDate')}>{end}</Row>
          <Row title={usersText('status')}>
            <PlanBadge plan={view.plan} />
          </Row>
          <TermRows view={view} />
        </tbody>
      </table>
      <div className="panel-body stack">
        <PlanStatus view={view} packs={packs} />
        <PlanActions user={user} view={view} />
        {view.customerId !== null && <CustomerLink customerId={view.customerId} />}
      </div>
    </Panel>
  );
};

/** The plan of a user, with what support can do about it. Without billing, it says so, and the rest of the page works. */
export const SubscriptionInformation = ({ user }: { user: Profile }): ReactNode => {
  const query = useAccountStatus(user.id);
  const plan = query.data?.plan ?? null;
  if (plan !== null) return <Content user={user} view={plan.subscription} packs={plan.packs} />;
  if (query.data === undefined && query.error === undefined) return <SkeletonPanel lines={3} />;
  return (
    <Panel title={usersText('subscription')}>
      <UnknownPart query={query}>{supportText('unknown')}</UnknownPart>
    </Panel>
  );
};
