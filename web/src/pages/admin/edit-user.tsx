import type { Permission } from '@shortlist/contracts/admin-permissions';
import type { Profile } from '@shortlist/contracts/api/profile';
import { fullName } from '@shortlist/contracts/messages';
import { Activity, type ReactNode, Suspense, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import { profileRows } from '../../features/account/account-values.ts';
import { EditForm } from '../../features/account/edit-form.tsx';
import { AccountNotices, useAccountStatus } from '../../features/users/account-status.tsx';
import { SubscriptionInformation } from '../../features/users/subscription-information.tsx';
import {
  isMissingUser,
  MissingUser,
  UserDeletion,
  UserHead,
  useUserDeletion,
} from '../../features/users/user-head.tsx';
import { UserNotes } from '../../features/users/user-notes.tsx';
import { useProfileById } from '../../lib/data/use-directory.ts';
import { paths } from '../../lib/paths.ts';
import { May, useCan, useUserList, usePageInfo } from '../../lib/state/hooks.tsx';
import { adminText } from '../../messages/admin.ts';
import { usersText } from '../../messages/users.ts';
import { lazyPage } from '../../ui/lazy-page.tsx';
import { Details, Panel } from '../../ui/panel.tsx';
import { QueryView, useAreSettled } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';

type UserProps = { user: Profile };

const UserSkeleton = (): ReactNode => (
  <Skeleton label={adminText('loadingUser')}>
    <div className="split is-user">
      <SkeletonPanel lines={3} />
      <SkeletonPanel lines={8} />
    </div>
  </Skeleton>
);

const ProfilePanel = ({ user }: UserProps): ReactNode => (
  <Panel title={adminText('details')}>
    <Details rows={profileRows(user)} />
  </Panel>
);

const DetailsTab = ({ user }: UserProps): ReactNode => {
  const userList = useUserList();
  return (
    <>
      <div className="stack user-notices">
        <AccountNotices id={user.id} />
      </div>
      <div className="split is-user">
        <SubscriptionInformation user={user} />
        <section className="stack" aria-label={adminText('details')}>
          <May permission="users.edit" otherwise={<ProfilePanel user={user} />}>
            <EditForm user={user} editor="admin" cancelTo={userList} />
          </May>
        </section>
      </div>
    </>
  );
};

const TimelineTab = lazyPage(async () => ({
  default: (await import('../../features/users/timeline.tsx')).UserTimeline,
}));
const CreditsTab = lazyPage(() => import('./user-credits.tsx'));
const PaymentsTab = lazyPage(async () => ({
  default: (await import('../../features/payments/payment-list.tsx')).UserPayments,
}));
const SecurityTab = lazyPage(() => import('./user-security.tsx'));
const ChangesTab = lazyPage(async () => ({
  default: (await import('../../features/audit/audit-list.tsx')).AuditPanel,
}));

type Tab = { label: string; permission?: Permission; render: (user: Profile) => ReactNode };

const TABS = {
  details: { label: adminText('details'), render: (user) => <DetailsTab user={user} /> },
  timeline: { label: usersText('timeline'), render: ({ id }) => <TimelineTab userId={id} /> },
  credits: { label: usersText('credits'), render: ({ id }) => <CreditsTab userId={id} /> },
  payments: {
    label: usersText('payments'),
    permission: 'revenue.read',
    render: ({ id }) => <PaymentsTab userId={id} />,
  },
  security: { label: usersText('security'), render: ({ id }) => <SecurityTab userId={id} /> },
  notes: { label: usersText('notes'), render: ({ id }) => <UserNotes userId={id} /> },
  changes: {
    label: usersText('changes'),
    permission: 'audit.read',
    render: ({ id }) => <ChangesTab userId={id} />,
  },
} as const satisfies Record<string, Tab>;

type TabName = keyof typeof TABS;
const TAB_NAMES = Object.keys(TABS) as TabName[];

const tabOf = (name: TabName): Tab => TABS[name];

/** The open tab, and those that the role may read. The tab is in the URL; one that is missing stands for the details. */
const useTabs = () => {
  const can = useCan();
  const [params] = useSearchParams();
  const names = TAB_NAMES.filter((name) => {
    const { permission } = tabOf(name);
    return permission === undefined || can(permission);
  });
  return { names, current: names.find((name) => name === params.get('tab')) ?? 'details' };
};

/** A tab that was open stays, hidden and without reading anything, so that what is typed there is not lost. */
const UserTabs = ({ user }: UserProps): ReactNode => {
  const { names, current } = useTabs();
  const [opened, setOpened] = useState<readonly TabName[]>([current]);
  if (!opened.includes(current)) setOpened([...opened, current]);
  const tabs = names.map((name) => ({
    name,
    label: tabOf(name).label,
    to: name === 'details' ? paths.editUser(user.id) : paths.userTab(user.id, name),
  }));
  return (
    <>
      <Tabs label={fullName(user)} tabs={tabs} current={current} />
      {opened.map((name) => (
        <Activity key={name} mode={name === current ? 'visible' : 'hidden'}>
          <Suspense fallback={<UserSkeleton />}>{tabOf(name).render(user)}</Suspense>
        </Activity>
      ))}
    </>
  );
};

const LoadedUser = ({ user }: UserProps): ReactNode => {
  usePageInfo({ pageName: 'edit-user', pageTitle: fullName(user), pageDescription: '' });
  // The notices would move what is below them.
  if (!useAreSettled([useAccountStatus(user.id), useUserDeletion(user.id)])) return <UserSkeleton />;
  return (
    <>
      <UserHead user={user} />
      <div className="stack user-notices">
        <UserDeletion userId={user.id} />
      </div>
      <UserTabs user={user} />
    </>
  );
};

const EditUserPage = (): ReactNode => {
  const id = useSearchParams()[0].get('user_id') || null;
  const query = useProfileById(id);
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
