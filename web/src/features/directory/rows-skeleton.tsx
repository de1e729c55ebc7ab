import type { ReactNode } from 'react';
import { Bar, Skeleton } from '../../ui/skeleton.tsx';

/** Widths that vary as names do. */
const NAMES = ['7rem', '8.5rem', '6rem', '9rem'] as const;

type RowsSkeletonProps = { label: string; count: number; isLong?: boolean };

/** Stands in for rows of users, in their real height. */
export const RowsSkeleton = ({ label, count, isLong = true }: RowsSkeletonProps): ReactNode => (
  <Skeleton label={label}>
    <ul className={isLong ? 'skeleton-rows' : 'skeleton-rows is-tall'}>
      {Array.from({ length: count }, (_, index) => (
        <li key={index}>
          <span className="avatar is-small" />
          <Bar width={NAMES[index % NAMES.length] ?? '8rem'} height="0.75rem" />
          {isLong && (
            <>
              <Bar width="11rem" height="0.75rem" />
              <Bar width="7rem" height="0.75rem" />
              <Bar width="5rem" height="0.75rem" />
            </>
          )}
        </li>
      ))}
    </ul>
  </Skeleton>
);
