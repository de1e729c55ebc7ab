import type { BucketRecord, CreditBucket, UserBuckets } from '@shortlist/contracts/api/credits';
import { publicEndpoints } from '@shortlist/contracts/api/public';
import { dayOf, days } from '@shortlist/contracts/durations';
import { CREDIT_GRANT_REASON_MAX } from '@shortlist/contracts/limits';
import { type ReactNode, useCallback, useState } from 'react';
import { call } from '../../lib/api/call.ts';
import { revalidate } from '../../lib/data/use-query.ts';
import { shortDay, now, utcDay, utcToday } from '../../lib/dates.ts';
import { count } from '../../lib/money.ts';
import { May, useAdminToken, useAppDispatch, useCan } from '../../lib/state/hooks.tsx';
import { toasts } from '../../lib/state/page.ts';
import { useCommand } from '../../lib/state/use-command.ts';
import { userCreditsText } from '../../messages/users.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';
import { useUserBuckets } from './user-data.ts';

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

const expiryOf = ({ kind, endsAt }: CreditBucket): string => {
  if (kind === 'pack') return userCreditsText('noEnd');
  if (endsAt === null) return userCreditsText('notStarted');
  return kind === 'grant' ? lastDayOf(endsAt) : shortDay(endsAt);
};

/** `place`: in the order of use; null for one that cannot be charged. */
type BucketRow = { bucket: CreditBucket; record: BucketRecord | undefined; place: number | null };

/** What can be charged, in the order of use, then every other grant and pack, the newest first. */
const rowsOf = ({ buckets, records }: UserBuckets): BucketRow[] => {
  const inUse = new Set(buckets.map(({ id }) => id));
  return [
    ...buckets.map((bucket, index) => ({
      bucket,
      record: records.find(({ id }) => id === bucket.id),
      place: index + 1,
    })),
    ...records.filter(({ id }) => !inUse.has(id)).map((record) => ({ bucket: record, record, place: null })),
  ];
};

type RowProps = BucketRow & { mayAdjust: boolean; onRevoke: (grant: BucketRecord) => void };

const Row = ({ bucket, record, place, mayAdjust, onRevoke }: RowProps): ReactNode => {
  const { kind, credits, used, available } = bucket;
  const isOver = record?.isOver === true;
  const reason = record?.reason ?? null;
  return (
    <tr>
      <td className="data-table-name">
        {userCreditsText(kind, { credits })}
        {reason !== null && <span className="data-table-note">{userCreditsText('because', { reason })}</span>}
      </td>
      <td className="num" data-label={userCreditsText('order')}>
        {place === null ? userCreditsText('none') : userCreditsText('place', { place })}
      </td>
      <td className="num" data-label={userCreditsText('expires')}>
        {isOver ? userCreditsText('over') : expiryOf(bucket)}
      </td>
      <td className="num align-end is-figure" data-label={userCreditsText('given')}>
        {count(credits)}
      </td>
      <td className="num align-end is-figure" data-label={userCreditsText('used')}>
        {count(used)}
      </td>
      <td className="num align-end is-figure" data-label={userCreditsText('left')}>
        {count(isOver ? 0 : available)}
      </td>
      {mayAdjust && (
        <td className="align-end">
          {record?.kind === 'grant' && available > 0 && !isOver && (
            <Button isSmall onClick={() => onRevoke(record)}>
              {userCreditsText('revoke')}
            </Button>
          )}
        </td>
      )}
    </tr>
  );
};

const HEADS = ['bucket', 'order', 'expires'] as const;
const FIGURES = ['given', 'used', 'left'] as const;

const sumOf = (buckets: readonly CreditBucket[], name: 'credits' | 'used' | 'available'): string =>
  count(buckets.reduce((sum, { [name]: figure }) => sum + figure, 0));

type TableProps = { data: UserBuckets; onRevoke: (grant: BucketRecord) => void };

const BucketTable = ({ data, onRevoke }: TableProps): ReactNode => {
  const mayAdjust = useCan()('credits.adjust');
  const sums = { given: 'credits', used: 'used', left: 'available' } as const;
  return (
    <div className="table-scroll">
      <table className="data-table is-stacked is-brief">
        <thead>
          <tr>
            {HEADS.map((name) => (
              <th key={name} scope="col">
                {userCreditsText(name)}
              </th>
            ))}
            {FIGURES.map((name) => (
              <th key={name} scope="col" className="align-end">
                {userCreditsText(name)}
              </th>
            ))}
            {mayAdjust && (
              <th scope="col">
                <span className="visually-hidden">{userCreditsText('actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rowsOf(data).map((row) => (
            <Row key={row.bucket.id} {...row} mayAdjust={mayAdjust} onRevoke={onRevoke} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td colSpan={HEADS.length}>{userCreditsText('all')}</td>
            {FIGURES.map((name) => (
              <td key={name} className="num align-end" data-label={userCreditsText(name)}>
                {sumOf(data.buckets, sums[name])}
              </td>
            ))}
            {mayAdjust && <td />}
          </tr>
        </tfoot>
      </table>
    </div>
  );
};

type ContentProps = { userId: string; data: UserBuckets };

const Content = ({ userId, data }: ContentProps): ReactNode => {
  const [isGranting, setIsGranting] = useState(false);
  const [revoked, setRevoked] = useState<BucketRecord | null>(null);
  const close = useCallback(() => {
    setIsGranting(false);
    setRevoked(null);
  }, []);
  return (
    <Panel
      title={userCreditsText('title')}
      note={userCreditsText('available', { available: data.available })}
      isBare
      end={
        <May permission="credits.adjust">
          <Button onClick={() => setIsGranting(true)}>{userCreditsText('grantCredits')}</Button>
        </May>
      }
    >
      <BucketTable data={data} onRevoke={setRevoked} />
      {isGranting && <GrantCreditsDialog userId={userId} onClose={close} />}
      {revoked !== null && <RevokeCreditsDialog userId={userId} grant={revoked} onClose={close} />}
    </Panel>
  );
};

/** What a user can charge, by bucket, and what support can give. */
export const UserCredits = ({ userId }: { userId: string }): ReactNode => {
  const skeleton = (
    <Skeleton label={userCreditsText('loading')}>
      <SkeletonPanel lines={2} />
    </Skeleton>
  );
  return (
    <QueryView query={useUserBuckets(userId)} skeleton={skeleton} errorTitle={userCreditsText('failed')}>
      {(data) => <Content userId={userId} data={data} />}
    </QueryView>
  );
};
