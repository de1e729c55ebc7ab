import { NEWEST_ON_PAGE } from '@shortlist/contracts/limits';
import type { ReactNode } from 'react';
import { NewestUsers } from '../../features/directory/newest-users.tsx';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { directoryText } from '../../messages/directory.ts';
import { PageHeader } from '../../ui/page-header.tsx';

const TITLE = directoryText('newTitle');
const DESCRIPTION = directoryText('newDescription', { count: NEWEST_ON_PAGE });

const NewUsersPage = (): ReactNode => {
  usePageInfo({ pageName: 'new-user', pageTitle: TITLE, pageDescripttion: DESCRIPTION });
  return (
    <>
      <PageHeader title={TITLE} description={DESCRIPTION} />
      <section className="panel" aria-label={TITLE}>
        <NewestUsers limit={NEWEST_ON_PAGE} isLong />
      </section>
    </>
  );
};

export default NewUsersPage;
