import UserRoundPlus from 'lucide-react/icons/user-round-plus';
import type { ReactNode } from 'react';
import { useListState } from '../../features/directory/list-state.ts';
import { Notices } from '../../features/directory/notices.tsx';
import { UserTable } from '../../features/directory/user-table.tsx';
import { userCommandsSaga } from '../../features/users/user-commands-saga.ts';
import { paths } from '../../lib/paths.ts';
import { May } from '../../lib/state/may.tsx';
import { usePageInfo } from '../../lib/state/use-page-info.ts';
import { useSaga } from '../../lib/state/use-saga.ts';
import { directoryText } from '../../messages/directory.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

const TITLE = directoryText('title');

const UserListPage = (): ReactNode => {
  useSaga(userCommandsSaga);
  usePageInfo({ pageName: 'user-list', pageTitle: TITLE, pageDescripttion: '' });
  const list = useListState();
  return (
    <>
      <PageHeader
        title={TITLE}
        actions={
          <May permission="users.create">
            <ButtonLink variant="primary" to={paths.addUser}>
              <UserRoundPlus size={18} strokeWidth={1.75} aria-hidden="true" />
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
