import type { ReactNode } from 'react';
import { AccountFormSkeleton } from '../features/account-form/account-form-skeleton.tsx';
import { EditForm } from '../features/account-form/edit-form.tsx';
import { userCommandsSaga } from '../features/users/user-commands-saga.ts';
import { useUser } from '../lib/data/use-user.ts';
import { paths } from '../lib/paths.ts';
import { usePageInfo } from '../lib/state/use-page-info.ts';
import { useSaga } from '../lib/state/use-saga.ts';
import { accountFormText } from '../messages/account-form.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

const TITLE = accountFormText('profileTitle');
const DESCRIPTION = accountFormText('profileDescription');

const ProfileSkeleton = (): ReactNode => (
  <Skeleton label={accountFormText('loadingProfile')}>
    <div className="measure">
      <AccountFormSkeleton />
    </div>
  </Skeleton>
);

const ProfilePage = (): ReactNode => {
  useSaga(userCommandsSaga);
  usePageInfo({ pageName: 'profile', pageTitle: TITLE, pageDescripttion: DESCRIPTION });
  return (
    <>
      <PageHeader title={TITLE} description={DESCRIPTION} />
      <QueryView
        query={useUser()}
        skeleton={<ProfileSkeleton />}
        errorTitle={accountFormText('profileFailed')}
      >
        {(user) => (
          <section className="measure stack sheets" aria-label={TITLE}>
            <EditForm user={user} editor="user" cancelTo={{ to: paths.home }} />
          </section>
        )}
      </QueryView>
    </>
  );
};

export default ProfilePage;
