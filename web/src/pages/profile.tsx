import type { ReactNode } from 'react';
import { AccountFormSkeleton } from '../features/account/account-form.tsx';
import { EditForm } from '../features/account/edit-form.tsx';
import { NewsSetting } from '../features/account/news-setting.tsx';
import { useUser } from '../lib/data/use-account.ts';
import { paths } from '../lib/paths.ts';
import { usePageInfo } from '../lib/state/hooks.tsx';
import { headingText } from '../messages/headings.ts';
import { accountFormText } from '../messages/account-form.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Skeleton } from '../ui/states.tsx';

const TITLE = headingText('profile');
const DESCRIPTION = headingText('profileNote');

const ProfileSkeleton = (): ReactNode => (
  <Skeleton label={accountFormText('loadingProfile')}>
    <div className="measure">
      <AccountFormSkeleton />
    </div>
  </Skeleton>
);

const ProfilePage = (): ReactNode => {
  usePageInfo({ pageName: 'profile', pageTitle: TITLE, pageDescription: DESCRIPTION });
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
            <NewsSetting />
          </section>
        )}
      </QueryView>
    </>
  );
};

export default ProfilePage;
