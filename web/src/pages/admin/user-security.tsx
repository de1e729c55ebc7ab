import type { ReactNode } from 'react';
import { UserSignInsPanel, useUserSignIns } from '../../features/security/sign-ins-panel.tsx';
import { UserAccessPanel, useUserAccess } from '../../features/users/user-access.tsx';
import { useUserDevices } from '../../features/users/user-data.ts';
import { UserFactors, UserSessionsPanel, useUserFactors } from '../../features/users/user-security.tsx';
import { adminText } from '../../messages/admin.ts';
import { useAreSettled } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';

/** How a user logs in, where, and what else may act for them. */
const SecurityTab = ({ userId: id }: { userId: string }): ReactNode => {
  const panels = [useUserFactors(id), useUserDevices(id), useUserAccess(id), useUserSignIns(id)];
  const arePanelsSettled = useAreSettled(panels);
  return (
    <>
      {!arePanelsSettled && (
        <Skeleton label={adminText('loadingUser')}>
          <div className="measure">
            <SkeletonPanel lines={6} />
          </div>
        </Skeleton>
      )}
      {/* The panels load at the same time, hidden until none moves another. */}
      <div hidden={!arePanelsSettled}>
        <div className="stack sheets measure">
          <UserFactors id={id} />
          <UserSessionsPanel userId={id} />
          <UserAccessPanel userId={id} />
          <UserSignInsPanel userId={id} />
        </div>
      </div>
    </>
  );
};

export default SecurityTab;
