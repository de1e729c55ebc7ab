import type { BucketRecord, CreditBucket, UserBuckets } from '@shortlist/contracts/api/credit-buckets';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { type ReactNode, useCallback, useState } from 'react';
import { useQuery } from '../../lib/data/use-query.ts';
import { longDay, utcDay } from '../../lib/dates.ts';
import { useCan } from '../../lib/state/hooks.tsx';
import { userCreditsText } from '../../messages/users.ts';
import { Button } from '../../ui/button.tsx';
import { Line, Lines, Panel } from '../../ui/panel.tsx';
import { QueryView, Skeleton, SkeletonPanel } from '../../ui/states.tsx';
import { GrantCreditsDialog, RevokeCreditsDialog } from './grant-credits.tsx';

export const useUserBuckets = (userId: string) =>
  useQuery('directory', publicEndpoints.userBuckets, { userId });

/** The last day of a grant, which ends at midnight UTC. */
const lastDayOf = (endsAt: string): string => utcDay(new Date(Date.parse(endsAt) - 1).toISOString());

const endOf = ({ kind, endsAt }: CreditBucket): string => {
  if (kind === 'pack') return userCreditsText('noEnd');
  if (endsAt === null) return userCreditsText('notStarted');
  return userCreditsText('until', { day: kind === 'grant' ? lastDayOf(endsAt) : longDay(endsAt) });
};

const titleOf = ({ kind, credits }: CreditBucket): string => userCreditsText(kind, { credits });

const noteOf = (bucket: CreditBucket | BucketRecord): string => {
  const { available: left, credits, used } = bucket;
  const isOver = 'isOver' in bucket && bucket.isOver;
  const parts = [
    isOver ? userCreditsText('over', { used, credits }) : userCreditsText('left', { left, credits }),
    isOver ? '' : endOf(bucket),
    'reason' in bucket && bucket.reason !== null ? userCreditsText('because', { reason: bucket.reason }) : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
};

type ContentProps = { userId: string; data: UserBuckets };

/** The plan, and every grant and pack, the newest first. */
const Buckets = ({ userId, data: { buckets, records } }: ContentProps): ReactNode => {
  const can = useCan();
  const [revoked, setRevoked] = useState<BucketRecord | null>(null);
  const close = useCallback(() => setRevoked(null), []);
  return (
    <>
      <Lines>
        {buckets
          .filter(({ kind }) => kind === 'plan')
          .map((bucket) => (
            <Line key={bucket.id} title={titleOf(bucket)} note={noteOf(bucket)} />
          ))}
        {records.map((record) => (
          <Line key={record.id} title={titleOf(record)} note={noteOf(record)}>
            {record.kind === 'grant' && record.available > 0 && can('credits.adjust') && (
              <Button onClick={() => setRevoked(record)}>{userCreditsText('revoke')}</Button>
            )}
          </Line>
        ))}
      </Lines>
      {revoked !== null && <RevokeCreditsDialog userId={userId} grant={revoked} onClose={close} />}
    </>
  );
};

/** What a user can charge, by bucket, and what support can give. */
export const UserCredits = ({ userId }: { userId: string }): ReactNode => {
  const can = useCan();
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  const skeleton = (
    <Skeleton label={userCreditsText('loading')}>
      <SkeletonPanel lines={2} />
    </Skeleton>
  );
  return (
    <QueryView query={useUserBuckets(userId)} skeleton={skeleton} errorTitle={userCreditsText('failed')}>
      {(data) => (
        <Panel
          title={userCreditsText('title')}
          note={userCreditsText('available', { available: data.available })}
          isBare
          end={
            can('credits.adjust') && (
              <Button onClick={() => setIsOpen(true)}>{userCreditsText('grantCredits')}</Button>
            )
          }
        >
          <Buckets userId={userId} data={data} />
          {isOpen && <GrantCreditsDialog userId={userId} onClose={close} />}
        </Panel>
      )}
    </QueryView>
  );
};
