import type { UserView } from '@shortlist/contracts/api/public';
import { FREE_WINDOW_DAYS } from '@shortlist/contracts/limits';
import type { ReactNode } from 'react';
import { daysAfter, longDay, tableDate } from '../../lib/dates.ts';
import { usersText } from '../../messages/users.ts';
import { Badge } from '../../ui/badge.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PlanActions } from './plan-actions.tsx';

/** Without dates of the subscription, the start is the last credit reset and the end 30 days later. Source: docs/product.md. */
const datesOf = ({ subscription, last_credit_reset: reset }: UserView): { start: string; end: string } => {
  const start = subscription.startDate ?? reset;
  const end = subscription.endDate ?? (start === null ? null : daysAfter(start, FREE_WINDOW_DAYS));
  const format = (date: string | Date | null): string =>
    date === null ? usersText('notSet') : tableDate(date);
  return { start: format(start), end: format(end) };
};

/** What becomes of the plan; null for one that renews as usual. */
const outlookText = ({ continuation, premiumUntil }: UserView['subscription']): string | null => {
  if (continuation === null || continuation === 'renews' || premiumUntil === null) return null;
  return usersText(continuation, { day: longDay(premiumUntil) });
};

export const SubscriptionInformation = ({ user }: { user: UserView }): ReactNode => {
  const { start, end } = datesOf(user);
  const outlook = outlookText(user.subscription);
  // For display, every plan but free is premium. Source: docs/product.md, S7.
  const isPremium = user.plan !== 'free';
  return (
    <Panel title={usersText('subscription')} isBare>
      <table className="pairs num">
        <tbody>
          <tr>
            <th scope="row">{usersText('startDate')}</th>
            <td>{start}</td>
          </tr>
          <tr>
            <th scope="row">{usersText('endDate')}</th>
            <td>{end}</td>
          </tr>
          <tr>
            <th scope="row">{usersText('status')}</th>
            <td>
              <Badge isPremium={isPremium}>{usersText(isPremium ? 'premium' : 'free')}</Badge>
            </td>
          </tr>
        </tbody>
      </table>
      <div className="body stack">
        {outlook !== null && <p>{outlook}</p>}
        <PlanActions user={user} isPremium={isPremium} />
      </div>
    </Panel>
  );
};
