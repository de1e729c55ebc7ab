import type { UserView } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { longDay } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { useAppSelector } from '../../lib/state/hooks.ts';
import { listDestination } from '../../lib/state/list-view.ts';
import { May } from '../../lib/state/may.tsx';
import { usersText } from '../../messages/users.ts';
import { viewingText } from '../../messages/viewing.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Heading } from '../../ui/page-header.tsx';

/** The edited user, and a link back to the previous view of the list. */
export const UserHead = ({ user }: { user: UserView }): ReactNode => {
  const listView = useAppSelector((state) => state.listView);
  const name = `${user.firstName} ${user.lastName}`;
  return (
    <>
      <p className="crumb">
        <Link {...listDestination(listView)}>{usersText('backToList')}</Link>
      </p>
      <header className="user-head">
        <Avatar name={name} src={user.picture === null ? null : paths.picture(user.picture)} size="large" />
        <div>
          <Heading>{name}</Heading>
          <p>
            {usersText('summary', {
              organization: user.organizationName,
              country: user.country,
              day: longDay(user.createdAt),
            })}
          </p>
        </div>
        <May permission="impersonate">
          <a className="button" href={paths.viewAs(user.id)} target="_blank" rel="noopener">
            {viewingText('viewAs')}
          </a>
        </May>
      </header>
    </>
  );
};
