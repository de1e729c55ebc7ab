import type { ReactNode } from 'react';
import { BalancePanel } from '../features/credits/balance-panel.tsx';
import { HistoryPanel } from '../features/credits/history-panel.tsx';
import { WindowPanel } from '../features/credits/window-panel.tsx';
import { useCredits } from '../lib/data/use-plan.ts';
import { usePageInfo } from '../lib/use-page-info.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { Reading } from '../ui/reading.tsx';
import { Skeleton, SkeletonPanel } from '../ui/skeleton.tsx';

const TITLE = 'Your Credits and Usage';

const Waiting = (): ReactNode => (
  <Skeleton label="Loading your credits">
    <div className="split is-even">
      <SkeletonPanel lines={6} />
      <SkeletonPanel lines={6} />
    </div>
  </Skeleton>
);

const Balance = (): ReactNode => (
  <Reading of={useCredits()} waiting={<Waiting />} failed="Your credits could not be loaded">
    {(credits) => (
      <div className="split is-even">
        <BalancePanel credits={credits} />
        <WindowPanel credits={credits} />
      </div>
    )}
  </Reading>
);

const CreditsPage = (): ReactNode => {
  const { data, error } = useCredits();
  usePageInfo({ pageName: 'credits', pageTitle: TITLE, pageDescripttion: '' });
  return (
    <>
      <PageHeader title={TITLE} />
      <div className="stack">
        <Balance />
        {/* Read at the same time, shown after what stands above it, which would push it down. */}
        <div hidden={data === undefined && error === undefined}>
          <HistoryPanel />
        </div>
      </div>
    </>
  );
};

export default CreditsPage;
