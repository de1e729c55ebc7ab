import type { ReactNode } from 'react';
import { ExportButton } from '../../features/directory/export-button.tsx';
import { useListState } from '../../features/directory/list-state.ts';
import { Notices } from '../../features/directory/notices.tsx';
import { UserTable } from '../../features/directory/user-table.tsx';
import { paths } from '../../lib/paths.ts';
import { usePageInfo } from '../../lib/use-page-info.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

const TITLE = 'All Users';

const UserListPage = (): ReactNode => {
  usePageInfo({ pageName: 'user-list', pageTitle: TITLE, pageDescripttion: '' });
  const list = useListState();
  return (
    <>
      <PageHeader
        title={TITLE}
        actions={
          <>
            <ExportButton query={list.query} />
            <ButtonLink look="primary" to={paths.addUser}>
              Create A New User
            </ButtonLink>
          </>
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
