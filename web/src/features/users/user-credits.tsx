import type { BucketRecord, CreditBucket, UserBuckets } from '@shortlist/contracts/api/credits';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { dayOf, days } from '@shortlist/contracts/durations';
import { CREDIT_GRANT_REASON_MAX } from '@shortlist/contracts/limits';
import { type ReactNode, useCallback, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate, useQuery } from '../../lib/data/use-query.ts';
import { shortDay, now, utcDay, utcToday } from '../../lib/dates.ts';
import { useAdminToken, useAppDispatch, useCan } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { userCreditsText } from '../../messages/users.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Line, Lines, Panel } from '../../ui/panel.tsx';
import { QueryView, Skeleton, SkeletonPanel } from '../../ui/states.tsx';

export const useUserBuckets = (userId: string) =>
  useQuery('directory', publicEndpoints.userBuckets, { userId });

type DialogProps = { userId: string; onClose: () => void };

const useGrant = ({ userId, onClose }: DialogProps) => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  // A second press after a lost response grants nothing twice.
  const [grantId] = useState(() => crypto.randomUUID());
  return useCommand(async (grant: { credits: number; lastDay: string; reason: string }): Promise<void> => {
    await call(publicEndpoints.grantCredits, { userId, grantId, ...grant }, { token });
    await revalidate(['directory']);
    dispatch(toasts.added(userCreditsText('granted', { credits: grant.credits })));
    onClose();
  });
};

/** Gives a user credits until the end of a day. */
const GrantCreditsDialog = (props: DialogProps): ReactNode => {
  const [credits, setCredits] = useState('50');
  const [lastDay, setLastDay] = useState(() => dayOf(new Date(now() + days(30))));
  const [reason, setReason] = useState('');
  const { isBusy, failure, run } = useGrant(props);
  const fields = failure?.fields ?? {};
  const amount = Number(credits);
  const isPast = lastDay !== '' && lastDay < utcToday();
  return (
    <ConfirmDialog
      title={userCreditsText('grantTitle')}
      confirmLabel={userCreditsText('grantButton', { credits: Number.isSafeInteger(amount) ? amount : 0 })}
      command={{ isBusy, failure, run: () => run({ credits: amount, lastDay, reason: reason.trim() }) }}
      isFailureAtField={Object.keys(fields).length > 0}
      onClose={props.onClose}
    >
      <p>{userCreditsText('grantNote')}</p>
      <TextField
        label={userCreditsText('credits')}
        inputMode="numeric"
        autoComplete="off"
        value={credits}
        error={fields['credits']}
        onChange={(event) => setCredits(event.target.value)}
      />
      <TextField
        label={userCreditsText('lastDay')}
        type="date"
        min={utcToday()}
        value={lastDay}
        help={userCreditsText('lastDayHelp')}
        error={fields['lastDay'] ?? (isPast ? userCreditsText('lastDayPast') : undefined)}
        onChange={(event) => setLastDay(event.target.value)}
      />
      <TextField
        label={userCreditsText('reason')}
        help={userCreditsText('reasonHelp')}
        maxLength={CREDIT_GRANT_REASON_MAX}
        value={reason}
        error={fields['reason']}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  );
};

/** Takes back what is left of a grant. */
const RevokeCreditsDialog = ({
  userId,
  grant: { id, available },
  onClose,
}: DialogProps & { grant: BucketRecord }): ReactNode => {
  const token = useAdminToken();
  const dispatch = useAppDispatch();
  const command = useCommand(async (): Promise<void> => {
    const { data } = await call(publicEndpoints.revokeCredits, { userId, grantId: id }, { token });
    await revalidate(['directory']);
    dispatch(toasts.added(userCreditsText('takenBack', { credits: data.credits - data.used })));
    onClose();
  });
  return (
    <ConfirmDialog
      title={userCreditsText('revokeTitle')}
      confirmLabel={userCreditsText('revokeButton', { credits: available })}
      isBad
      command={command}
      onClose={onClose}
    >
      <p>{userCreditsText('revokeNote')}</p>
    </ConfirmDialog>
  );
};

/** The last day of a grant, which ends at midnight UTC. */
const lastDayOf = (endsAt: string): string => utcDay(new Date(Date.parse(endsAt) - 1).toISOString());

const endOf = ({ kind, endsAt }: CreditBucket): string => {
  if (kind === 'pack') return userCreditsText('noEnd');
  if (endsAt === null) return userCreditsText('notStarted');
  return userCreditsText('until', { day: kind === 'grant' ? lastDayOf(endsAt) : shortDay(endsAt) });
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
