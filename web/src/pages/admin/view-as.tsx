import type { ReactNode } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { isMissingUser, MissingUser } from '../../features/users/missing-user.tsx';
import { ViewAsForm } from '../../features/viewing/view-as-form.tsx';
import { useUserById } from '../../lib/data/use-directory.ts';
import { paths } from '../../lib/paths.ts';
import { usePageInfo } from '../../lib/state/use-page-info.ts';
import { viewingText } from '../../messages/viewing.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/skeleton.tsx';

const TITLE = viewingText('viewAs');

const UserSkeleton = (): ReactNode => (
  <Skeleton label={viewingText('loading')}>
    <div className="measure">
      <SkeletonPanel lines={4} />
    </div>
  </Skeleton>
);

/** Opens in a tab of its own, which then shows the pages of the user. */
const ViewAsPage = (): ReactNode => {
  usePageInfo({ pageName: 'view-as', pageTitle: TITLE, pageDescripttion: '' });
  const id = useSearchParams()[0].get('user_id') || null;
  const query = useUserById(id);
  if (id === null) return <Navigate to={paths.userList} replace />;
  if (isMissingUser(query.error)) return <MissingUser error={query.error} />;
  return (
    <>
      <PageHeader title={TITLE} />
      <QueryView query={query} skeleton={<UserSkeleton />} errorTitle={viewingText('failed')}>
        {(user) => (
          <div className="measure">
            <Panel title={viewingText('title', { name: `${user.firstName} ${user.lastName}` })}>
              <ViewAsForm key={user.id} user={user} />
            </Panel>
          </div>
        )}
      </QueryView>
    </>
  );
};

export default ViewAsPage;
