import type { UserView } from '@shortlist/contracts/api/public';
import { FREE_WINDOW_DAYS } from '@shortlist/contracts/limits';
import type { ReactNode } from 'react';
import { daysAfter, tableDate } from '../../lib/dates.ts';
import { useUserCommand } from '../../lib/state/use-user-command.ts';
import { Alert } from '../../ui/alert.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';

const NOT_SET = 'Not set';

/** Without dates of the subscription, the start is the last credit reset and the end 30 days later. Source: docs/product.md. */
const datesOf = ({ subscription, last_credit_reset: reset }: UserView): { start: string; end: string } => {
  const start = subscription.startDate ?? reset;
  const end = subscription.endDate ?? (start === null ? null : daysAfter(start, FREE_WINDOW_DAYS));
  return { start: start === null ? NOT_SET : tableDate(start), end: end === null ? NOT_SET : tableDate(end) };
};

const PlanButton = ({ user, isPremium }: { user: UserView; isPremium: boolean }): ReactNode => {
  const grant = useUserCommand('grant');
  const revoke = useUserCommand('revoke');
  const command = isPremium ? revoke : grant;
  const failure = grant.failure ?? revoke.failure;
  const handleDismiss = (): void => {
    grant.reset();
    revoke.reset();
  };
  return (
    <>
      {failure !== null && (
        <Alert tone="bad" onDismiss={handleDismiss}>
          {failure.message}
        </Alert>
      )}
      <Button
        className={isPremium ? 'is-wide is-destructive' : 'is-wide'}
        isBusy={grant.isBusy || revoke.isBusy}
        onClick={() => command.run({ id: user.id })}
      >
        {isPremium ? 'Unsubscribe' : 'Make Him A Premium User'}
      </Button>
    </>
  );
};

export const SubscriptionInformation = ({ user }: { user: UserView }): ReactNode => {
  const { start, end } = datesOf(user);
  // For display, every plan but free is premium. Source: docs/product.md, S7.
  const isPremium = user.plan !== 'free';
  return (
    <Panel title="Subscription Information" isBare>
      <table className="pairs num">
        <tbody>
          <tr>
            <th scope="row">Subscription Start Date</th>
            <td>{start}</td>
          </tr>
          <tr>
            <th scope="row">End Date</th>
            <td>{end}</td>
          </tr>
          <tr>
            <th scope="row">User Status</th>
            <td>
              <Badge isPremium={isPremium}>{isPremium ? 'Premium' : 'Free'}</Badge>
            </td>
          </tr>
        </tbody>
      </table>
      <div className="body stack">
        <PlanButton user={user} isPremium={isPremium} />
      </div>
    </Panel>
  );
};
