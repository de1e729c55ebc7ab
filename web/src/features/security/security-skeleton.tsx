import type { ReactNode } from 'react';
import { securityText } from '../../messages/security.ts';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';

/** Stands in for the panels of the page of security, a user's or an admin's. */
export const SecuritySkeleton = (): ReactNode => (
  <Skeleton label={securityText('loading')}>
    <div className="stack sheets">
      <SkeletonPanel lines={2} />
      <SkeletonPanel lines={1} />
      <SkeletonPanel lines={2} />
    </div>
  </Skeleton>
);
