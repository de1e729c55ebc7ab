import type { UserView } from '@shortlist/contracts/api/profile';
import { ORGANIZATION_TYPES, ROLE_TYPES } from '@shortlist/contracts/option-lists';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { profileRows } from '../../features/account/account-values.ts';
import { isMissingUser, MissingUser, UserDeletion } from '../../features/users/user-head.tsx';
import { useUserById } from '../../lib/data/use-directory.ts';
import { paths } from '../../lib/paths.ts';
import { May, useUserList, usePageInfo } from '../../lib/state/hooks.tsx';
import { headingText } from '../../messages/headings.ts';
import { adminText } from '../../messages/admin.ts';
import { Alert } from '../../ui/alert.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Details, Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';

const detailRows = (user: UserView): readonly (readonly [string, string])[] => [
  ...profileRows(user),
  [adminText('userStatus'), adminText(user.plan === 'free' ? 'free' : 'premium')],
];

const TITLE = headingText('userDetails');

const SAMPLE: readonly (readonly [string, string])[] = [
  [adminText('fullName'), adminText('sampleName')],
  [adminText('email'), 'amara@talentfield.io'],
  [adminText('organization'), adminText('sampleOrganization')],
  [adminText('roleType'), ROLE_TYPES[0]],
  [adminText('companyType'), ORGANIZATION_TYPES[0]],
  [adminText('country'), adminText('sampleCountry')],
  [adminText('city'), adminText('sampleCity')],
  [adminText('joinDate'), '2025-01-15'],
];

const Sample = (): ReactNode => (
  <div className="stack measure">
    <Alert>{adminText('userSample')}</Alert>
    <Panel title={adminText('details')}>
      <Details rows={SAMPLE} />
    </Panel>
  </div>
);

const DetailsSkeleton = (): ReactNode => (
  <Skeleton label={adminText('loadingUser')}>
    <div className="measure">
      <SkeletonPanel lines={6} />
    </div>
  </Skeleton>
);

const UserDetails = ({ id }: { id: string }): ReactNode => {
  const query = useUserById(id);
  if (isMissingUser(query.error)) return <MissingUser error={query.error} />;
  return (
    <QueryView query={query} skeleton={<DetailsSkeleton />} errorTitle={adminText('userFailed')}>
      {(user) => (
        <div className="measure stack">
          <UserDeletion userId={user.id} />
          <Panel
            title={adminText('details')}
            end={
              <May permission="users.edit">
                <ButtonLink isSmall to={paths.editUser(user.id)}>
                  {adminText('edit')}
                </ButtonLink>
              </May>
            }
          >
            <Details rows={detailRows(user)} />
          </Panel>
        </div>
      )}
    </QueryView>
  );
};

/** The details of one user. Without a user id, the static sample of docs/product.md. */
const UserDetailsPage = (): ReactNode => {
  usePageInfo({ pageName: 'user-details', pageTitle: TITLE, pageDescription: '' });
  const id = useSearchParams()[0].get('user_id');
  const userList = useUserList();
  return (
    <>
      <p className="back-link">
        <Link {...userList}>{adminText('backToList')}</Link>
      </p>
      <PageHeader title={TITLE} />
      {id === null || id === '' ? <Sample /> : <UserDetails id={id} />}
    </>
  );
};

export default UserDetailsPage;
