import { NEWEST_ON_PAGE } from '@shortlist/contracts/limits';
import UserRoundPlus from 'lucide-react/icons/user-round-plus';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { useListState } from '../../features/directory/list-state.ts';
import { NewestUsers } from '../../features/directory/newest-users.tsx';
import { Notices, UserTable } from '../../features/directory/user-table.tsx';
import { paths } from '../../lib/paths.ts';
import { May, usePageInfo, useUserList } from '../../lib/state/hooks.tsx';
import { shellText } from '../../messages/shell.ts';
import { headingText } from '../../messages/headings.ts';
import { directoryText } from '../../messages/directory.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ICON } from '../../ui/inline.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

export const UserListPage = (): ReactNode => {
  const title = shellText('allUsers');
  usePageInfo({ pageName: 'user-list', pageTitle: title, pageDescription: '' });
  const list = useListState();
  return (
    <>
      <PageHeader
        title={title}
        actions={
          <May permission="users.create">
            <ButtonLink variant="primary" to={paths.addUser}>
              <UserRoundPlus {...ICON} />
              {directoryText('createUser')}
            </ButtonLink>
          </May>
        }
      />
      <div className="stack">
        <Notices />
        <UserTable list={list} />
      </div>
    </>
  );
};

/** The list, which says that the user was deleted. */
export const UserDeletedPage = (): ReactNode => (
  <Navigate {...useUserList({ notice: 'userDeleted' })} replace />
);

export const NewUsersPage = (): ReactNode => {
  const title = shellText('newUsers');
  const description = headingText('newUsersNote', { count: NEWEST_ON_PAGE });
  usePageInfo({ pageName: 'new-user', pageTitle: title, pageDescription: description });
  return (
    <>
      <PageHeader title={title} description={description} />
      <section className="panel" aria-label={title}>
        <NewestUsers limit={NEWEST_ON_PAGE} isLong />
      </section>
    </>
  );
};
