import type { ReactNode } from 'react';
import { adminText } from '../../messages/admin.ts';
import { Skeleton, SkeletonPanel, useAreSettled } from '../../ui/states.tsx';
import { UserSignInsPanel, useUserSignIns } from '../security/sign-ins-panel.tsx';
import { UserAccessPanel, useUserAccess } from './user-access.tsx';
import { UserFactors, UserSessionsPanel, useUserDevices, useUserFactors } from './user-security.tsx';

/** How a user logs in, where, and what else may act for them. */
export const SecurityTab = ({ userId: id }: { userId: string }): ReactNode => {
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
