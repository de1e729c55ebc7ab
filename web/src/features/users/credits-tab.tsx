import type { ReactNode } from 'react';
import { useAreSettled } from '../../ui/states.tsx';
import { LedgerPanel } from '../credits/history-panel.tsx';
import { UserCredits, useUserBuckets } from './user-credits.tsx';

/** The credits of a user and their ledger. */
export const CreditsTab = ({ userId }: { userId: string }): ReactNode => {
  const areBucketsSettled = useAreSettled([useUserBuckets(userId)]);
  return (
    <div className="stack sheets">
      <UserCredits userId={userId} />
      <div hidden={!areBucketsSettled}>
        <LedgerPanel userId={userId} />
      </div>
    </div>
  );
};
