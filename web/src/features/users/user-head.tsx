import type { Profile } from '@shortlist/contracts/api/profile';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { fullName } from '@shortlist/contracts/messages';
import type { ReactNode } from 'react';
import { Link, Navigate } from 'react-router-dom';
import { failureOf } from '../../lib/api/api-error.ts';
import { useQuery } from '../../lib/data/use-query.ts';
import { shortTime, shortDay } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { May, useUserList } from '../../lib/state/hooks.tsx';
import { headingText } from '../../messages/headings.ts';
import { privacyText } from '../../messages/privacy.ts';
import { usersText } from '../../messages/users.ts';
import { Alert } from '../../ui/alert.tsx';
import { Avatar } from '../../ui/inline.tsx';
import { Heading } from '../../ui/page-header.tsx';
import { useAccountStatus } from './account-status.tsx';
import { PlanBadge } from './plan-badge.tsx';

/** Whether the error of a query means that there is no such user. Other errors may pass. */
export const isMissingUser = (error: unknown): boolean =>
  error !== undefined && [404, 410].includes(failureOf(error).status);

/** Leads to the last view of the list, which shows the server's message. */
export const MissingUser = ({ error }: { error: unknown }): ReactNode => {
  const userList = useUserList({ problem: failureOf(error).message });
  return <Navigate {...userList} replace />;
};

export const useUserDeletion = (userId: string) =>
  useQuery('directory', publicEndpoints.userDeletion, { id: userId });

/** A notice about a user who has requested to delete the account. */
export const UserDeletion = ({ userId }: { userId: string }): ReactNode => {
  const { data } = useUserDeletion(userId);
  if (!data) return null;
  return <Alert tone="warn">{privacyText('userLeaving', { date: shortTime(data.dueAt) })}</Alert>;
};

/** The edited user, with the plan if it is known, and a link back to the previous view of the list. */
export const UserHead = ({ user }: { user: Profile }): ReactNode => {
  const userList = useUserList();
  const plan = useAccountStatus(user.id).data?.plan?.subscription.plan;
  const name = fullName(user);
  return (
    <>
      <p className="back-link">
        <Link {...userList}>{usersText('backToList')}</Link>
      </p>
      <header className="user-head">
        <Avatar name={name} src={user.picture === null ? null : paths.picture(user.picture)} size="large" />
        <div>
          <div className="user-title">
            <Heading>{name}</Heading>
            {plan !== undefined && <PlanBadge plan={plan} />}
          </div>
          <p>
            {usersText('summary', {
              organization: user.organizationName,
              country: user.country,
              day: shortDay(user.createdAt),
            })}
          </p>
        </div>
        <May permission="impersonate">
          <a className="button" href={paths.viewAs(user.id)} target="_blank" rel="noopener">
            {headingText('viewAs')}
          </a>
        </May>
      </header>
    </>
  );
};
