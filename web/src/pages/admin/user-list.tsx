import UserRoundPlus from 'lucide-react/icons/user-round-plus';
import type { ReactNode } from 'react';
import { useListState } from '../../features/directory/list-state.ts';
import { Notices, UserTable } from '../../features/directory/user-table.tsx';
import { paths } from '../../lib/paths.ts';
import { May, usePageInfo } from '../../lib/state/hooks.tsx';
import { directoryText } from '../../messages/directory.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ICON } from '../../ui/inline.tsx';

const TITLE = directoryText('title');

const UserListPage = (): ReactNode => {
  usePageInfo({ pageName: 'user-list', pageTitle: TITLE, pageDescripttion: '' });
  const list = useListState();
  return (
    <>
      <PageHeader
        title={TITLE}
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

export default UserListPage;
