import type { ReactNode } from 'react';
import { BalancePanel } from '../features/credits/balance-panel.tsx';
import { HistoryPanel } from '../features/credits/history-panel.tsx';
import { WindowPanel } from '../features/credits/window-panel.tsx';
import { failureOf } from '../lib/api/api-error.ts';
import { useCredits } from '../lib/data/use-plan.ts';
import { usePageInfo } from '../lib/use-page-info.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { Skeleton, SkeletonPanel } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';

const TITLE = 'Your Credits and Usage';

const Balance = (): ReactNode => {
  const { data, error, mutate, isValidating } = useCredits();
  if (data !== undefined)
    return (
      <div className="split is-even">
        <BalancePanel credits={data} />
        <WindowPanel credits={data} />
      </div>
    );
  if (error !== undefined)
    return (
      <ErrorState
        title="Your credits could not be loaded"
        message={failureOf(error).message}
        isRetrying={isValidating}
        onRetry={() => void mutate()}
      />
    );
  return (
    <Skeleton label="Loading your credits">
      <div className="split">
        <SkeletonPanel lines={4} />
        <SkeletonPanel lines={4} />
      </div>
    </Skeleton>
  );
};

const CreditsPage = (): ReactNode => {
  usePageInfo({ pageName: 'credits', pageTitle: TITLE, pageDescripttion: '' });
  return (
    <>
      <PageHeader title={TITLE} />
      <div className="stack">
        <Balance />
        <HistoryPanel />
      </div>
    </>
  );
};

export default CreditsPage;
