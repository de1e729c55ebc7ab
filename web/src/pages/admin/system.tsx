import type { SystemStatus } from '@shortlist/contracts/api/system';
import RotateCw from 'lucide-react/icons/rotate-cw';
import type { ReactNode } from 'react';
import { AlertsPanel } from '../../features/system/alerts-panel.tsx';
import { DeadLettersPanel } from '../../features/system/dead-letters.tsx';
import { FailedJobsPanel } from '../../features/system/failed-jobs.tsx';
import { SetupPanel, useSystem } from '../../features/system/setup-panel.tsx';
import {
  ChecksPanel,
  DependenciesPanel,
  MailsPanel,
  ProcessesPanel,
  QueuesPanel,
  Summary,
  useSystemStatus,
} from '../../features/system/status-panels.tsx';
import { currentStatus } from '../../features/system/status-problems.ts';
import { StripeEventsPanel } from '../../features/system/stripe-events.tsx';
import { revalidate } from '../../lib/data/use-query.ts';
import { shortTime, now } from '../../lib/dates.ts';
import { usePageInfo } from '../../lib/state/hooks.tsx';
import { useCommand } from '../../lib/state/use-command.ts';
import { shellText } from '../../messages/shell.ts';
import { headingText } from '../../messages/headings.ts';
import { statusText } from '../../messages/system-status.ts';
import { systemText } from '../../messages/system.ts';
import { Button } from '../../ui/button.tsx';
import { ICON } from '../../ui/inline.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { isSettled, QueryView, useAreSettled } from '../../ui/query-view.tsx';
import { Skeleton, SkeletonPanel } from '../../ui/states.tsx';

const checkedText = (status: SystemStatus | undefined): string =>
  status === undefined
    ? headingText('systemNote')
    : systemText('checked', { time: shortTime(status.checkedAt) });

const CheckNow = (): ReactNode => {
  const { isBusy, run } = useCommand(() => revalidate(['system']));
  return (
    <Button isReadOnly isBusy={isBusy} onClick={() => void run()}>
      <RotateCw {...ICON} />
      {statusText('checkNow')}
    </Button>
  );
};

type ContentProps = {
  systemQuery: ReturnType<typeof useSystem>;
  statusQuery: ReturnType<typeof useSystemStatus>;
};

/** What is wrong first. Each part is read by itself, and fails alone. */
const Content = ({ systemQuery, statusQuery }: ContentProps): ReactNode => {
  const { data: system } = systemQuery;
  const status = statusQuery.data && currentStatus(statusQuery.data, now());
  return (
    <>
      {[systemQuery, statusQuery].every(isSettled) && <Summary system={system} status={status} />}
      <QueryView
        query={systemQuery}
        skeleton={
          <Skeleton label={systemText('loading')}>
            <SkeletonPanel lines={1} />
          </Skeleton>
        }
        errorTitle={systemText('failed')}
      >
        {({ alerts }) => <AlertsPanel alerts={alerts} onChanged={systemQuery.mutate} />}
      </QueryView>
      <QueryView
        query={statusQuery}
        skeleton={
          <Skeleton label={statusText('loading')}>
            <SkeletonPanel lines={6} />
          </Skeleton>
        }
        errorTitle={statusText('failed')}
      >
        {() =>
          status !== undefined && (
            <>
              <ProcessesPanel status={status} />
              <div className="panel-columns">
                <DependenciesPanel status={status} />
                <QueuesPanel status={status} />
              </div>
            </>
          )
        }
      </QueryView>
      <StripeEventsPanel counts={status?.stripe?.events ?? null} />
      <DeadLettersPanel />
      <FailedJobsPanel />
      {status !== undefined && (
        <>
          <MailsPanel status={status} />
          <ChecksPanel status={status} />
        </>
      )}
      {system !== undefined && (
        <>
          <SetupPanel setup={system.stripe} />
          <p className="small muted">{systemText('version', { version: system.version })}</p>
        </>
      )}
    </>
  );
};

const SystemPage = (): ReactNode => {
  usePageInfo({ pageName: 'admin-system', pageTitle: shellText('system'), pageDescription: '' });
  const queries = { systemQuery: useSystem(), statusQuery: useSystemStatus() };
  const areSettled = useAreSettled(Object.values(queries));
  return (
    <>
      <PageHeader
        title={shellText('system')}
        description={checkedText(queries.statusQuery.data)}
        actions={<CheckNow />}
      />
      {!areSettled && (
        <Skeleton label={statusText('loading')}>
          <div className="stack sheets">
            <SkeletonPanel lines={2} />
            <SkeletonPanel lines={6} />
          </div>
        </Skeleton>
      )}
      {/* The lists below load at the same time. */}
      <div hidden={!areSettled}>
        <div className="stack sheets">
          <Content {...queries} />
        </div>
      </div>
    </>
  );
};

export default SystemPage;
