import type { SystemView } from '@shortlist/contracts/api/public';
import type { ReactNode } from 'react';
import { AlertsPanel } from '../../features/system/alerts-panel.tsx';
import { SetupPanel } from '../../features/system/setup-panel.tsx';
import { summaryOf } from '../../features/system/system.rules.ts';
import { useSystem } from '../../features/system/use-system.ts';
import { now } from '../../lib/clock.ts';
import { longDate } from '../../lib/dates.ts';
import { usePageInfo } from '../../lib/state/use-page-info.ts';
import { Alert } from '../../ui/alert.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/skeleton.tsx';

const TITLE = 'System';

const checkedText = (system: SystemView | undefined): string => {
  if (system === undefined) return 'Every time is in your time zone';
  const { checkedAt } = system.stripe;
  const checked = checkedAt === null ? 'Not checked yet' : `Checked ${longDate(checkedAt)}`;
  return `${checked}. Every time is in your time zone`;
};

type ContentProps = { system: SystemView; onResolved: () => Promise<unknown> };

const Content = ({ system, onResolved }: ContentProps): ReactNode => {
  const { tone, text } = summaryOf(system, now());
  return (
    <div className="stack sheets">
      <Alert tone={tone}>
        <p>{text}</p>
      </Alert>
      <AlertsPanel alerts={system.alerts} onResolved={onResolved} />
      <SetupPanel setup={system.stripe} />
    </div>
  );
};

const SystemPage = (): ReactNode => {
  usePageInfo({ pageName: 'admin-system', pageTitle: TITLE, pageDescripttion: '' });
  const query = useSystem();
  return (
    <>
      <PageHeader title={TITLE} description={checkedText(query.data)} />
      <QueryView
        query={query}
        skeleton={
          <Skeleton label="Loading the state of the system">
            <SkeletonPanel lines={5} />
          </Skeleton>
        }
        errorTitle="The state of the system could not be loaded"
      >
        {(system) => <Content system={system} onResolved={query.mutate} />}
      </QueryView>
    </>
  );
};

export default SystemPage;
