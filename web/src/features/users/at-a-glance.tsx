import type { CreditBucket } from '@shortlist/contracts/api/credits';
import type { SubscriptionView } from '@shortlist/contracts/api/billing';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { shortDay, shortTime } from '../../lib/dates.ts';
import { recentTime } from '../../lib/devices.ts';
import { paths } from '../../lib/paths.ts';
import { glanceText, notesText } from '../../messages/users.ts';
import { Details, Panel } from '../../ui/panel.tsx';
import { useAreSettled } from '../../ui/query-view.tsx';
import { useAccountStatus } from './account-status.tsx';
import { authorOf, useUserBuckets, useUserDevices } from './user-data.ts';
import { useUserNotes } from './user-notes.tsx';

const ENDS = { renews: 'renews', ends: 'ends', granted: 'ends', collecting: 'collecting' } as const;

const planText = ({ plan, continuation, premiumUntil }: SubscriptionView): string =>
  plan === 'free' || continuation === null || premiumUntil === null
    ? glanceText('free')
    : glanceText(ENDS[continuation], { day: shortDay(premiumUntil) });

const creditsText = (available: number, buckets: readonly CreditBucket[]): string =>
  glanceText('creditsLeft', { available, credits: buckets.reduce((sum, { credits }) => sum + credits, 0) });

/** Each fact is of another service, and unknown without it. */
const useFacts = (userId: string): (readonly [string, string])[] => {
  const { data: status } = useAccountStatus(userId);
  const { data: credits } = useUserBuckets(userId);
  const { data: devices } = useUserDevices(userId);
  const unknown = glanceText('unavailable');
  const lastSeen = devices?.[0]?.lastSeenAt;
  const seen = lastSeen === undefined ? glanceText('notSeen') : recentTime(lastSeen);
  return [
    [glanceText('plan'), status?.plan ? planText(status.plan.subscription) : unknown],
    [
      glanceText('credits'),
      credits === undefined ? unknown : creditsText(credits.available, credits.buckets),
    ],
    [glanceText('lastSeen'), devices === undefined ? unknown : seen],
    [glanceText('confirmed'), status?.access ? glanceText(status.access.isVerified ? 'yes' : 'no') : unknown],
  ];
};

const LatestNote = ({ userId }: { userId: string }): ReactNode => {
  const { data: notes } = useUserNotes(userId);
  const latest = notes?.[0];
  return (
    <Panel
      title={glanceText('latestNote')}
      end={
        <Link className="small is-inline-link" to={paths.userTab(userId, 'notes')}>
          {glanceText('allNotes')}
        </Link>
      }
    >
      {latest === undefined ? (
        <p>{notes === undefined ? glanceText('unavailable') : notesText('none')}</p>
      ) : (
        <>
          <p className="note-text">{latest.text}</p>
          <p className="small muted">
            {notesText('meta', { author: authorOf(latest.author), time: shortTime(latest.createdAt) })}
          </p>
        </>
      )}
    </Panel>
  );
};

/** Whether the height of what is at a glance is known. */
export const useIsGlanceSettled = (userId: string): boolean =>
  useAreSettled([
    useAccountStatus(userId),
    useUserBuckets(userId),
    useUserDevices(userId),
    useUserNotes(userId),
  ]);

/** What is in force now, and the latest note. */
export const AtAGlance = ({ userId }: { userId: string }): ReactNode => (
  <>
    <Panel title={glanceText('title')}>
      <Details rows={useFacts(userId)} />
    </Panel>
    <LatestNote userId={userId} />
  </>
);
