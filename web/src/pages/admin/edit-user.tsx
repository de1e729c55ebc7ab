import type { UserView } from '@shortlist/contracts/api/profile';
import { fullName } from '@shortlist/contracts/messages';
import type { ReactNode } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { EditForm } from '../../features/account/edit-form.tsx';
import { AuditPanel } from '../../features/audit/audit-list.tsx';
import { UserSignInsPanel, useUserSignIns } from '../../features/security/sign-ins-panel.tsx';
import { isMissingUser, MissingUser, UserDeletion, UserHead } from '../../features/users/user-head.tsx';
import { SubscriptionInformation } from '../../features/users/subscription-information.tsx';
import { UserCredits, useUserBuckets } from '../../features/users/user-credits.tsx';
import { UserAccessPanel, useUserAccess } from '../../features/users/user-access.tsx';
import { AccountNotices, useAccountStatus } from '../../features/users/account-status.tsx';
import {
  UserFactors,
  UserSessionsPanel,
  useSessionCount,
  useUserFactors,
} from '../../features/users/user-security.tsx';
import { useUserById } from '../../lib/data/use-directory.ts';
import { May, useUserList, usePageInfo } from '../../lib/state/hooks.tsx';
import { adminText } from '../../messages/admin.ts';
import { Details, Panel } from '../../ui/panel.tsx';
import { isSettled, QueryView, Skeleton, SkeletonPanel } from '../../ui/states.tsx';
import { detailRows } from './user-details.tsx';

const UserPanel = ({ user }: { user: UserView }): ReactNode => (
  <Panel title={adminText('details')}>
    <Details rows={detailRows(user)} />
  </Panel>
);

const UserSkeleton = (): ReactNode => (
  <Skeleton label={adminText('loadingUser')}>
    <div className="split is-user">
      <SkeletonPanel lines={3} />
      <SkeletonPanel lines={8} />
    </div>
  </Skeleton>
);

/** Whether the height of every panel of the second column but the last is known. */
const useArePanelsSettled = (id: string): boolean =>
  [useUserBuckets(id), useUserFactors(id), useSessionCount(id), useUserAccess(id), useUserSignIns(id)].every(
    isSettled,
  );

const LoadedUser = ({ user }: { user: UserView }): ReactNode => {
  const userList = useUserList();
  const name = fullName(user);
  usePageInfo({ pageName: 'edit-user', pageTitle: name, pageDescription: '' });
  const arePanelsSettled = useArePanelsSettled(user.id);
  const status = useAccountStatus(user.id);
  // Its notices and texts would move the form below them.
  if (!isSettled(status)) return <UserSkeleton />;
  return (
    <>
      <UserHead user={user} />
      <div className="stack user-notices">
        <UserDeletion userId={user.id} />
        <AccountNotices id={user.id} />
      </div>
      <div className="split is-user">
        <SubscriptionInformation user={user} />
        <section className="stack" aria-label={adminText('details')}>
          <May permission="users.edit" otherwise={<UserPanel user={user} />}>
            <EditForm user={user} editor="admin" cancelTo={userList} />
          </May>
        </section>
        {/* The panels load at the same time, hidden until none moves another. */}
        <div hidden={!arePanelsSettled}>
          <div className="side-column">
            <UserCredits userId={user.id} />
            <UserFactors id={user.id} />
            <UserSessionsPanel userId={user.id} />
            <UserAccessPanel userId={user.id} />
            <UserSignInsPanel userId={user.id} />
            <May permission="audit.read">
              <AuditPanel userId={user.id} />
            </May>
          </div>
        </div>
      </div>
    </>
  );
};

const EditUserPage = (): ReactNode => {
  const id = useSearchParams()[0].get('user_id') || null;
  const query = useUserById(id);
  const userList = useUserList();
  if (id === null) return <Navigate {...userList} replace />;
  if (isMissingUser(query.error)) return <MissingUser error={query.error} />;
  return (
    <QueryView query={query} skeleton={<UserSkeleton />} errorTitle={adminText('userFailed')}>
      {(user) => <LoadedUser key={user.id} user={user} />}
    </QueryView>
  );
};

export default EditUserPage;
