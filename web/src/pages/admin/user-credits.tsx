import type { ReactNode } from 'react';
import { LedgerPanel } from '../../features/credits/history-panel.tsx';
import { UserCredits } from '../../features/users/user-credits.tsx';
import { useUserBuckets } from '../../features/users/user-data.ts';
import { useAreSettled } from '../../ui/query-view.tsx';

/** The credits of a user and their ledger. */
const CreditsTab = ({ userId }: { userId: string }): ReactNode => {
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

export default CreditsTab;
